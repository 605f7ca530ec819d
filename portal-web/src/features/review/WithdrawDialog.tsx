import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useMutation } from 'urql';
import { describeError, type DescribedError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { withdrawSubmissionMutation } from './reviewMutations.ts';
import type { Submission } from './reviewQueries.ts';

type WithdrawDialogProps = { submission: Submission; name: string; onClose: () => void; onWithdrawn: () => void };

/** Says what withdrawing a submission means, and asks for a reason once a reviewer has taken it. */
export function WithdrawDialog({ submission, name, onClose, onWithdrawn }: WithdrawDialogProps) {
  const [{ fetching }, withdrawSubmission] = useMutation(withdrawSubmissionMutation);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<DescribedError | null>(null);
  // A reviewer may have taken the submission since the page was read. The service then refuses an empty reason at the field.
  const reasonNeeded = submission.taken || problem?.fields['reason'] !== undefined;

  async function withdraw(event: SubmitEvent) {
    event.preventDefault();
    const { error } = await withdrawSubmission({ input: { submissionId: submission.id, reason: reason.trim() || null } });
    if (error) return setProblem(describeError(error));
    onClose();
    onWithdrawn();
  }

  return (
    <Modal opened onClose={onClose} title={`Withdraw ${name} from review?`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={(event) => void withdraw(event)} noValidate>
        <Stack gap="md">
          {problem && !problem.fields['reason'] && <ErrorMessage message={problem.message} />}
          <Text>
            Submission {submission.number} ends without a decision. You can edit the profile and submit it again at any time; it then goes
            to the end of the queue.
          </Text>
          {reasonNeeded && (
            <Textarea
              label="Reason"
              description="A reviewer has already started on this submission and will read your reason."
              required
              autosize
              minRows={2}
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              error={problem?.fields['reason']}
            />
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Keep in review
            </Button>
            <Button type="submit" loading={fetching}>
              Withdraw submission
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
