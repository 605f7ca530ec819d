import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../../graphql/describeError.ts';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { releaseSubmissionMutation, takeSubmissionMutation } from '../../../features/review/reviewMutations.ts';
import type { SubmissionInReview } from '../../../features/review/reviewQueries.ts';
import type { Sitting } from './useSitting.ts';
import classes from './sitting.module.css';

type AssignmentProps = { submission: SubmissionInReview; sitting: Sitting; onChanged: () => void };

/** Who has the submission and who else looks at it, and lets the reader take it, take it over or leave it. */
export function Assignment({ submission, sitting, onChanged }: AssignmentProps) {
  const [taking, take] = useMutation(takeSubmissionMutation);
  const [releasing, release] = useMutation(releaseSubmissionMutation);
  const [problem, setProblem] = useState<string | null>(null);
  const { id: submissionId, taken, mine, reviewer, presence } = submission;

  async function change() {
    setProblem(null);
    if (mine && !(await sitting.flush())) return;
    const { error } = mine ? await release({ input: { submissionId } }) : await take({ input: { submissionId, takeOver: taken } });
    if (error) setProblem(describeError(error).message);
    onChanged();
  }

  return (
    <div className={classes.assignment}>
      <Text size="sm" role="status">
        {mine ? 'Assigned to you.' : taken ? `Assigned to ${reviewer ?? 'a former reviewer'}.` : 'Unassigned.'}
        {presence.map(({ reviewer: colleague, openedAt }) => (
          <span key={`${colleague} ${openedAt}`}>
            {' '}
            {colleague ?? 'A former reviewer'} opened this <Time value={openedAt} />.
          </span>
        ))}
      </Text>
      <Button
        size="xs"
        variant={taken ? 'default' : 'filled'}
        loading={taking.fetching || releasing.fetching}
        onClick={() => void change()}
      >
        {mine ? 'Unassign' : taken ? 'Reassign to me' : 'Assign to me'}
      </Button>
      {problem && <ErrorMessage message={problem} />}
    </div>
  );
}
