import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/ErrorMessage.tsx';
import { releaseSubmissionMutation, takeSubmissionMutation } from './reviewMutations.ts';
import type { Submission } from './reviewQueries.ts';

/** Who is on it, and the way to take it, to take it over or to leave it. */
export function TakePanel({ submission, onChanged }: { submission: Submission; onChanged: () => void }) {
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
            ? 'You are on this submission.'
            : taken
              ? `${reviewer ?? 'A former reviewer'} is on this submission.`
              : 'Nobody is on this submission.'}
        </Text>
        <Button variant={taken ? 'default' : 'filled'} loading={taking.fetching || releasing.fetching} onClick={() => void change()}>
          {mine ? 'Leave it to others' : taken ? 'Take it over' : 'Take it'}
        </Button>
      </Group>
    </div>
  );
}
