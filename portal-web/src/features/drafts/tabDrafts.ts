const prefix = 'svc.draft.';
const nameOf = (operatorId: string, subject: string) => `${prefix}${operatorId}.${subject}`;

/** What this operator has typed about `subject` in this tab and neither sent nor discarded; null if nothing. Of the shape that was written, perhaps by an earlier release. */
export function readTabDraft(operatorId: string, subject: string): unknown {
  try {
    return JSON.parse(window.sessionStorage.getItem(nameOf(operatorId, subject)) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps a draft until the tab is closed or its operator signs out; null drops it. Never for a secret. In a browser without storage, nothing is kept. */
export function writeTabDraft(operatorId: string, subject: string, draft: unknown): void {
  try {
    if (draft === null) window.sessionStorage.removeItem(nameOf(operatorId, subject));
    else window.sessionStorage.setItem(nameOf(operatorId, subject), JSON.stringify(draft));
  } catch {
    // Storage is full or switched off.
  }
}

/** Whether this tab keeps anything that this operator has typed and neither sent nor discarded. */
export function hasTabDrafts(operatorId: string): boolean {
  try {
    return Object.keys(window.sessionStorage).some((name) => name.startsWith(nameOf(operatorId, '')));
  } catch {
    return false;
  }
}

/** Drops the drafts of everybody but this operator: of all, when nobody is left. */
export function dropTabDrafts(except: string | null): void {
  try {
    const own = except === null ? null : nameOf(except, '');
    for (const name of Object.keys(window.sessionStorage)) {
      if (name.startsWith(prefix) && (own === null || !name.startsWith(own))) window.sessionStorage.removeItem(name);
    }
  } catch {
    // Without storage there are no drafts.
  }
}
