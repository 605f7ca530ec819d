import { Stack, Title } from '@mantine/core';
import { Panel } from '../../ui/layout/Panel.tsx';
import { VerdictBadge, Words } from './Checklist.tsx';
import classes from './review.module.css';
import type { EarlierSubmission } from './reviewQueries.ts';
import { notesLabel, submissionStatusWords } from './reviewWords.ts';
import { SubmissionFacts } from './SubmissionFacts.tsx';
import { Thread } from './Thread.tsx';

/** Earlier submissions; each can be opened. */
export function EarlierSubmissions({
  submissions,
  reader,
}: {
  submissions: readonly EarlierSubmission[];
  reader: 'operator' | 'reviewer';
}) {
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
            <Findings items={submission.checklist} />
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

/** What was found about each item. */
function Findings({ items }: { items: EarlierSubmission['checklist'] }) {
  return (
    <ul className={classes.items}>
      {items.map(({ item, title, word, verdict }) => (
        <li key={item} className={classes.item} data-met={verdict?.met} aria-label={title}>
          <div className={classes.head}>
            <Title order={3}>{title}</Title>
            <VerdictBadge verdict={verdict} />
          </div>
          {word && <Words label="Note from the owner" text={word} />}
          {verdict?.note && <Words label="Reviewer’s note" text={verdict.note} />}
        </li>
      ))}
    </ul>
  );
}
