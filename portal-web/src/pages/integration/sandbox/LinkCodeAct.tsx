import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { linkCodeFacts } from '../../../../../server/domain/sharing/linkCodeFacts.ts';
import { CommandChoice } from '../../../features/integration/CommandChoice.tsx';
import { redeemCommands } from '../../../features/integration/machineCommands.ts';
import { useWanted } from '../../../features/search/usePageActs.ts';
import { sandboxClient } from '../../../features/integration/integrationQuery.ts';
import { keyNameOf } from '../../../features/integration/keyNameOf.ts';
import { type Service, useIntegration } from '../../../features/integration/useIntegration.ts';
import { NextPractice } from '../../../features/practice/NextPractice.tsx';
import { type DescribedError, describeError } from '../../../graphql/describeError.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { WholeNumberField } from '../../../ui/forms/WholeNumberField.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { CopyButton } from '../../../ui/values/CopyButton.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { choiceWords, contentWords, countdown, type LinkCodeChoice, nextChoice } from './linkCodes.ts';
import classes from './LinkCodes.module.css';
import { type GeneratedLinkCode, generateSandboxLinkCodeMutation } from './sandboxMutations.ts';
import { latestLinkCodes, type LinkCode, type Sandbox, sandboxContext, sandboxLinkCodesQuery } from './sandboxQueries.ts';

type LinkCodeActProps = { clientId: string; sandbox: Sandbox; service: Service };

/** Plays the user: generates a link code as the last one with one click, or as chosen, and follows it until it is redeemed. */
export function LinkCodeAct({ clientId, sandbox, service }: LinkCodeActProps) {
  const [{ fetching }, generate] = useMutation(generateSandboxLinkCodeMutation);
  const [generated, setGenerated] = useState<GeneratedLinkCode | null>(null);
  const [choosing, setChoosing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [{ data }] = usePolledQuery({
    query: sandboxLinkCodesQuery,
    variables: latestLinkCodes(clientId),
    // The operator's back end redeems the code, so the page has to poll for it.
    whileTrue: ({ sandboxLinkCodes }) => sandboxLinkCodes.edges.some(({ node }) => linkCodeFacts[node.state].refusedAs === null),
    context: sandboxContext,
  });
  const codes = data?.sandboxLinkCodes.edges.map(({ node }) => node) ?? [];
  const choice = nextChoice(codes[0], sandbox.grantableScopes);

  async function generateAs({ scopes, ...rest }: LinkCodeChoice) {
    setProblem(null);
    const { data: answer, error } = await generate({ input: { clientId, ...rest, scopes: [...scopes] } });
    if (error || !answer) return setProblem(describeError(error).message);
    setGenerated(answer.generateSandboxLinkCode);
  }

  useWanted('link code', data ? () => void generateAs(choice) : null);

  return (
    <section aria-label="Link codes" className={classes.act}>
      {problem && <ErrorMessage message={problem} />}
      <div className={classes.line}>
        <Button size="xs" loading={fetching} onClick={() => void generateAs(choice)}>
          Generate link code
        </Button>
        <Text size="sm" c="dimmed">
          {choiceWords(choice, sandbox.grantableScopes)}
        </Text>
        <Button size="xs" variant="default" onClick={() => setChoosing(true)}>
          Choose what it shares
        </Button>
      </div>
      {generated && (
        <NewLinkCode key={generated.id} generated={generated} state={codes.find(({ id }) => id === generated.id)} service={service} />
      )}
      <Modal
        opened={choosing}
        onClose={() => setChoosing(false)}
        size="lg"
        title="What should the link code share?"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <LinkCodeForm
          {...{ clientId, sandbox, choice }}
          scopes={service.scopes}
          onGenerated={(code) => {
            setGenerated(code);
            setChoosing(false);
          }}
        />
      </Modal>
    </section>
  );
}

type NewLinkCodeProps = { generated: GeneratedLinkCode; state: LinkCode | undefined; service: Service };

const groups = ['first', 'middle', 'last'] as const;

/** The code that was just generated: its digits, the time left, the call that redeems it, and its state. */
function NewLinkCode({ generated: { code, expiresAt }, state, service }: NewLinkCodeProps) {
  const client = sandboxClient(useIntegration().integration);
  const keyName = client ? keyNameOf(client) : '';
  const left = countdown(new Date(expiresAt), useNow(1000));
  const known = state?.state ?? 'generated';
  const now = known === 'generated' && left === null ? 'expired' : known;
  const { tone, word, refusedAs } = linkCodeFacts[now];
  const isRedeemable = refusedAs === null;
  return (
    <section className={classes.fresh} aria-label="New link code" data-over={!isRedeemable || undefined}>
      <div className={classes.line}>
        {/* The groups are set apart by margins, not by characters, so that only the ten digits are selected and copied. */}
        <span className={classes.digits} role="img" aria-label={`Link code ${[...code].join(' ')}`}>
          {[code.slice(0, 3), code.slice(3, 6), code.slice(6)].map((part, index) => (
            <span key={groups[index]}>{part}</span>
          ))}
        </span>
        <CopyButton value={code} label="the link code" />
        <span role="status">
          <StatusBadge tone={tone}>{word}</StatusBadge>
        </span>
        {isRedeemable && (
          <Text span role="timer" aria-label="Time left" className={classes.timer}>
            {left}
          </Text>
        )}
      </div>
      {isRedeemable && (
        <>
          <Text size="sm" mb="xs">
            Shown only once. It is valid for ten minutes and can be redeemed once. Redeem it in the folder with <code>{keyName}.pem</code>:
          </Text>
          <CommandChoice commands={redeemCommands(code, { ...service, keyName })} label="the redeem command" />
        </>
      )}
      {now === 'redeemed' && state && (
        <>
          <Text size="sm" component="div">
            {contentWords(state)} were shared, in <Identifier value={state.connectionId ?? ''} label="the connection ID" />
          </Text>
          <NextPractice />
        </>
      )}
      {now === 'expired' && (
        <Text size="sm">Ten minutes have passed. Your back end gets 404 link_code_not_redeemable. Generate another one.</Text>
      )}
      {now === 'unusable' && <Text size="sm">Five attempts to redeem this code failed, so it is blocked. Generate another one.</Text>}
    </section>
  );
}

type LinkCodeFormProps = {
  clientId: string;
  sandbox: Sandbox;
  /** What is chosen at first. */
  choice: LinkCodeChoice;
  scopes: Service['scopes'];
  onGenerated: (generated: GeneratedLinkCode) => void;
};

/** Chooses what the next code shares and what its test user consents to. */
function LinkCodeForm({ clientId, sandbox, choice, scopes, onGenerated }: LinkCodeFormProps) {
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
