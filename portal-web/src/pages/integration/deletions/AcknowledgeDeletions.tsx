import { Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import type { CallFacts } from '../../../features/integration/firstCallCommands.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { describeError } from '../../../graphql/describeError.ts';
import { graphql, type VariablesOf } from '../../../graphql/graphql.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { counted } from '../../../ui/text/counted.ts';
import { CommandChoice } from '../../../features/integration/CommandChoice.tsx';
import { acknowledgementCommands } from '../../../features/integration/machineCommands.ts';

const deletionsToRecordQuery = graphql(`
  query DeletionsToRecord($slug: String!, $filter: DeletionFilterInput!) {
    deletionsToRecord(slug: $slug, filter: $filter) {
      count
      overdueCount
      selectionDigest
      until
    }
  }
`);

const recordDeletionsMutation = graphql(`
  mutation RecordDeletions($input: RecordDeletionsInput!) {
    recordDeletions(input: $input) {
      recorded
      late
    }
  }
`);

/** Which deletions are to be recorded: those that were chosen, all that are due, or all of one connection. */
export type DeletionsToRecord = VariablesOf<typeof deletionsToRecordQuery>['filter'];

type RecordDeletionsDialogProps = {
  slug: string;
  /** Where they are, as in "Nordlys Tracker, production". */
  where: string;
  filter: DeletionsToRecord;
  onClose: () => void;
  onRecorded: () => void;
};

/** Counts the deletions, and records the owner’s statement that every copy of exactly those is deleted. */
export function RecordDeletionsDialog({ slug, where, filter, onClose, onRecorded }: RecordDeletionsDialogProps) {
  // The filter that the dialog opened with: the page behind it goes on reading, and may make another object of it.
  const [asked] = useState(filter);
  const [{ data, error, fetching }, read] = useQuery({
    query: deletionsToRecordQuery,
    variables: { slug, filter: asked },
    requestPolicy: 'network-only',
  });
  const [, recordDeletions] = useMutation(recordDeletionsMutation);
  const confirmed = useFreshPasskey();
  const found = error || fetching ? undefined : data?.deletionsToRecord;

  async function record() {
    if (!found) return null;
    const { until, count, selectionDigest } = found;
    const input = { slug, filter: asked, until, expectedCount: count, selectionDigest };
    const { error: refused } = await confirmed(() => recordDeletions({ input }));
    if (!refused) {
      onRecorded();
      return null;
    }
    read({ requestPolicy: 'network-only' });
    return refused.message;
  }

  const several = found?.count !== 1;
  return (
    <ConsequenceDialog
      title={several ? 'Record these deletions?' : 'Record this deletion?'}
      object={where}
      count={found ? countWords(found) : error ? describeError(error).message : 'Counting…'}
      changes={[
        `By recording ${several ? 'them' : 'it'} you state that every individual copy, and everything derived from it, is deleted.`,
        `${several ? 'Each counts' : 'It counts'} as an acknowledgement, marked as recorded by hand.`,
        ...(found && found.overdueCount > 0 ? ['What is overdue is recorded as late.'] : []),
      ]}
      unchanged={['What users revoke from now on stays due.', 'A suspension stays until an administrator lifts it.']}
      verb={found && found.count > 0 ? `Record ${counted(found.count, 'deletion')}` : 'Record deletions'}
      waiting={!found || found.count === 0}
      onConfirm={record}
      onClose={onClose}
    />
  );
}

function countWords({ count, overdueCount }: { count: number; overdueCount: number }): string {
  if (count === 0) return 'None of them is due any more.';
  const late = overdueCount === 0 ? '' : overdueCount === count ? ', overdue' : `, ${overdueCount.toLocaleString('en')} of them overdue`;
  return `${counted(count, 'deletion')}${late}`;
}

type AcknowledgeByCommandProps = {
  /** The revocations that the API lets the back end acknowledge, those that were chosen if any were. */
  revocationIds: readonly string[];
  chosen: boolean;
  facts: CallFacts;
};

/** The command that acknowledges one deletion, or all of several one after the other. */
export function AcknowledgeByCommand({ revocationIds, chosen, facts }: AcknowledgeByCommandProps) {
  if (revocationIds.length === 0) return null;
  const which = revocationIds.length === 1 ? 'it' : `${chosen ? 'the chosen' : 'all'} ${revocationIds.length}`;
  return (
    <Fold summary={`Acknowledge ${which} from your back end`}>
      <Text size="sm" mb="xs" maw={640}>
        Run this once every copy is deleted. The <code>Idempotency-Key</code> stays the same for each, so you can repeat it safely.
      </Text>
      <CommandChoice commands={acknowledgementCommands(revocationIds, facts)} label="the acknowledgement command" />
    </Fold>
  );
}
