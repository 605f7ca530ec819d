import { Stack, Title } from '@mantine/core';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Checklist, Words } from './Checklist.tsx';
import classes from './review.module.css';
import type { Submission } from './reviewQueries.ts';
import { notesLabel, submissionStatusWords } from './reviewWords.ts';
import { SubmissionFacts } from './SubmissionFacts.tsx';
import { Thread } from './Thread.tsx';

/** Earlier submissions; each can be opened. */
export function EarlierSubmissions({ submissions, reader }: { submissions: readonly Submission[]; reader: 'operator' | 'reviewer' }) {
  if (submissions.length === 0) return null;
  return (
    <Panel title="Earlier submissions">
      {submissions.map((submission) => (
        <details key={submission.id} className={classes.submission}>
          <summary>
            Submission {submission.number}: {submissionStatusWords[submission.status].word.toLowerCase()}
          </summary>
          <Stack gap="md">
            {submission.decisionNotes && <Words label={notesLabel(submission)} text={submission.decisionNotes} />}
            <SubmissionFacts submission={submission} />
            <Checklist items={submission.checklist} />
            {submission.messages.length > 0 && (
              <>
                <Title order={3}>Questions and answers</Title>
                <Thread messages={submission.messages} reader={reader} />
              </>
            )}
          </Stack>
        </details>
      ))}
    </Panel>
  );
}
