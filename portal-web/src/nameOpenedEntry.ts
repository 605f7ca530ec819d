/**
 * Gives the entry of the browser's history that a page was opened at a key of its own, before the router reads it. The router calls every
 * such entry by one name, so a page that is opened by its address would start at the scroll position that the last one was left at.
 */
export function nameOpenedEntry(): void {
  const state = window.history.state as { key?: string } | null;
  if (state?.key) return;
  window.history.replaceState({ ...state, key: crypto.randomUUID() }, '');
}
