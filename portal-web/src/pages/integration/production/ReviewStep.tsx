import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../../graphql/describeError.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { ElapsedTime } from '../../../ui/time/ElapsedTime.tsx';
import { useReadOnly } from '../../../features/integration/ownerView.ts';
import { Checklist } from '../../../features/review/Checklist.tsx';
import { answerQuestionMutation, withdrawSubmissionMutation } from '../../../features/review/reviewMutations.ts';
import type { Submission } from '../../../features/review/reviewQueries.ts';
import { SubmissionFacts } from '../../../features/review/SubmissionFacts.tsx';
import { MessageForm, Thread } from '../../../features/review/Thread.tsx';
import type { OwnSubmission, Production } from './productionQuery.ts';
import { queueWords } from './queueWords.ts';

type ReviewStepProps = {
  submission: OwnSubmission;
  queue: Production['integration']['reviewQueue'];
  /** The integration's name. */
  name: string;
  onChanged: () => void;
};

/** The review as its owner sees it: whose turn it is, what was asked, and what was submitted. An answer gives the turn back. */
export function ReviewStep({ submission, queue, name, onChanged }: ReviewStepProps) {
  const readOnly = useReadOnly();
  const [withdrawing, setWithdrawing] = useState(false);
  const [, answerQuestion] = useMutation(answerQuestionMutation);
  const asked = submission.waitingFor === 'operator';
  return (
    <Panel
      title={asked ? 'Answer the reviewers' : `Review of submission ${submission.number}`}
      lead={
        asked ? (
          'The reviewers have a question. The review continues as soon as you answer.'
        ) : (
          <>
            {submission.taken ? 'A reviewer is working on it.' : 'It is in the review queue.'} {queueWords(queue)} It has been waiting for
            the reviewers <ElapsedTime since={submission.waitingSince} />. There is nothing for you to do; we email you when there is.
          </>
        )
      }
    >
      <Stack gap="md">
        {submission.messages.length > 0 && (
          <div>
            <Thread messages={submission.messages} reader="operator" />
            {!readOnly && (
              <MessageForm
                label="Your answer"
                description="The reviewers can read it here, and the review continues."
                button="Send answer"
                main={asked}
                send={(body) => answerQuestion({ input: { submissionId: submission.id, body } })}
                onSent={onChanged}
              />
            )}
          </div>
        )}
        <SubmissionFacts submission={submission} />
        <Fold summary="What you confirmed">
          <Checklist items={submission.checklist} />
        </Fold>
        {!readOnly && (
          <>
            <Text size="sm" c="dimmed">
              The profile is frozen until the decision. Withdrawing unfreezes it.
            </Text>
            <Button variant="default" w="fit-content" onClick={() => setWithdrawing(true)}>
              Withdraw submission
            </Button>
          </>
        )}
      </Stack>
      {withdrawing && <WithdrawDialog submission={submission} name={name} onClose={() => setWithdrawing(false)} onWithdrawn={onChanged} />}
    </Panel>
  );
}

type WithdrawDialogProps = { submission: Submission; name: string; onClose: () => void; onWithdrawn: () => void };

/** Says what withdrawing a submission means, and asks for a reason once a reviewer has taken it. */
function WithdrawDialog({ submission: { id, number, taken }, name, onClose, onWithdrawn }: WithdrawDialogProps) {
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
