import { Button, NativeSelect, NumberInput, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { counted } from '../../ui/text/counted.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { PublishedStatistics } from './sandboxMutations.ts';
import type { Sandbox } from './sandboxQueries.ts';
import classes from './Simulator.module.css';
import { useSimulator } from './useSimulator.ts';

type SimulatorPanelProps = { clientId: string; sandbox: Sandbox };

/** Lets time pass in the sandbox: advances any resources, and publishes a generation of statistics. */
export function SimulatorPanel({ clientId, sandbox }: SimulatorPanelProps) {
  const { advance, publish, published, problem, busy } = useSimulator(clientId);
  const [count, setCount] = useState<number | string>(5);
  const [type, setType] = useState<'order' | 'vehicle' | ''>('');
  const both = sandbox.orders > 0 && sandbox.vehicles > 0;
  return (
    <Panel
      title="Simulator"
      lead="Nothing changes in a sandbox until you make it happen. Changes made here behave like real ones, so you can test your back end against each of them."
      marks={<EnvironmentTag environment="sandbox" />}
    >
      <Stack gap="lg">
        {problem && <ErrorMessage message={problem} />}
        {sandbox.orders + sandbox.vehicles > 0 && (
          <div>
            <Title order={3} mb="xs">
              Advance resources
            </Title>
            <div className={classes.controls}>
              <NumberInput label="How many" min={1} max={50} value={count} onChange={setCount} w={112} />
              {both && (
                <NativeSelect
                  label="Type"
                  value={type}
                  onChange={({ currentTarget: { value } }) => setType(value as typeof type)}
                  data={[
                    { value: '', label: 'Both' },
                    { value: 'order', label: 'Orders' },
                    { value: 'vehicle', label: 'Stock vehicles' },
                  ]}
                />
              )}
              <Button variant="default" loading={busy} onClick={() => void advance({ count: Number(count), type: type || null })}>
                Advance
              </Button>
            </div>
            <Text size="sm" c="dimmed" mt="xs">
              Each moves to its next status, with production dates, a new delivery estimate or a ship as appropriate. To advance a
              particular resource, use the list below.
            </Text>
          </div>
        )}
        {sandbox.grantableScopes.includes('statistics.orders.read') && (
          <div>
            <Title order={3} mb="xs">
              Publish statistics
            </Title>
            <Text size="sm" mb="xs" maw={640}>
              A value changes only once the data of at least 20 users in its group has changed. Advance many orders to see a change.
            </Text>
            <Button variant="default" loading={busy} onClick={() => void publish()}>
              Publish a generation
            </Button>
            {published && (
              <Text size="sm" mt="xs" role="status" style={{ overflowWrap: 'anywhere' }}>
                {publishedWords(published)}
              </Text>
            )}
          </div>
        )}
      </Stack>
    </Panel>
  );
}

/** What a client sees of a new generation. */
function publishedWords({ generationId, groupCount, alteredCount }: PublishedStatistics): string {
  const groups = `GET /v1/statistics/orders now returns ${generationId} with ${counted(groupCount, 'group')}.`;
  if (alteredCount === 0) return `${groups} No value has changed: in every group, the data of fewer than 20 users has changed.`;
  return `${groups} ${alteredCount} ${alteredCount === 1 ? 'group has' : 'groups have'} changed.`;
}
