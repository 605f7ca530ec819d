import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import type { Revocation } from './revocationsQuery.ts';

const recordDeletionMutation = graphql(`
  mutation RecordDeletion($input: RecordDeletionInput!) {
    recordDeletion(input: $input) {
      id
      acknowledgedAt
      acknowledgedLate
    }
  }
`);

type RecordDeletionDialogProps = { revocation: Revocation; late: boolean; onClose: () => void };

/** Records the owner's statement that every copy is deleted, after a fresh passkey confirmation. The list is then read again. */
export function RecordDeletionDialog({ revocation, late, onClose }: RecordDeletionDialogProps) {
  const [, recordDeletion] = useMutation(recordDeletionMutation);
  const confirmed = useFreshPasskey();
  const [deleted, setDeleted] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function record() {
    setBusy(true);
    setProblem(null);
    const { error } = await confirmed(() => recordDeletion({ input: { revocationId: revocation.id } }));
    setBusy(false);
    if (error) return setProblem(error.message);
    onClose();
  }

  return (
    <Modal opened onClose={onClose} title="Record this deletion?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <Text style={{ overflowWrap: 'anywhere' }}>
          Revocation <code>{revocation.id}</code>.
        </Text>
        <Text>
          {late
            ? 'The deadline has passed, so the deletion is recorded as late. A suspension stays in place until an administrator lifts it.'
            : 'This counts as an acknowledgement and closes the revocation.'}
        </Text>
        <Checkbox
          label="Every individual copy and everything derived from it is deleted."
          checked={deleted}
          onChange={(event) => setDeleted(event.currentTarget.checked)}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={busy} disabled={!deleted} onClick={() => void record()}>
            Record deletion
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
