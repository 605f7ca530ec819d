import { useReducer, useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { useLeaveWarning } from '../../ui/states/useLeaveWarning.ts';
import { DraftSaver, type Draft } from './draftSaver.ts';
import { saveReviewDraftMutation } from '../review/reviewMutations.ts';
import type { SubmissionInReview } from '../review/reviewQueries.ts';

export type DraftPart = SubmissionInReview['drafts'][number]['part'];
export type Point = SubmissionInReview['checklist'][number];

/** What a reviewer has entered on the page of one submission, saved as it is entered. */
export type Sitting = {
  /** The draft, or the verdict of a former sitting. */
  draftOf: (part: DraftPart) => Draft;
  change: (part: DraftPart, changes: Partial<Draft>) => void;
  readonly saved: boolean;
  /** Why nothing is being saved; null if everything is in order. */
  readonly refusal: string | null;
  /** Saves what is not saved yet. Answers whether everything is stored now. */
  flush: () => Promise<boolean>;
  saveOver: () => Promise<boolean>;
  /** Everything that this reviewer has written here and nobody else has read yet. */
  notes: () => { readonly part: DraftPart; readonly title: string; readonly note: string }[];
};

/** The parts besides the items of the checklist. */
const texts = { question: 'Question', decision: 'Notes on the decision' } as const;

export function useSitting(submission: SubmissionInReview): Sitting {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [, save] = useMutation(saveReviewDraftMutation);
  const { id: submissionId } = submission;
  const [saver] = useState(
    () =>
      new DraftSaver<DraftPart>(async (part, draft, version) => {
        const { data, error } = await save({ input: { submissionId, part, ...draft, version } });
        return data ? { version: data.saveReviewDraft } : { refusal: describeError(error).message };
      }, redraw),
  );
  useLeaveWarning(!saver.saved);

  const stored = (part: DraftPart) => submission.drafts.find((draft) => draft.part === part);
  const versionOf = (part: DraftPart) => stored(part)?.version ?? 0;
  function draftOf(part: DraftPart): Draft {
    const verdict = submission.checklist.find(({ item }) => item === part)?.verdict;
    return saver.draftOf(part, versionOf(part)) ?? stored(part) ?? { met: verdict?.met ?? null, note: verdict?.note ?? '' };
  }
  return {
    draftOf,
    change(part, changes) {
      const { met, note } = { ...draftOf(part), ...changes };
      saver.set(part, { met, note }, versionOf(part), 'met' in changes);
    },
    saved: saver.saved,
    refusal: saver.refusal,
    flush: () => saver.flush(),
    saveOver: () => saver.saveOver(versionOf),
    notes: () =>
      [
        ...submission.checklist.map(({ item, title }) => [item, title] as const),
        ...(Object.entries(texts) as [keyof typeof texts, string][]),
      ]
        .map(([part, title]) => ({ part, title, note: (saver.draftOf(part, versionOf(part)) ?? stored(part))?.note ?? '' }))
        .filter(({ note }) => note.trim() !== ''),
  };
}
