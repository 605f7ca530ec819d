import { hasIdForm, type IdPrefix } from '../ids.ts';

/** How the cursors of a list are written and read. `page` makes the text opaque. */
export type Cursors<Item, Place> = {
  readonly write: (item: Item) => string;
  /** The place in the list that a text names, or undefined if the text is not one of this list's cursors. */
  readonly read: (text: string) => Place | undefined;
};

/** Cursors that hold only an identifier. The database is asked where its item is. */
export function idCursors<Item>(prefix: IdPrefix, of: (item: Item) => string): Cursors<Item, string> {
  return { write: of, read: (text) => (hasIdForm(prefix, text) ? text : undefined) };
}

/** Cursors that hold a whole number from 1 to 2³¹ − 1, by which the list is ordered. */
export function numberCursors<Item>(of: (item: Item) => number): Cursors<Item, number> {
  return {
    write: (item) => String(of(item)),
    read: (text) => (/^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined),
  };
}

/**
 * Cursors that hold the place of an item, even if the item has moved since: a moment, and what decides the order among items of the same
 * moment. `parse` reads the latter, and gives undefined if it is not one of this list's.
 */
export function timeCursors<Item, Rest extends readonly unknown[]>(
  at: (item: Item) => Date,
  rest: (item: Item) => readonly (string | number)[],
  parse: (rest: string) => Rest | undefined,
): Cursors<Item, readonly [Date, ...Rest]> {
  return {
    // In milliseconds, as everything is recorded. A number has no form that a calendar could refuse.
    write: (item) => [at(item).getTime(), ...rest(item)].join(' '),
    read: (text) => {
      // Date and PostgreSQL can both hold 15 digits.
      const [, milliseconds = '', others = ''] = /^(\d{1,15}) (.+)$/.exec(text) ?? [];
      const read = parse(others);
      return read && [new Date(Number(milliseconds)), ...read];
    },
  };
}

/** Cursors that hold a moment and an identifier. */
export function timeAndIdCursors<Item extends { readonly id: string }>(
  prefix: IdPrefix,
  at: (item: Item) => Date,
): Cursors<Item, readonly [Date, string]> {
  return timeCursors(
    at,
    ({ id }) => [id],
    (id) => (hasIdForm(prefix, id) ? [id] : undefined),
  );
}
