import { expect, test } from '@jest/globals';
import { placeAfter, readTimeCursor, timeCursor } from '../../../server/domain/shared/timeCursor.ts';

const at = new Date('2026-06-01T12:00:00.123Z');
const isItem = (rest: string) => /^(\d )?item_[a-z]$/.test(rest);
const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

test('a reader goes on in a list where the last item stood, to the millisecond and by all that orders the list', () => {
  expect(placeAfter(timeCursor(at, 'item_a'), isItem)).toEqual({ at, rest: 'item_a' });
  expect(placeAfter(timeCursor(at, 0, 'item_a'), isItem)).toEqual({ at, rest: '0 item_a' });
  expect(timeCursor(at, 'item_a')).toMatch(/^[\w-]+$/);
});

test.each([
  ['of another list', timeCursor(at, 'other_a')],
  ['with words before the time', cursorOf(`x${at.getTime()} item_a`)],
  ['with a line after the item', cursorOf(`${at.getTime()} item_a\nmore`)],
  ['with a time beyond all calendars', cursorOf(`${'9'.repeat(16)} item_a`)],
  ['without a time', cursorOf(' item_a')],
  ['without an item', cursorOf(`${at.getTime()}`)],
  ['that is empty', ''],
])('a reader’s cursor %s is refused', (_, cursor) => {
  expect(readTimeCursor(cursor, isItem)).toBeUndefined();
  expect(() => placeAfter(cursor, isItem)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      fields: [{ path: 'after', message: 'This cursor does not belong to this list.' }],
    }),
  );
});
