import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { releaseSubmissionMutation, takeSubmissionMutation } from './reviewMutations.ts';
import type { SubmissionInReview } from './reviewQueries.ts';

/** Shows who reviews the submission, and lets the reader take it, take it over or leave it. */
export function TakePanel({ submission, onChanged }: { submission: SubmissionInReview; onChanged: () => void }) {
  const [taking, take] = useMutation(takeSubmissionMutation);
  const [releasing, release] = useMutation(releaseSubmissionMutation);
  const [problem, setProblem] = useState<string | null>(null);
  const { id: submissionId, taken, mine, reviewer } = submission;

  async function change() {
    setProblem(null);
    const { error } = mine ? await release({ input: { submissionId } }) : await take({ input: { submissionId, takeOver: taken } });
    if (error) setProblem(describeError(error).message);
    onChanged();
  }

  return (
    <div>
      {problem && <ErrorMessage message={problem} />}
      <Group gap="sm" mt={problem ? 'sm' : 0}>
        <Text role="status">
          {mine
            ? 'This submission is assigned to you.'
            : taken
              ? `This submission is assigned to ${reviewer ?? 'a former reviewer'}.`
              : 'This submission is unassigned.'}
        </Text>
        <Button variant={taken ? 'default' : 'filled'} loading={taking.fetching || releasing.fetching} onClick={() => void change()}>
          {mine ? 'Unassign' : taken ? 'Reassign to me' : 'Assign to me'}
        </Button>
      </Group>
    </div>
  );
}
