import { submissionFacts } from '../../../../server/domain/review/submissionFacts.ts';
import { Notice } from '../../ui/states/Notice.tsx';
import { NotSaved } from '../drafts/NotSaved.tsx';
import { Words } from '../review/Checklist.tsx';
import type { SubmissionInReview } from '../review/reviewQueries.ts';
import type { Sitting } from './useSitting.ts';

/** What has happened while the reviewer was writing: nothing they wrote disappears from the page. */
export function SittingNotices({ submission, sitting }: { submission: SubmissionInReview; sitting: Sitting }) {
  const notes = sitting.notes();
  const { status, mine, taken, reviewer } = submission;
  const { isOpen, word } = submissionFacts[status];
  if (isOpen && (mine || !taken)) {
    if (sitting.refusal === null) return null;
    return (
      <NotSaved
        refusal={sitting.refusal}
        theirs={sitting.theirs()}
        onKeepMine={() => void sitting.keepMine()}
        onTakeTheirs={() => void sitting.takeTheirs()}
        onRetry={() => void sitting.retry()}
      />
    );
  }
  if (notes.length === 0) return null;
  return (
    <Notice
      title={isOpen ? `${reviewer ?? 'A colleague'} has taken this over` : `${word} in the meantime`}
      words={
        isOpen
          ? 'Your verdicts are kept. These notes are yours alone, and stay here while the submission is open.'
          : 'Nothing more can be recorded. Copy what you still need from your notes.'
      }
    >
      {notes.map(({ part, title, note }) => (
        <Words key={part} label={title} text={note} />
      ))}
    </Notice>
  );
}
