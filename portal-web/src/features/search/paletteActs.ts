/**
 * Something that the page which is open offers in the palette. What `run` returns is said in the palette, which then stays open. `words` are what
 * else it is found by.
 */
export type PaletteAct = { readonly label: string; readonly words?: string } & (
  | { readonly to: string }
  | { readonly run: () => string | void | Promise<string | void> }
);

const offered: (readonly PaletteAct[])[] = [];

/** Offers these acts until the returned function is called. */
export function offerActs(acts: readonly PaletteAct[]): () => void {
  offered.push(acts);
  return () => void offered.splice(offered.indexOf(acts), 1);
}

/** All acts of the page that is open. */
export function offeredActs(): PaletteAct[] {
  return offered.flat();
}

/** What is chosen in the palette on any page, and done by one of them. */
export type WantedAct = 'link code' | 'certificate';
const doers = new Map<WantedAct, () => void>();
let wanted: WantedAct | null = null;

/** Has the page that does it do it, now or once it is open. */
export function want(act: WantedAct): void {
  const run = doers.get(act);
  wanted = run ? null : act;
  run?.();
}

/** Does it whenever it is wanted, until the returned function is called. */
export function onWanted(act: WantedAct, run: () => void): () => void {
  doers.set(act, run);
  if (wanted === act) want(act);
  return () => void doers.delete(act);
}

const mostRecent = 5;
let recent: readonly { readonly label: string; readonly to: string }[] = [];

/** Remembers where the reader went from the palette: in memory only, because it tells what they work on. */
export function noteRecent(label: string, to: string): void {
  recent = [{ label, to }, ...recent.filter((each) => each.to !== to)].slice(0, mostRecent);
}

export function recentlyOpened(): typeof recent {
  return recent;
}

/** Anyone who signs in next must not see it. */
export function forgetRecent(): void {
  recent = [];
  wanted = null;
}
