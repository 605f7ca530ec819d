import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { submissionFacts } from '../../../../server/domain/review/submissionFacts.ts';
import { describeError } from '../../graphql/describeError.ts';
import { checkSubmittedPagesMutation } from '../review/reviewMutations.ts';
import type { SubmissionInReview } from '../review/reviewQueries.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { CheckList } from './CheckList.tsx';
import classes from './sitting.module.css';

/** Everything that the service has found out by itself about a submission, and a button to look again. */
export function ChecksPanel({
  submission: { id: submissionId, status, checks },
  onChecked,
}: {
  submission: SubmissionInReview;
  onChecked: () => void;
}) {
  const [{ fetching }, check] = useMutation(checkSubmittedPagesMutation);
  const [problem, setProblem] = useState<string | null>(null);
  if (checks.length === 0) return null;
  const { isOpen } = submissionFacts[status];
  const failed = checks.filter(({ outcome }) => outcome === 'failed').length;
  const passed = checks.filter(({ outcome }) => outcome === 'passed').length;

  async function checkAgain() {
    const { error } = await check({ input: { submissionId } });
    setProblem(error ? describeError(error).message : null);
    onChecked();
  }

  return (
    <Panel title="Checked by the service" lead={isOpen ? undefined : 'As of the decision.'}>
      {problem && <ErrorMessage message={problem} />}
      <div className={classes.assignment}>
        <Text size="sm" role="status">
          {passed} of {checks.length} passed{failed > 0 && `, ${failed} failed`}.
        </Text>
        {isOpen && (
          <Button
            variant="default"
            size="xs"
            loading={fetching || checks.some(({ checking }) => checking)}
            onClick={() => void checkAgain()}
          >
            Check again
          </Button>
        )}
      </div>
      <CheckList checks={checks} label="Checks by the service" />
    </Panel>
  );
}
