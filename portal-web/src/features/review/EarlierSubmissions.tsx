import { Stack, Title } from '@mantine/core';
import { submissionFacts } from '../../../../server/domain/review/submissionFacts.ts';
import { Fold } from '../../ui/layout/Fold.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Timeline } from '../../ui/time/Timeline.tsx';
import { VerdictBadge, Words } from './Checklist.tsx';
import classes from './review.module.css';
import type { EarlierSubmission } from './reviewQueries.ts';
import { notesLabel } from './reviewWords.ts';
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
      <Timeline
        label="Earlier submissions"
        entries={submissions.map((submission) => ({
          key: submission.id,
          tone: submissionFacts[submission.status].tone,
          what: `Submission ${submission.number}: ${submissionFacts[submission.status].word.toLowerCase()}`,
          at: submission.decidedAt,
          more: <EndedSubmission {...{ submission, reader }} />,
        }))}
      />
    </Panel>
  );
}

/** What ended it, and folded what was found and said. */
function EndedSubmission({ submission, reader }: { submission: EarlierSubmission; reader: 'operator' | 'reviewer' }) {
  return (
    <Stack gap="xs">
      {submission.decisionNotes && <Words label={notesLabel(submission)} text={submission.decisionNotes} />}
      <Fold summary={`What was found in submission ${submission.number}`}>
        <Stack gap="md">
          <SubmissionFacts submission={submission} />
          <Findings items={submission.checklist} />
          {submission.messages.length > 0 && (
            <>
              <Title order={3}>Questions and answers</Title>
              <Thread messages={submission.messages} reader={reader} />
            </>
          )}
        </Stack>
      </Fold>
    </Stack>
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
