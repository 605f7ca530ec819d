import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ElapsedTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { Checklist, Words } from './Checklist.tsx';
import { answerQuestionMutation } from './reviewMutations.ts';
import type { Submission } from './reviewQueries.ts';
import { ReviewTimes } from './ReviewTimes.tsx';
import { notesLabel, submissionStatusWords } from './reviewWords.ts';
import { SubmissionFacts } from './SubmissionFacts.tsx';
import { MessageForm, Thread } from './Thread.tsx';
import { WithdrawDialog } from './WithdrawDialog.tsx';

/** The latest submission as its owner sees it: whose turn it is, what was asked, and what was decided. */
export function OwnSubmissionPanel({ submission, name, onChanged }: { submission: Submission; name: string; onChanged: () => void }) {
  const [withdrawing, setWithdrawing] = useState(false);
  const [, answerQuestion] = useMutation(answerQuestionMutation);
  const badge = submissionStatusWords[submission.status];
  const open = submission.status === 'submitted';
  return (
    <Panel
      title={`Review of submission ${submission.number}`}
      marks={<StatusBadge tone={badge.tone}>{badge.word}</StatusBadge>}
      lead={<TurnWords submission={submission} />}
    >
      <Stack gap="lg">
        {submission.decisionNotes && <Words label={notesLabel(submission)} text={submission.decisionNotes} />}
        {submission.messages.length > 0 && (
          <div>
            <Title order={3} mb="sm">
              Questions and answers
            </Title>
            <Thread messages={submission.messages} reader="operator" />
            {open && (
              <MessageForm
                label="Your answer"
                description="The reviewers can read it here, and the review continues."
                button="Send answer"
                main={submission.waitingFor === 'operator'}
                send={(body) => answerQuestion({ input: { submissionId: submission.id, body } })}
                onSent={onChanged}
              />
            )}
          </div>
        )}
        <SubmissionFacts submission={submission} />
        <Checklist items={submission.checklist} />
        {open && (
          <Button variant="default" w="fit-content" onClick={() => setWithdrawing(true)}>
            Withdraw submission
          </Button>
        )}
      </Stack>
      {withdrawing && <WithdrawDialog submission={submission} name={name} onClose={() => setWithdrawing(false)} onWithdrawn={onChanged} />}
    </Panel>
  );
}

function TurnWords({ submission: { status, waitingFor, waitingSince, taken, withdrawnByOwner } }: { submission: Submission }) {
  if (status === 'rejected') return 'Changes are needed. Make them, then submit again below.';
  if (status === 'approved') return 'This profile version is approved with these scopes.';
  if (status === 'withdrawn') {
    return withdrawnByOwner
      ? 'You withdrew this submission before it was decided. You can submit again.'
      : 'The integration was retired before this submission was decided.';
  }
  if (waitingFor === 'operator') return 'The reviewers have a question. The review continues once you answer.';
  return (
    <>
      <Text inherit>
        {taken ? 'A reviewer is working on it.' : 'It is in the review queue.'} It has been waiting for the reviewers{' '}
        <ElapsedTime since={waitingSince} />. There is nothing for you to do; we email you when there is.
      </Text>
      <ReviewTimes />
    </>
  );
}
