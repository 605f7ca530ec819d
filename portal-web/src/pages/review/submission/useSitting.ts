import { useEffect, useReducer, useState } from 'react';
import { useMutation } from 'urql';
import { useLeaveWarning } from '../../../ui/states/useLeaveWarning.ts';
import { DraftSaver, type Refusal } from '../../../features/drafts/DraftSaver.ts';
import { refusalOf } from '../../../features/drafts/refusalOf.ts';
import { saveReviewDraftMutation } from '../../../features/review/reviewMutations.ts';
import type { SubmissionInReview } from '../../../features/review/reviewQueries.ts';

/** What a reviewer thinks of an item so far, or has written so far. */
export type Draft = { readonly met: boolean | null; readonly note: string };

type DraftPart = SubmissionInReview['drafts'][number]['part'];
export type Point = SubmissionInReview['checklist'][number];

/** What a reviewer has entered on the page of one submission, saved as it is entered. */
export type Sitting = {
  /** The draft, or the verdict of a former sitting. */
  draftOf: (part: DraftPart) => Draft;
  change: (part: DraftPart, changes: Partial<Draft>) => void;
  readonly saved: boolean;
  /** Why nothing is being saved; null if everything is in order. */
  readonly refusal: Refusal | null;
  /** Saves what is not saved yet. Answers whether everything is stored now. */
  flush: () => Promise<boolean>;
  retry: () => Promise<boolean>;
  keepMine: () => Promise<boolean>;
  takeTheirs: () => Promise<boolean>;
  /** What is stored of the parts that another window has changed. */
  theirs: () => { readonly title: string; readonly text: string }[];
  /** Everything that this reviewer has written here and nobody else has read yet. */
  notes: () => { readonly part: DraftPart; readonly title: string; readonly note: string }[];
};

/** The parts besides the items of the checklist. */
const texts = { question: 'Question', approval: 'Note on the approval', rejection: 'Notes on the rejection' } as const;

export function useSitting(submission: SubmissionInReview, reread: () => void): Sitting {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [, save] = useMutation(saveReviewDraftMutation);
  const { id: submissionId } = submission;
  const [saver] = useState(
    () =>
      new DraftSaver<DraftPart, Draft>(async (part, draft, version) => {
        const { data, error } = await save({ input: { submissionId, part, ...draft, version } });
        return data ? { version: data.saveReviewDraft } : { refusal: refusalOf(error) };
      }, redraw),
  );
  useEffect(() => saver.whenAnswered((saved) => 'refusal' in saved && reread()));
  useLeaveWarning(!saver.saved);

  const stored = (part: DraftPart) => submission.drafts.find((draft) => draft.part === part);
  const versionOf = (part: DraftPart) => stored(part)?.version ?? 0;
  function draftOf(part: DraftPart): Draft {
    const verdict = submission.checklist.find(({ item }) => item === part)?.verdict;
    return saver.draftOf(part, versionOf(part)) ?? stored(part) ?? { met: verdict?.met ?? null, note: verdict?.note ?? '' };
  }
  const titles: readonly (readonly [DraftPart, string])[] = [
    ...submission.checklist.map(({ item, title }) => [item, title] as const),
    ...(Object.entries(texts) as [keyof typeof texts, string][]),
  ];
  return {
    draftOf,
    change(part, changes) {
      const { met, note } = { ...draftOf(part), ...changes };
      saver.set(part, { met, note }, versionOf(part), 'met' in changes);
    },
    saved: saver.saved,
    refusal: saver.refusal,
    flush: () => saver.flush(),
    retry: () => saver.retry(),
    keepMine: () => saver.keepMine(versionOf),
    takeTheirs: () => saver.takeTheirs(),
    theirs: () =>
      titles
        .filter(([part]) => saver.conflicts.includes(part))
        .map(([part, title]) => ({ title, text: [metWords(stored(part)?.met), stored(part)?.note].filter(Boolean).join(' ') })),
    notes: () =>
      titles
        .map(([part, title]) => ({ part, title, note: (saver.draftOf(part, versionOf(part)) ?? stored(part))?.note ?? '' }))
        .filter(({ note }) => note.trim() !== ''),
  };
}

const metWords = (met: boolean | null | undefined) => (met === true ? 'Met.' : met === false ? 'Not met.' : '');
