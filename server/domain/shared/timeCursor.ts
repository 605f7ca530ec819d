import { DomainError } from './DomainError.ts';

/** An item's place in a list by time: its moment, and what else the order goes by. */
type Place = { readonly at: Date; readonly rest: string };

/**
 * The opaque cursor of an item in a list by time. It tells the moment in milliseconds, as everything is recorded: a number has no form
 * that a calendar would refuse.
 */
export function timeCursor(at: Date, ...rest: readonly (string | number)[]): string {
  return Buffer.from([at.getTime(), ...rest].join(' ')).toString('base64url');
}

/** The place in a cursor; undefined when it is none of ours. `isRest` knows what else this list goes by. */
export function readTimeCursor(cursor: string, isRest: (rest: string) => boolean): Place | undefined {
  // 15 digits are within what Date and PostgreSQL can hold.
  const [, milliseconds = '', rest = ''] = /^(\d{1,15}) (.+)$/.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  return isRest(rest) ? { at: new Date(Number(milliseconds)), rest } : undefined;
}

/** As `readTimeCursor`. Errors: invalid_request (`after`). */
export function placeAfter(cursor: string, isRest: (rest: string) => boolean): Place {
  const place = readTimeCursor(cursor, isRest);
  if (place) return place;
  throw new DomainError('invalid_request', { fields: [{ path: 'after', message: 'This cursor does not belong to this list.' }] });
}
