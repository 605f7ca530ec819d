import { Button, NativeSelect, Text } from '@mantine/core';
import { WholeNumberField } from '../../ui/forms/WholeNumberField.tsx';
import { useState } from 'react';
import { counted } from '../../ui/text/counted.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import type { PublishedStatistics } from './sandboxMutations.ts';
import type { Sandbox } from './sandboxQueries.ts';
import classes from './Sandbox.module.css';
import { useSimulator } from './useSimulator.ts';

type SandboxActsProps = { clientId: string; sandbox: Pick<Sandbox, 'orders' | 'vehicles' | 'grantableScopes'> };

/** Lets time pass in the sandbox: advances any resources, and publishes a generation of statistics. */
export function SandboxActs({ clientId, sandbox }: SandboxActsProps) {
  const { advance, publish, published, problem, busy } = useSimulator(clientId);
  const [count, setCount] = useState<number | string>(5);
  const [type, setType] = useState<'order' | 'vehicle' | ''>('');
  const both = sandbox.orders > 0 && sandbox.vehicles > 0;
  return (
    <div role="group" aria-label="Let time pass">
      {problem && <ErrorMessage message={problem} />}
      <div className={classes.acts}>
        {sandbox.orders + sandbox.vehicles > 0 && (
          <>
            <Button size="xs" variant="default" loading={busy} onClick={() => void advance({ count: Number(count), type: type || null })}>
              Advance
            </Button>
            <WholeNumberField aria-label="How many resources" size="xs" value={count} onChange={setCount} w={72} />
            {both && (
              <NativeSelect
                aria-label="Which resources"
                size="xs"
                value={type}
                onChange={({ currentTarget: { value } }) => setType(value as typeof type)}
                data={[
                  { value: '', label: 'orders and stock vehicles' },
                  { value: 'order', label: 'orders' },
                  { value: 'vehicle', label: 'stock vehicles' },
                ]}
              />
            )}
            <Text size="sm">{both ? 'by one step' : `${sandbox.orders > 0 ? 'orders' : 'stock vehicles'} by one step`}</Text>
          </>
        )}
        {sandbox.grantableScopes.includes('statistics.orders.read') && (
          <Button size="xs" variant="default" loading={busy} onClick={() => void publish()}>
            Publish statistics
          </Button>
        )}
      </div>
      {published && (
        <Text size="sm" mt="xs" role="status" style={{ overflowWrap: 'anywhere' }}>
          {publishedWords(published)}
        </Text>
      )}
    </div>
  );
}

/** What a client sees of a new generation. */
function publishedWords({ generationId, groupCount, alteredCount }: PublishedStatistics): string {
  const groups = `GET /v1/statistics/orders now returns ${generationId} with ${counted(groupCount, 'group')}.`;
  if (alteredCount === 0) {
    return `${groups} No value has changed: a value changes only once the data of at least 20 users in its group has. Advance many orders first.`;
  }
  return `${groups} ${alteredCount} ${alteredCount === 1 ? 'group has' : 'groups have'} changed.`;
}
