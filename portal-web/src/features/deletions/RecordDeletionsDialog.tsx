import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { describeError } from '../../graphql/describeError.ts';
import { counted } from '../../ui/text/counted.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import type { DeletionFilters } from './useDeletionFilters.ts';

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

type RecordDeletionsDialogProps = { slug: string; filters: DeletionFilters; onClose: () => void; onRecorded: () => void };

/** Records many deletions at once: it shows how many the page's filter finds, and takes the owner's statement about exactly those. */
export function RecordDeletionsDialog({ slug, filters: { state, environment }, onClose, onRecorded }: RecordDeletionsDialogProps) {
  const [connectionId, setConnectionId] = useState('');
  const [asked, setAsked] = useState('');
  const filter = { environment, overdue: state === 'overdue', connectionId: asked || null };
  const [{ data, error, fetching }, read] = useQuery({
    query: deletionsToRecordQuery,
    variables: { slug, filter },
    requestPolicy: 'network-only',
  });
  const [, recordDeletions] = useMutation(recordDeletionsMutation);
  const confirmed = useFreshPasskey();
  const [deleted, setDeleted] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const found = error ? undefined : data?.deletionsToRecord;
  const refusal = error && describeError(error);

  async function record() {
    if (!found) return;
    setBusy(true);
    setProblem(null);
    const input = { slug, filter, until: found.until, expectedCount: found.count, selectionDigest: found.selectionDigest };
    const { error: refused } = await confirmed(() => recordDeletions({ input }));
    setBusy(false);
    if (!refused) {
      onRecorded();
      return onClose();
    }
    setProblem(refused.message);
    setDeleted(false);
    read({ requestPolicy: 'network-only' });
  }

  return (
    <Modal opened onClose={onClose} title="Record several deletions?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <TextInput
          label="Only for this connection"
          description="Leave it empty for all connections."
          placeholder="con_…"
          value={connectionId}
          onChange={(event) => setConnectionId(event.currentTarget.value)}
          onBlur={() => setAsked(connectionId.trim())}
          onKeyDown={(event) => event.key === 'Enter' && setAsked(connectionId.trim())}
          error={refusal && (refusal.fields['filter'] ?? refusal.message)}
        />
        <Text role="status" fw={600}>
          {fetching || !found ? 'Counting…' : countWords(found, environment)}
        </Text>
        <Text>
          Each recorded deletion counts as an acknowledgement. It is marked as recorded by hand and, if its deadline has passed, as late.
          Anything that users revoke from now on is not included.
        </Text>
        <Checkbox
          label="Every individual copy of all of them, and everything derived from it, is deleted."
          checked={deleted}
          onChange={(event) => setDeleted(event.currentTarget.checked)}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Not yet
          </Button>
          <Button loading={busy} disabled={!deleted || !found || found.count === 0} onClick={() => void record()}>
            {found && found.count > 0 ? `Record ${counted(found.count, 'deletion')}` : 'Record deletions'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function countWords({ count, overdueCount }: { count: number; overdueCount: number }, environment: DeletionFilters['environment']): string {
  const where = environment === null ? 'in the sandbox and in production' : environment === 'sandbox' ? 'in the sandbox' : 'in production';
  if (count === 0) return `No deletion is outstanding ${where}.`;
  return `${counted(count, 'deletion')} ${where}${overdueCount > 0 ? `, ${overdueCount.toLocaleString('en')} overdue` : ''}.`;
}
