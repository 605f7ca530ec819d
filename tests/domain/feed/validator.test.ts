import { expect, test } from '@jest/globals';
import { pageValidator, snapshotValidator } from '../../../server/domain/feed/validator.ts';

const page = { clientNumber: 1, limit: 100, epoch: 1, head: 11, position: 1, cursorTag: 'a' };

test('an operator’s page has one strong ETag as long as all that decides its contents stays, and another one after that', () => {
  const etag = pageValidator(page);
  expect(etag).toMatch(/^"[A-Za-z0-9_-]{22}"$/);
  expect(pageValidator({ ...page })).toBe(etag);
  const others = (Object.keys(page) as (keyof typeof page)[]).map((part) => pageValidator({ ...page, [part]: `${page[part]}1` }));
  // The same digits, divided differently: 1 and 111, not 11 and 11.
  others.push(pageValidator({ ...page, head: 1, position: 111 }));
  expect(new Set([etag, ...others]).size).toBe(others.length + 1);
});

test('an operator’s snapshot has another ETag with each revision, and none in common with other snapshots or with pages', () => {
  const etag = snapshotValidator('res_1', '3');
  expect(etag).toMatch(/^"[A-Za-z0-9_-]{22}"$/);
  expect(snapshotValidator('res_1', 3)).toBe(etag);
  expect(new Set([etag, snapshotValidator('res_1', '4'), snapshotValidator('res_2', '3'), pageValidator(page)]).size).toBe(4);
});
