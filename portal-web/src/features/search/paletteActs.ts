/** Something that the page which is open offers in the palette. */
export type PaletteAct = { readonly label: string } & ({ readonly to: string } | { readonly run: () => void });

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
}
