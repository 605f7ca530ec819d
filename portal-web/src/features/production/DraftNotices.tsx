import { counted } from '../../ui/text/counted.ts';
import { Notice } from '../../ui/states/Notice.tsx';
import { NotSaved } from '../drafts/NotSaved.tsx';
import { Words } from '../review/Checklist.tsx';
import type { ChecklistItem } from './productionQuery.ts';
import { beginning, type FormValues } from './submissionForm.ts';
import type { Known, SubmissionDraft } from './useSubmissionDraft.ts';

type DraftNoticesProps = { draft: SubmissionDraft; known: Known; checklist: readonly ChecklistItem[]; mayWrite: boolean };

/** What has happened while the owner was writing a submission: nothing that they wrote disappears from the page. */
export function DraftNotices({ draft, known, checklist, mayWrite }: DraftNoticesProps) {
  const { refusal, unsaved } = draft;
  if (!unsaved) return null;
  if (!mayWrite) {
    return (
      <Notice
        title="There is nothing to submit at the moment"
        words="The integration has changed in the meantime, so what you wrote is not saved. Copy what you still need."
      >
        {textsOf(unsaved, checklist).map(({ title, text }) => (
          <Words key={title} label={title} text={text} />
        ))}
      </Notice>
    );
  }
  if (refusal === null) return null;
  const stored = beginning(known);
  const mine = textsOf(unsaved, checklist);
  const different = textsOf(stored, checklist).filter(({ title, text }) => mine.find((each) => each.title === title)?.text !== text);
  return (
    <NotSaved
      refusal={refusal}
      theirs={[...different, { title: 'Confirmations', text: counted(stored.ticked.size, 'point') }]}
      onKeepMine={() => draft.keepMine(known)}
      onTakeTheirs={draft.takeTheirs}
      onRetry={draft.retry}
    />
  );
}

/** What is written, each text with its name. */
function textsOf({ reviewUrl, words }: FormValues, checklist: readonly ChecklistItem[]): { title: string; text: string }[] {
  const notes = checklist.map(({ item, title }) => ({ title, text: words[item]?.trim() ?? '' }));
  return [{ title: 'Review address', text: reviewUrl.trim() }, ...notes].filter(({ text }) => text !== '');
}
