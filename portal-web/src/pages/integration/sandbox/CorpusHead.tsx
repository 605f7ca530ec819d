import { Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { corpusFacts } from '../../../../../server/domain/sandbox/corpusFacts.ts';
import { describeError } from '../../../graphql/describeError.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { Notice } from '../../../ui/states/Notice.tsx';
import { ProgressSteps } from '../../../ui/states/ProgressSteps.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { useReadOnly } from '../../../features/integration/ownerView.ts';
import { contentsWords, corpusSteps, plannedWords } from './sandboxWords.ts';
import classes from './Sandbox.module.css';
import { regenerateSandboxCorpusMutation } from './sandboxMutations.ts';
import type { Sandbox } from './sandboxQueries.ts';

type CorpusHeadProps = {
  sandbox: Sandbox;
  clientId: string;
  name: string;
  /** What the test data that is being generated will contain. */
  planned: { readonly orders: number; readonly vehicles: number } | null;
};

/** What the sandbox contains, how far its test data is built, why it could not be, and a way to regenerate it. */
export function CorpusHead({ sandbox, clientId, name, planned }: CorpusHeadProps) {
  const [asking, setAsking] = useState(false);
  const readOnly = useReadOnly();
  const { corpus } = sandbox;
  const state = corpus?.state ?? 'queued';
  const { tone, word, isUnderWay: busy, isReady } = corpusFacts[state];
  return (
    <section aria-label="Test data">
      <div className={classes.head}>
        <div role="status" className={classes.answer}>
          <Title order={2}>{sandbox.connections === 0 && busy ? 'Your first test data is being generated' : contentsWords(sandbox)}</Title>
          {!isReady && <StatusBadge tone={tone}>{word}</StatusBadge>}
        </div>
        {!readOnly && (
          <Button size="xs" variant="default" disabled={busy} onClick={() => setAsking(true)}>
            Regenerate test data
          </Button>
        )}
      </div>
      {busy && (
        <div className={classes.below}>
          <ProgressSteps steps={corpusSteps(state, plannedWords(planned))} />
        </div>
      )}
      {!isReady && !busy && (
        <div className={classes.below}>
          <Notice
            title="The test data could not be generated"
            words="We tried several times and could not store it; nothing of it was kept, and your previous data is unchanged. The cause is on our side, not in your profile. Try again; if it fails again, contact us."
            actions={
              !readOnly && (
                <Button size="xs" variant="default" onClick={() => setAsking(true)}>
                  Try again
                </Button>
              )
            }
          />
        </div>
      )}
      {asking && <RegenerateDialog {...{ clientId, name, sandbox }} onClose={() => setAsking(false)} />}
    </section>
  );
}

/** Where the test data comes from, and which version it is. */
export function AboutCorpus({ sandbox: { corpus, statistics } }: Pick<CorpusHeadProps, 'sandbox'>) {
  return (
    <Text size="sm" c="dimmed" component="div">
      Generated for this integration alone, without real users. Identifiers change when you regenerate the data.{' '}
      {statistics && `Statistics: ${statistics.groupCount} groups. `}
      {corpus?.readyAt && (
        <>
          Version {corpus.generation}, ready <Time value={corpus.readyAt} />.
        </>
      )}
    </Text>
  );
}

type RegenerateDialogProps = { clientId: string; name: string; sandbox: Sandbox; onClose: () => void };

/** Says what regenerating the test data discards, and regenerates it. */
function RegenerateDialog({ clientId, name, sandbox, onClose }: RegenerateDialogProps) {
  const [, regenerate] = useMutation(regenerateSandboxCorpusMutation);

  async function confirm() {
    const { data, error } = await regenerate({ input: { clientId } });
    return error || !data ? describeError(error).message : null;
  }

  return (
    <ConsequenceDialog
      title={`Regenerate the test data of ${name}?`}
      object="The sandbox"
      changes={[
        `All connections (${sandbox.connections}), orders (${sandbox.orders}) and stock vehicles (${sandbox.vehicles}) disappear, with every link code and identifier: a request for anything you have stored gets 404, never 410.`,
        'Tombstones and outstanding deletions disappear too: acknowledging an old revocation gets 404.',
        <>
          Stored cursors are refused with <code>invalid_cursor</code>. A recovery sync brings the new data; your back end deletes whatever
          it does not bring.
        </>,
      ]}
      unchanged={['Certificates, scopes and quotas stay.']}
      takesEffect="The current data stays until the new data is ready. You can do this 6 times an hour."
      verb="Regenerate"
      tone="danger"
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
