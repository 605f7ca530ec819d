import { useState } from 'react';
import { useSession } from '../session/SessionContext.ts';
import { readTabDraft, writeTabDraft } from './tabDrafts.ts';

/** What the reader has typed about a subject in this tab, also before the session ended. */
export type TabDraft<Draft> = {
  /** What was kept, or null. */
  readonly kept: Draft | null;
  /** Keeps this from now on; null drops it. */
  readonly keep: (draft: Draft | null) => void;
};

/** The draft of a form that takes minutes. It is kept in the tab, so that neither the end of a session nor a reload takes it. `parse` answers null for what it does not understand. */
export function useTabDraft<Draft>(subject: string, parse: (stored: unknown) => Draft | null): TabDraft<Draft> {
  const { viewer } = useSession();
  const operatorId = viewer?.operatorId ?? '';
  const [kept, setKept] = useState(() => parse(readTabDraft(operatorId, subject)));
  return {
    kept,
    keep(draft) {
      writeTabDraft(operatorId, subject, draft);
      setKept(draft);
    },
  };
}

const asText = (stored: unknown) => (typeof stored === 'string' ? stored : null);

/** A text and what changes it, like the state of a field. */
export type TabText = readonly [string, (text: string) => void];

/** The text of a field that is kept in the tab. */
export function useTabText(subject: string): TabText {
  const { kept, keep } = useTabDraft(subject, asText);
  return [kept ?? '', (text) => keep(text === '' ? null : text)];
}
