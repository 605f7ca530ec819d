import { DomainError, refuseInvalid, type FieldError } from '../DomainError.ts';
import { limits } from '../limits.ts';
import type { Cursors } from './cursors.ts';

/** What a caller asks of a list: a number of items from the beginning, or after the item with this cursor. */
export type PageRequest = { readonly first: number; readonly after?: string | null | undefined };

/** A page of a list in the form of a connection (GraphQL Cursor Connections Specification). */
export type Page<Item> = {
  readonly edges: readonly { readonly cursor: string; readonly node: Item }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

type List<Item, Place> = {
  readonly cursors: Cursors<Item, Place>;
  /** Whatever else is wrong with the request. It is refused together with what is wrong with the page. */
  readonly errors?: readonly FieldError[];
  /** Reads at most `count` items in the order of the list, from the beginning or after a place. */
  readonly read: (count: number, after: Place | null) => Promise<readonly Item[]>;
};

/** Reads one page of a list. Errors: invalid_request (`first`, `after`, and the errors given), and whatever `read` throws. */
export async function page<Item, Place>(
  { first, after = null }: PageRequest,
  { cursors, errors = [], read }: List<Item, Place>,
): Promise<Page<Item>> {
  const place = after === null ? null : cursors.read(Buffer.from(after, 'base64url').toString('utf8'));
  refuseInvalid([...countErrors(first), ...(place === undefined ? [foreignCursor] : []), ...errors]);
  // One item more than the page holds tells whether another page follows.
  const found = await read(first + 1, place ?? null);
  const edges = found.slice(0, first).map((node) => ({ cursor: Buffer.from(cursors.write(node)).toString('base64url'), node }));
  return { edges, pageInfo: { hasNextPage: found.length > first, endCursor: edges.at(-1)?.cursor ?? null } };
}

/** The same page with other items in place of its own. */
export function mapPage<Item, Other>({ edges, pageInfo }: Page<Item>, map: (item: Item) => Other): Page<Other> {
  return { edges: edges.map(({ cursor, node }) => ({ cursor, node: map(node) })), pageInfo };
}

/** What is wrong with the number of items that was asked for. */
export function countErrors(first: number): FieldError[] {
  return first >= 1 && first <= limits.pageSize ? [] : [{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }];
}

/** Refuses a cursor whose item is not in the list. Errors: invalid_request (`after`). */
export function refuseForeignCursor(): never {
  throw new DomainError('invalid_request', { fields: [foreignCursor] });
}

const foreignCursor: FieldError = { path: 'after', message: 'This cursor does not belong to this list.' };

/** The items with these identifiers, in the order of the identifiers. Items that no longer exist are left out. */
export function inOrder<Item extends { readonly id: string }>(ids: readonly string[], items: readonly Item[]): Item[] {
  const found = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => found.get(id) ?? []);
}
