import { hasIdForm, type IdPrefix } from '../ids.ts';

/** How the cursors of a list are written and read: as text, which `page` makes opaque. */
export type Cursors<Item, Place> = {
  readonly write: (item: Item) => string;
  /** The place in the list that a text names; undefined if it is none of this list's. */
  readonly read: (text: string) => Place | undefined;
};

/** Cursors that hold an identifier; where its item stands is asked of the database, so that nothing else is in them. */
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
 * Cursors that hold an item's place itself, which the item may have left since: a moment, and what the order goes by among what happened
 * at the same moment. `parse` reads the latter; undefined if it is none of this list's.
 */
export function timeCursors<Item, Rest extends readonly unknown[]>(
  at: (item: Item) => Date,
  rest: (item: Item) => readonly (string | number)[],
  parse: (rest: string) => Rest | undefined,
): Cursors<Item, readonly [Date, ...Rest]> {
  return {
    // In milliseconds, as everything is recorded: a number has no form that a calendar would refuse.
    write: (item) => [at(item).getTime(), ...rest(item)].join(' '),
    read: (text) => {
      // 15 digits are within what Date and PostgreSQL can hold.
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
