import { useLocation } from 'react-router';
import { cursorName, withListAtStart, type ListState } from './listAddress.ts';

/** A link to a page of a list: its address, and what its history entry stores in addition. */
export type PageLink = { readonly after: string | null; readonly to: { readonly search: string }; readonly state: ListState };

/** Where the reader is in a list, and links to its other pages. */
export type Pagination = {
  /** The cursor after which the page begins, or null for the first page. */
  readonly after: string | null;
  /** The number of the page, or null if the reader followed a link into the middle of the list. */
  readonly number: number | null;
  readonly first: PageLink;
  /** Null if the reader followed a link into the middle of the list, since lists can only be read forwards. */
  readonly previous: PageLink | null;
  next: (endCursor: string) => PageLink;
  /** The first page, for a reader whose cursor was refused. */
  readonly back: PageLink;
  /** Whether the reader was brought to the first page because a cursor was refused. */
  readonly broughtBack: boolean;
  /** Another one after each navigation. */
  readonly key: string;
};

/**
 * Where the reader is in a list. It stands in the address, so a page of a list can be linked and Back leads to where the reader was.
 * `list` tells the list apart from others on the page; '' is the main one. `personal`: the cursor holds something that must not stand in
 * an address, so the history alone keeps it.
 */
export function usePagination(list = '', { personal = false } = {}): Pagination {
  const location = useLocation();
  const state = (location.state ?? {}) as ListState;
  const after = (personal ? state.after?.[list] : new URLSearchParams(location.search).get(cursorName(list))) || null;
  const turned = state.turned?.[list] ?? null;

  function linkTo(cursor: string | null, before: readonly string[] | null): PageLink {
    const search = new URLSearchParams(location.search);
    search.delete(cursorName(list));
    if (cursor && !personal) search.set(cursorName(list), cursor);
    const others = withListAtStart(state, list);
    const next: ListState = {
      ...others,
      ...(before && { turned: { ...others.turned, [list]: before } }),
      ...(personal && cursor && { after: { ...others.after, [list]: cursor } }),
    };
    return { after: cursor, to: { search: search.toString() }, state: next };
  }

  const before = after === null ? [] : turned;
  const first = linkTo(null, []);
  return {
    after,
    number: before && before.length + (after === null ? 1 : 2),
    first,
    previous: after === null || before === null ? null : linkTo(before.at(-1) ?? null, before.slice(0, -1)),
    next: (endCursor) => linkTo(endCursor, before === null || after === null ? before : [...before, after]),
    back: { ...first, state: { ...first.state, broughtBack: { ...first.state.broughtBack, [list]: true } } },
    broughtBack: after === null && state.broughtBack?.[list] === true,
    key: location.key,
  };
}
