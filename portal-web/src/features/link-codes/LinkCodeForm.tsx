import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { WholeNumberField } from '../../ui/forms/WholeNumberField.tsx';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError, type DescribedError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import type { Service } from '../integration/useIntegration.ts';
import classes from './LinkCodes.module.css';
import type { LinkCodeChoice } from './linkCodeChoice.ts';
import { generateSandboxLinkCodeMutation, type GeneratedLinkCode } from '../sandbox/sandboxMutations.ts';
import type { Sandbox } from '../sandbox/sandboxQueries.ts';

type LinkCodeFormProps = {
  clientId: string;
  sandbox: Sandbox;
  /** What is chosen at first. */
  choice: LinkCodeChoice;
  scopes: Service['scopes'];
  onGenerated: (generated: GeneratedLinkCode) => void;
};

/** Chooses what the next code shares and what its test user consents to. */
export function LinkCodeForm({ clientId, sandbox, choice, scopes, onGenerated }: LinkCodeFormProps) {
  const [{ fetching }, generate] = useMutation(generateSandboxLinkCodeMutation);
  const possible = scopes.filter(({ name }) => sandbox.grantableScopes.includes(name));
  const [consented, setConsented] = useState<string[]>([...choice.scopes]);
  const [orders, setOrders] = useState<number | string>(choice.orders);
  const [vehicles, setVehicles] = useState<number | string>(choice.vehicles);
  const [optedIn, setOptedIn] = useState(choice.statisticsOptedIn);
  const [problem, setProblem] = useState<DescribedError | null>(null);
  const statistics = sandbox.grantableScopes.includes('statistics.orders.read');

  async function submit(event: React.FormEvent) {
    event.preventDefault();
    setProblem(null);
    const input = {
      clientId,
      orders: Number(orders),
      vehicles: Number(vehicles),
      scopes: consented,
      statisticsOptedIn: statistics && optedIn,
    };
    const { data, error } = await generate({ input });
    if (error || !data) return setProblem(describeError(error));
    onGenerated(data.generateSandboxLinkCode);
  }

  const unplaced = problem && !['orders', 'vehicles', 'scopes'].some((field) => field in problem.fields);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Group gap="md" align="flex-start" className={classes.numbers}>
          {possible.some(({ name }) => name === 'orders.read') && (
            <WholeNumberField label="Orders" value={orders} onChange={setOrders} error={problem?.fields['orders']} />
          )}
          {possible.some(({ name }) => name === 'vehicles.read') && (
            <WholeNumberField label="Stock vehicles" value={vehicles} onChange={setVehicles} error={problem?.fields['vehicles']} />
          )}
        </Group>
        <Checkbox.Group
          label="Scopes that the user consents to"
          description="Leave some out to see how your back end handles a narrower consent."
          value={consented}
          onChange={setConsented}
          error={problem?.fields['scopes']}
        >
          <div className={classes.scopes}>
            {possible.map(({ name, grants }) => (
              <Checkbox key={name} value={name} label={name} description={grants} classNames={{ label: classes.scope ?? '' }} />
            ))}
          </div>
        </Checkbox.Group>
        {statistics && (
          <Checkbox
            label="The user takes part in your statistics"
            description="A separate choice, for this integration alone."
            checked={optedIn}
            onChange={(event) => setOptedIn(event.currentTarget.checked)}
          />
        )}
        {unplaced && <ErrorMessage message={problem.message} />}
        <Button type="submit" loading={fetching} w="fit-content">
          Generate link code
        </Button>
      </Stack>
    </form>
  );
}
