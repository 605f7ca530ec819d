import { useEffect, useReducer, useState } from 'react';
import { useMutation } from 'urql';
import { useLeaveWarning } from '../../../ui/states/useLeaveWarning.ts';
import { DraftSaver, type Refusal } from '../../../features/drafts/DraftSaver.ts';
import { refusalOf } from '../../../features/drafts/refusalOf.ts';
import { saveSubmissionDraftMutation, type OwnSubmission, type Production } from './productionQuery.ts';
import { beginning, type FormValues, savedConfirmationsOf } from './submissionForm.ts';

/** What the owner has entered, with the version of the profile that they had before them. */
type Entered = FormValues & { readonly profileVersion: number };
type Stored = Production['integration']['submissionDraft'];

/** What the form begins with, if nothing has been entered here. */
export type Known = { readonly draft: Stored; readonly last: OwnSubmission | null; readonly version: number };

export type SubmissionDraft = {
  valuesFor: (known: Known) => FormValues;
  change: (known: Known, changes: Partial<FormValues>) => void;
  readonly savedAt: string | null;
  readonly refusal: Refusal | null;
  /** What was entered here and is stored nowhere. */
  readonly unsaved: FormValues | null;
  keepMine: (known: Known) => void;
  takeTheirs: () => void;
  retry: () => void;
  /** Nothing of it is saved any more, because it is being submitted. */
  hold: () => void;
  /** It has been submitted. */
  forget: () => void;
};

const part = 'submission';

/**
 * Keeps what the owner enters of a submission and saves it, also when the page is left. It belongs to the page and not to its form, so that
 * nothing is lost when the state of the page changes below it.
 */
export function useSubmissionDraft(
  integrationId: string,
  lastId: string | undefined,
  { onSaved, onRefused }: { onSaved: () => void; onRefused: () => void },
): SubmissionDraft {
  const [, save] = useMutation(saveSubmissionDraftMutation);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [savedAt, setSavedAt] = useState<string | null>(null);
  const [saver] = useState(
    () =>
      new DraftSaver<typeof part, Entered>(async (_, entered, version) => {
        const { reviewUrl, profileVersion } = entered;
        const input = { integrationId, reviewUrl: reviewUrl.trim(), confirmations: savedConfirmationsOf(entered), profileVersion, version };
        const { data, error } = await save({ input });
        setSavedAt(data?.saveSubmissionDraft.savedAt ?? null);
        return data ? { version: data.saveSubmissionDraft.version } : { refusal: refusalOf(error) };
      }, redraw),
  );
  useEffect(() => () => void saver.flush(), [saver]);
  useEffect(() => saver.whenAnswered((saved) => ('refusal' in saved ? onRefused() : onSaved())));
  // What was stored before the last submission was submitted with it, here or in another window.
  useEffect(() => saver.about(lastId), [saver, lastId]);
  useLeaveWarning(!saver.saved);

  const versionOf = ({ draft }: Known) => draft?.version ?? 0;
  function valuesFor(known: Known): FormValues {
    const begun = beginning(known);
    const entered = saver.draftOf(part, versionOf(known));
    if (!entered) return begun;
    // What was confirmed belongs to its version of the profile.
    return entered.profileVersion === known.version ? entered : { ...entered, ticked: begun.ticked };
  }
  return {
    valuesFor,
    change(known, changes) {
      const entered = { ...valuesFor(known), ...changes, profileVersion: known.version };
      saver.set(part, entered, versionOf(known), false);
    },
    savedAt: saver.saved ? savedAt : null,
    refusal: saver.refusal,
    unsaved: saver.unsavedOf(part) ?? null,
    keepMine: (known) => void saver.keepMine(() => versionOf(known)),
    takeTheirs: () => void saver.takeTheirs(),
    retry: () => void saver.retry(),
    hold: () => saver.hold(),
    forget: () => saver.forget(),
  };
}
