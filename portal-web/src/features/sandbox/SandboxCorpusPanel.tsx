import { Button, Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '../../ui/text/counted.ts';
import { Facts } from '../../ui/values/Facts.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import stepClasses from '../integration/CorpusPanel.module.css';
import { corpusStateWords } from '../integration/statusWords.ts';
import { RegenerateDialog } from './RegenerateDialog.tsx';
import type { Sandbox } from './sandboxQueries.ts';

type SandboxCorpusPanelProps = { sandbox: Sandbox; clientId: string; name: string };

const steps = ['queued', 'building', 'ready'] as const;

/** What the sandbox contains, how far its test data is built, and a way to regenerate it. */
export function SandboxCorpusPanel({ sandbox, clientId, name }: SandboxCorpusPanelProps) {
  const [asking, setAsking] = useState(false);
  const { corpus } = sandbox;
  const state = corpus?.state ?? 'queued';
  const busy = state === 'queued' || state === 'building';
  return (
    <Panel
      title="Test data"
      lead="Generated for this integration alone and limited to its scopes. It contains no real users, orders or vehicles. Regenerating it changes all identifiers, so do not hard-code them."
      marks={
        <>
          <EnvironmentTag environment="sandbox" />
          <span role="status">
            <StatusBadge tone={corpusStateWords[state].tone}>{corpusStateWords[state].word}</StatusBadge>
          </span>
        </>
      }
    >
      {busy && <Steps state={state} />}
      {state === 'failed' && (
        <Text mb="sm">Generating the test data failed. Your previous data is unchanged. Regenerate it to try again.</Text>
      )}
      {sandbox.connections > 0 || !busy ? (
        <Facts
          facts={[
            ['Shared now', sharedWords(sandbox)],
            ...(sandbox.connections > 0 ? [['Outstanding deletions', String(sandbox.outstandingRevocations)] as const] : []),
            ['Statistics', statisticsWords(sandbox)],
            ['Version', <Version key="version" corpus={corpus} />],
          ]}
        />
      ) : (
        <Text>Your first test data is being generated. It will appear all at once.</Text>
      )}
      <Button variant="default" mt="md" disabled={busy} onClick={() => setAsking(true)}>
        Regenerate test data
      </Button>
      <RegenerateDialog {...{ clientId, name, sandbox }} opened={asking} onClose={() => setAsking(false)} />
    </Panel>
  );
}

function Steps({ state }: { state: 'queued' | 'building' }) {
  const at = steps.indexOf(state);
  return (
    <>
      <Progress value={at === 0 ? 15 : 60} animated aria-label="Progress of the test data" mb="sm" />
      <ol className={stepClasses.steps}>
        {steps.map((step, index) => (
          <li key={step} aria-current={index === at ? 'step' : undefined}>
            {corpusStateWords[step].word}
          </li>
        ))}
      </ol>
    </>
  );
}

function Version({ corpus }: Pick<Sandbox, 'corpus'>) {
  if (!corpus) return 'None yet';
  return (
    <>
      {corpus.generation}
      {corpus.readyAt && (
        <>
          , ready <RelativeTime value={corpus.readyAt} />
        </>
      )}
    </>
  );
}

function statisticsWords({ statistics }: Sandbox): string {
  if (!statistics) return 'None: the scope statistics.orders.read is missing';
  return `${counted(statistics.groupCount, 'group')} of at least 20 users`;
}

/** How much there is of each type that the scopes cover. */
function sharedWords({ orders, vehicles, connections, grantableScopes }: Sandbox): string {
  const types = [
    ...(grantableScopes.includes('orders.read') || orders > 0 ? [counted(orders, 'order')] : []),
    ...(grantableScopes.includes('vehicles.read') || vehicles > 0 ? [counted(vehicles, 'stock vehicle')] : []),
  ];
  return types.length === 0
    ? 'No individual data: the scopes cover neither orders nor stock vehicles'
    : `${types.join(' and ')} in ${counted(connections, 'connection')}`;
}
