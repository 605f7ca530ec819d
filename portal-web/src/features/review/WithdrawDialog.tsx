import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { withdrawSubmissionMutation } from './reviewMutations.ts';
import type { Submission } from './reviewQueries.ts';

type WithdrawDialogProps = { submission: Submission; name: string; onClose: () => void; onWithdrawn: () => void };

/** Says what withdrawing a submission means, and asks for a reason once a reviewer has taken it. */
export function WithdrawDialog({ submission: { id, number, taken }, name, onClose, onWithdrawn }: WithdrawDialogProps) {
  const [, withdrawSubmission] = useMutation(withdrawSubmissionMutation);
  // A reviewer may have taken the submission since the page was read. The service then refuses an empty reason at the field.
  const [asked, setAsked] = useState(taken);

  async function withdraw(reason: string) {
    const { error } = await withdrawSubmission({ input: { submissionId: id, reason: reason || null } });
    if (error) {
      const { message, fields } = describeError(error);
      if (fields['reason'] === undefined) return message;
      setAsked(true);
      return { reason: fields['reason'] };
    }
    onWithdrawn();
    return null;
  }

  return (
    <ConsequenceDialog
      title={`Withdraw ${name} from review?`}
      object={`Submission ${number} of ${name}`}
      changes={['It ends without a decision, at once.', 'If you submit again, it goes to the end of the queue.']}
      unchanged={['The sandbox keeps working.', 'You can edit the profile and submit it again at any time.']}
      {...(asked && {
        reason: {
          label: 'Reason',
          description: 'A reviewer has already started on this submission and will read your reason.',
          longest: 500,
          required: true,
        },
      })}
      verb="Withdraw submission"
      onConfirm={withdraw}
      onClose={onClose}
    />
  );
}
