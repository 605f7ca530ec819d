import { emptyDraft, steps, type DraftValues } from './draft.ts';

/** What is kept in the browser between visits. */
export type StoredDraft = { values: DraftValues; step: number; termsVersion: number };

const keyFor = (operatorId: string) => `svc.new-integration.${operatorId}`;

/** What this operator left unfinished in this browser, or null. What was accepted of other terms is not taken along. */
export function readDraft(operatorId: string, termsVersion: number): StoredDraft | null {
  const found = parse(readItem(keyFor(operatorId)));
  if (!found) return null;
  if (found.termsVersion === termsVersion) return found;
  return { values: { ...found.values, nonCommercial: false, attribution: false }, step: 0, termsVersion };
}

/** Keeps the draft. A browser without storage keeps nothing, and the form works all the same. */
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
    // Nothing was kept, then.
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
    const { values, step, termsVersion } = JSON.parse(text) as Partial<StoredDraft>;
    if (typeof step !== 'number' || typeof termsVersion !== 'number' || !steps[step]) return null;
    return { values: sameShape(values), step, termsVersion };
  } catch {
    return null;
  }
}

/** Takes over only fields that exist and have the type they have today. */
function sameShape(stored: Partial<Record<string, unknown>> | undefined): DraftValues {
  const known = Object.entries(emptyDraft).map(([name, empty]) => {
    const value = stored?.[name];
    return [name, typeof value === typeof empty && Array.isArray(value) === Array.isArray(empty) ? value : empty];
  });
  return Object.fromEntries(known) as DraftValues;
}
