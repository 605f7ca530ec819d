import { useForm, type UseFormReturnType } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { emptyDraft, steps, type DraftValues } from './draft.ts';
import { firstStepWithErrors, stepErrors } from './draftRules.ts';
import { readDraft, writeDraft } from './draftStorage.ts';

export type DraftForm = UseFormReturnType<DraftValues>;

/**
 * The form and the step it stands at, kept in the browser as they change. `copied` takes the place of what was kept. Each step is an entry
 * of the browser's history, so its Back goes one step back; an address that skips an unfinished step leads to that one.
 */
export function useDraft(operatorId: string, termsVersion: number, copied: DraftValues | null) {
  const [restored] = useState(() => (copied ? null : readDraft(operatorId, termsVersion)));
  const [search, setSearch] = useSearchParams();
  const form = useForm<DraftValues>({
    initialValues: copied ?? restored?.values ?? emptyDraft,
    validate: (values) => stepErrors(step, values),
    validateInputOnBlur: false,
    clearInputErrorOnChange: true,
  });
  const { values } = form;
  const named = search.get('step');
  const wanted = steps.findIndex(({ key }) => key === named);
  const step = Math.min(wanted === -1 ? (restored?.step ?? 0) : wanted, firstStepWithErrors(values) ?? steps.length - 1);
  const { key } = steps[step] ?? steps[0];

  useEffect(() => {
    if (named !== key) setSearch({ step: key }, { replace: true });
  }, [named, key, setSearch]);

  useEffect(() => {
    // An empty form is not worth keeping.
    if (values !== emptyDraft) writeDraft(operatorId, { values, step, termsVersion });
  }, [operatorId, values, step, termsVersion]);

  const setStep = (target: number) => setSearch({ step: (steps[target] ?? steps[0]).key });
  return { form, step, setStep, wasRestored: restored !== null };
}
