import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ElapsedTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { Checklist, Words } from './Checklist.tsx';
import { answerQuestionMutation } from './reviewMutations.ts';
import type { Round } from './reviewQueries.ts';
import { ReviewTimes } from './ReviewTimes.tsx';
import { notesLabel, submissionStatusWords } from './reviewWords.ts';
import { RoundFacts } from './RoundFacts.tsx';
import { MessageForm, Thread } from './Thread.tsx';
import { WithdrawDialog } from './WithdrawDialog.tsx';

/** The latest round as its owner sees it: whose turn it is, what was asked, and what was decided. */
export function OwnRoundPanel({ round, name, onChanged }: { round: Round; name: string; onChanged: () => void }) {
  const [withdrawing, setWithdrawing] = useState(false);
  const [, answerQuestion] = useMutation(answerQuestionMutation);
  const badge = submissionStatusWords[round.status];
  const open = round.status === 'submitted';
  return (
    <Panel
      title={`Review, round ${round.round}`}
      marks={<StatusBadge tone={badge.tone}>{badge.word}</StatusBadge>}
      lead={<TurnWords round={round} />}
    >
      <Stack gap="lg">
        {round.decisionNotes && <Words label={notesLabel(round)} text={round.decisionNotes} />}
        {round.messages.length > 0 && (
          <div>
            <Title order={3} mb="sm">
              Questions and answers
            </Title>
            <Thread messages={round.messages} reader="operator" />
            {open && (
              <MessageForm
                label="Your answer"
                description="The reviewers can read it here, and the review continues."
                button="Send answer"
                main={round.waitingFor === 'operator'}
                send={(body) => answerQuestion({ input: { submissionId: round.id, body } })}
                onSent={onChanged}
              />
            )}
          </div>
        )}
        <RoundFacts round={round} />
        <Checklist items={round.checklist} />
        {open && (
          <Button variant="default" w="fit-content" onClick={() => setWithdrawing(true)}>
            Withdraw submission
          </Button>
        )}
      </Stack>
      {withdrawing && <WithdrawDialog round={round} name={name} onClose={() => setWithdrawing(false)} onWithdrawn={onChanged} />}
    </Panel>
  );
}

function TurnWords({ round: { status, waitingFor, waitingSince, taken, withdrawnByOwner } }: { round: Round }) {
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
