import { useForm, type UseFormReturnType } from '@mantine/form';
import { useEffect, useState } from 'react';
import type { DraftValues } from './draft.ts';
import { readDraft, writeDraft } from './draftStorage.ts';
import { beginDraft, followingChanges, type Operator } from './proposals.ts';

export type DraftForm = UseFormReturnType<DraftValues>;

/** The form, kept in the browser as it changes. `copied` takes the place of what was kept; a new one begins with what can be proposed. */
export function useDraft(operatorId: string, operator: Operator, termsVersion: number, copied: DraftValues | null) {
  const [restored] = useState(() => (copied ? null : readDraft(operatorId, termsVersion)));
  const [begun] = useState(() => copied ?? restored?.values ?? beginDraft(operator));
  const form = useForm<DraftValues>({
    initialValues: begun,
    clearInputErrorOnChange: true,
    onValuesChange(values, previous) {
      const following = followingChanges(previous, values, operator);
      if (Object.keys(following).length > 0) form.setValues(following);
    },
  });
  const { values } = form;

  useEffect(() => {
    // Nothing is kept before something has changed, but for a copy.
    if (values !== begun || copied) writeDraft(operatorId, { values, termsVersion });
  }, [operatorId, values, termsVersion, begun, copied]);

  return { form, wasRestored: restored !== null };
}
