/** What a key, or two keys one after the other, does on the page that is open. */
type Shortcut = {
  /** What the list of keys says, as in “Next submission”. */
  readonly label: string;
  readonly run: () => void;
};

/** Keys as the browser names them (`j`, `/`, `?`), or two in a row (`g q`). */
export type Shortcuts = Readonly<Record<string, Shortcut>>;

const active: Shortcuts[] = [];
let switchedOn = false;

/** Switches all single keys on or off, as the account says. */
export function switchShortcuts(on: boolean): void {
  switchedOn = on;
}

/** Lets these keys work until the returned function is called. The latest ones come first. */
export function addShortcuts(shortcuts: Shortcuts): () => void {
  active.unshift(shortcuts);
  return () => void active.splice(active.indexOf(shortcuts), 1);
}

/** All keys that work now, without those that another one of the same name has replaced. */
export function activeShortcuts(): [string, Shortcut][] {
  return Object.entries(Object.assign({}, ...active.toReversed()) as Shortcuts);
}

/** How long after the first of two keys the second one may follow. */
const pause = 1_000;
let first: { readonly key: string; readonly at: number } | null = null;

/** What this key does now: nothing while somebody writes, chooses, holds another key, or has a dialog in front of them. */
export function shortcutFor(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp' | 'target'>,
): Shortcut | null {
  const { key, timeStamp: at } = event;
  const before = first !== null && at - first.at <= pause ? first.key : null;
  first = null;
  if (!switchedOn || event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return null;
  const known = activeShortcuts();
  const found = known.find(([keys]) => keys === (before === null ? key : `${before} ${key}`));
  if (found) return found[1];
  if (before === null && known.some(([keys]) => keys.startsWith(`${key} `))) first = { key, at };
  return null;
}

const fields = 'input, textarea, select, [contenteditable], [role="textbox"], [role="combobox"], [role="listbox"], [role="menu"]';

function isBusy(target: EventTarget | null): boolean {
  // A dialog that has just been closed keeps the focus in its field for a moment, and nobody writes into what is not shown.
  const inField = target instanceof Element && target.closest(fields) !== null && target.checkVisibility();
  return inField || document.querySelector('[role="dialog"], [role="alertdialog"], dialog[open]') !== null;
}
