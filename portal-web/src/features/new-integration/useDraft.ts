import { useForm, type UseFormReturnType } from '@mantine/form';
import { useEffect, useState } from 'react';
import { emptyDraft, type DraftValues } from './draft.ts';
import { stepErrors } from './draftRules.ts';
import { readDraft, writeDraft } from './draftStorage.ts';

export type DraftForm = UseFormReturnType<DraftValues>;

/** The form and the step it stands at, kept in the browser as they change. `copied` takes the place of what was kept. */
export function useDraft(operatorId: string, termsVersion: number, copied: DraftValues | null) {
  const [restored] = useState(() => (copied ? null : readDraft(operatorId, termsVersion)));
  const [step, setStep] = useState(restored?.step ?? 0);
  const form = useForm<DraftValues>({
    initialValues: copied ?? restored?.values ?? emptyDraft,
    validate: (values) => stepErrors(step, values),
    validateInputOnBlur: false,
    clearInputErrorOnChange: true,
  });
  const { values } = form;

  useEffect(() => {
    // Nothing typed yet is nothing to keep.
    if (values !== emptyDraft) writeDraft(operatorId, { values, step, termsVersion });
  }, [operatorId, values, step, termsVersion]);

  return { form, step, setStep, wasRestored: restored !== null };
}
