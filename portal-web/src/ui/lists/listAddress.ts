/** What an entry of the browser's history keeps of the lists on its page, beside the address. */
export type ListState = {
  /** A search that holds an e-mail address, which must not stand in the page's own address. */
  readonly search?: string;
  /** By list: the cursors of the pages that the reader has turned, so that there is a way back to each. */
  readonly turned?: Readonly<Record<string, readonly string[]>>;
  /** By list: the cursor of a page, where it holds something personal. */
  readonly after?: Readonly<Record<string, string>>;
};

/** The name in the address under which a list keeps its cursor; `list` is '' for the main list of a page. */
export function cursorName(list: string): string {
  return list === '' ? 'after' : `${list}After`;
}

/** The history's state with a list back at its first page. */
export function withListAtStart({ turned, after, ...rest }: ListState, list: string): ListState {
  return { ...rest, ...without('turned', turned, list), ...without('after', after, list) };
}

function without<Value>(key: string, values: Readonly<Record<string, Value>> | undefined, list: string) {
  const kept = Object.entries(values ?? {}).filter(([name]) => name !== list);
  return kept.length > 0 ? { [key]: Object.fromEntries(kept) } : {};
}
