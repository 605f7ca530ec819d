/** What an entry of the browser's history stores about the lists on its page, in addition to the address. */
export type ListState = {
  /** A search for an email address, which must not appear in the page's own address. */
  readonly search?: string;
  /** By list: the cursors of the pages before this one, so that the reader can go back to each. */
  readonly turned?: Readonly<Record<string, readonly string[]>>;
  /** By list: the cursor of the page, if it contains something personal. */
  readonly after?: Readonly<Record<string, string>>;
  /** By list: whether the reader was brought back to its first page because the service refused a cursor. */
  readonly broughtBack?: Readonly<Record<string, true>>;
};

/** The name of a list's cursor in the address. `list` is '' for the main list of a page. */
export function cursorName(list: string): string {
  return list === '' ? 'after' : `${list}After`;
}

/** The state of a history entry, with a list back at its first page. */
export function withListAtStart({ turned, after, broughtBack, ...rest }: ListState, list: string): ListState {
  return {
    ...rest,
    ...without('turned', turned, list),
    ...without('after', after, list),
    ...without('broughtBack', broughtBack, list),
  };
}

function without<Value>(key: string, values: Readonly<Record<string, Value>> | undefined, list: string) {
  const kept = Object.entries(values ?? {}).filter(([name]) => name !== list);
  return kept.length > 0 ? { [key]: Object.fromEntries(kept) } : {};
}
