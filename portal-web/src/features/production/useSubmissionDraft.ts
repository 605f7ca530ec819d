import { useEffect, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { saveSubmissionDraftMutation, type ChecklistItem } from './productionQuery.ts';
import { confirmationsOf, type FormValues } from './submissionForm.ts';

export type Saving = { at: string | null; problem: string | null };

/** Typing pauses this long before it is saved. */
const pause = 800;

/** Keeps the values of the form and saves them when they have changed, also when the page is left in the meantime. */
export function useSubmissionDraft(
  integrationId: string,
  checklist: readonly Pick<ChecklistItem, 'item'>[],
  first: FormValues,
  onSaved: () => void,
) {
  const [, save] = useMutation(saveSubmissionDraftMutation);
  const [values, setValues] = useState(first);
  const [saving, setSaving] = useState<Saving>({ at: null, problem: null });
  const unsaved = useRef<FormValues | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  async function saveNow() {
    clearTimeout(timer.current);
    const changed = unsaved.current;
    if (!changed) return;
    unsaved.current = null;
    const { data, error } = await save({
      input: { integrationId, reviewUrl: changed.reviewUrl.trim(), confirmations: confirmationsOf(checklist, changed) },
    });
    setSaving(
      error ? { at: null, problem: describeError(error).message } : { at: data?.saveSubmissionDraft.savedAt ?? null, problem: null },
    );
    if (!error) onSaved();
  }
  const leave = useRef(saveNow);
  useEffect(() => void (leave.current = saveNow));
  useEffect(() => () => void leave.current(), []);

  const change = (changes: Partial<FormValues>): void => {
    const next = { ...values, ...changes };
    setValues(next);
    unsaved.current = next;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void leave.current(), pause);
  };
  /** Nothing of it is saved any more, because it is being submitted. */
  const stop = (): void => {
    clearTimeout(timer.current);
    unsaved.current = null;
  };
  return { values, saving, change, stop };
}
