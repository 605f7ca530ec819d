import { describe, expect, test } from '@jest/globals';
import { numberCursors, timeAndIdCursors } from '../../../../server/domain/shared/lists/cursors.ts';
import { newId } from '../../../../server/domain/shared/ids.ts';
import { inOrder, page } from '../../../../server/domain/shared/lists/page.ts';
import { itemsOf } from '../../../support/clients/pages.ts';
import { refusalOf } from '../../../support/feed/sharingCommands.ts';

const numbers = Array.from({ length: 7 }, (_, index) => index + 1);
const cursors = numberCursors<number>((number) => number);
const listed = (first: number, after?: string | null) =>
  page({ first, after }, { cursors, read: async (count, last) => numbers.filter((number) => number > (last ?? 0)).slice(0, count) });

describe('a list', () => {
  test('is read page by page to its end, each item once', async () => {
    const seen: number[] = [];
    for (let after: string | null | undefined; after !== null;) {
      const { pageInfo, ...rest } = await listed(3, after);
      seen.push(...itemsOf({ pageInfo, ...rest }));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    }
    expect(seen).toEqual(numbers);
  });

  test('that ends exactly at the end of a page has no further page', async () => {
    expect((await listed(7)).pageInfo).toMatchObject({ hasNextPage: false });
    expect((await listed(6)).pageInfo).toMatchObject({ hasNextPage: true });
  });

  test('without items has no cursor', async () => {
    const { pageInfo } = await listed(7);
    expect(await listed(7, pageInfo.endCursor)).toEqual({ edges: [], pageInfo: { hasNextPage: false, endCursor: null } });
  });

  test.each([0, -1, 101])('has no page of %d items', async (first) => {
    expect(await refusalOf(listed(first))).toMatchObject({ code: 'invalid_request', paths: ['first'] });
  });

  test.each(['', 'x', Buffer.from('0').toString('base64url'), Buffer.from(String(2 ** 31)).toString('base64url')])(
    'refuses the cursor %p, which is none of its own, before it reads anything',
    async (after) => {
      const read = () => Promise.reject(new Error('The list was read.'));
      expect(await refusalOf(page({ first: 1, after }, { cursors, read }))).toMatchObject({ code: 'invalid_request', paths: ['after'] });
    },
  );

  test('names everything that is wrong with a request at once', async () => {
    const errors = [{ path: 'user', message: 'Enter a user.' }];
    const read = () => Promise.resolve<number[]>([]);
    expect(await refusalOf(page({ first: 0, after: 'x' }, { cursors, errors, read }))).toMatchObject({ paths: ['first', 'after', 'user'] });
  });
});

test('a cursor by time leads back to exactly the place that it was written for', () => {
  const byTime = timeAndIdCursors<{ id: string; at: Date }>('req', ({ at }) => at);
  const item = { id: newId('req'), at: new Date('2026-11-20T12:00:00.123Z') };
  expect(byTime.read(byTime.write(item))).toEqual([item.at, item.id]);
  for (const other of [`1 ${newId('sub')}`, item.id, `9999999999999999 ${item.id}`]) expect(byTime.read(other)).toBeUndefined();
});

test('items come in the order of their identifiers, without those that are gone', () => {
  expect(inOrder(['b', 'x', 'a'], [{ id: 'a' }, { id: 'b' }])).toEqual([{ id: 'b' }, { id: 'a' }]);
});
