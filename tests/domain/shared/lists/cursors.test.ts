import { expect, test } from '@jest/globals';
import { timeCursors } from '../../../../server/domain/shared/lists/cursors.ts';
import { page } from '../../../../server/domain/shared/lists/page.ts';
import { refusalOf } from '../../../support/feed/sharingCommands.ts';

const at = new Date('2026-06-01T12:00:00.123Z');
const cursors = timeCursors(
  ({ moment }: { moment: Date; group: number; id: string }) => moment,
  ({ group, id }) => [group, id],
  (rest): [number, string] | undefined => (/^\d item_[a-z]$/.test(rest) ? [Number(rest[0]), rest.slice(2)] : undefined),
);
const read = (cursor: string) => cursors.read(Buffer.from(cursor, 'base64url').toString('utf8'));
const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

test('a reader goes on in a list where the last item stood, to the millisecond and by all that orders the list', async () => {
  const { pageInfo } = await page({ first: 1 }, { cursors, read: async () => [{ moment: at, group: 0, id: 'item_a' }] });
  expect(read(pageInfo.endCursor ?? '')).toEqual([at, 0, 'item_a']);
  expect(pageInfo.endCursor).toMatch(/^[\w-]+$/);
});

test.each([
  ['of another list', cursorOf(`${at.getTime()} 0 other_a`)],
  ['with words before the time', cursorOf(`x${at.getTime()} 0 item_a`)],
  ['with a line after the item', cursorOf(`${at.getTime()} 0 item_a\nmore`)],
  ['with a time beyond all calendars', cursorOf(`${'9'.repeat(16)} 0 item_a`)],
  ['without a time', cursorOf(' 0 item_a')],
  ['without an item', cursorOf(`${at.getTime()}`)],
  ['that is empty', ''],
])('a reader’s cursor %s is refused', async (_, after) => {
  expect(read(after)).toBeUndefined();
  expect(await refusalOf(page({ first: 1, after }, { cursors, read: async () => [] }))).toMatchObject({
    code: 'invalid_request',
    paths: ['after'],
    message: 'This cursor does not belong to this list.',
  });
});
