import { type DraftValues, sameShape } from './draft.ts';

/** The draft that is kept in the browser between visits. */
type StoredDraft = { values: DraftValues; termsVersion: number };

const keyFor = (operatorId: string) => `svc.new-integration.${operatorId}`;

/** The draft that this operator left in this browser, or null. Acceptances of another version of the terms are dropped. */
export function readDraft(operatorId: string, termsVersion: number): StoredDraft | null {
  const found = parse(readItem(keyFor(operatorId)));
  if (!found) return null;
  if (found.termsVersion === termsVersion) return found;
  return { values: { ...found.values, nonCommercial: false, attribution: false }, termsVersion };
}

/** Stores the draft. The form also works in a browser without storage, which keeps nothing. */
export function writeDraft(operatorId: string, draft: StoredDraft): void {
  try {
    window.localStorage.setItem(keyFor(operatorId), JSON.stringify(draft));
  } catch {
    // Storage is full or switched off.
  }
}

/** Drops the draft. */
export function clearDraft(operatorId: string): void {
  try {
    window.localStorage.removeItem(keyFor(operatorId));
  } catch {
    // Without storage there is no draft.
  }
}

function readItem(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

function parse(text: string | null): StoredDraft | null {
  if (!text) return null;
  try {
    const { values, termsVersion } = JSON.parse(text) as Partial<StoredDraft>;
    return typeof termsVersion === 'number' ? { values: sameShape(values), termsVersion } : null;
  } catch {
    return null;
  }
}
