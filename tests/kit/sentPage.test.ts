import { expect, test } from '@jest/globals';
import { sentPage } from '../../kit/src/cli/sentPage.ts';
import type { Snapshot } from '../../kit/src/index.ts';
import { textOf } from '../../kit/src/sync/FeedStore.ts';

const read = (text: string) => sentPage({ status: 200, headers: {}, body: Buffer.from(text) });

const awkward = {
  id: 'ord_1',
  type: 'order',
  revision: 3,
  connection_id: 'con_1',
  quotes: 'a " in it, a \\" too, and at the end \\',
  brackets: '}] and {[ in a text',
  nested: { deep: [{ id: 'ord_9', revision: 1 }, [], {}, 'x"]'], letters: 'Grüße, 车, \u2028' },
  list: ['"', '\\"', '\\\\', ''],
  none: null,
};
const tombstone = {
  revocation_id: 'rev_1',
  subject: { type: 'connection', id: 'con_1' },
  connection_id: 'con_1',
  resource: { id: 'ord_2', type: 'order' },
  revoked_at: '2026-11-21T10:00:00.000Z',
};
const rest = { next_cursor: '"{[\\', has_more: true };
const orders = [awkward, { ...awkward, id: 'ord_3' }];

test.each([
  ['as the service writes it', { upserts: orders, tombstones: [tombstone], ...rest }],
  ['in another order', { ...rest, tombstones: [tombstone, tombstone], upserts: orders }],
  [
    'with members of a later version',
    { later: { upserts: [{ id: 'no' }], is: { revision: 1 } }, upserts: orders, tombstones: [], more: [1, [2]], ...rest },
  ],
  ['without records', { upserts: [], tombstones: [], ...rest }],
])('a page %s has each snapshot as it was sent, and everything else whole', (_name, page) => {
  for (const indent of [undefined, 1, '\t']) {
    const { upserts, tombstones, ...other } = read(JSON.stringify(page, null, indent));
    expect(upserts.map(textOf).map((text) => JSON.parse(text) as Snapshot)).toEqual(page.upserts);
    expect(upserts.map(({ id, type, revision, connection_id: connectionId }) => [id, type, revision, connectionId])).toEqual(
      page.upserts.map(({ id, type, revision, connection_id: connectionId }) => [id, type, revision, connectionId]),
    );
    expect(tombstones).toEqual(page.tombstones);
    expect(other).toMatchObject(rest);
    if (indent === undefined) expect(upserts.map(textOf)).toEqual(page.upserts.map((each) => JSON.stringify(each)));
  }
});

test('an answer that is no JSON is refused', () => {
  for (const text of ['', '<html>', '{"upserts":[{"id":"or', '{"upserts":[{}}]'])
    expect(() => read(text)).toThrow('The answer is not JSON.');
});

test('a snapshot is stored letter for letter as it was sent, and nothing inside it is read', () => {
  const sent =
    '{"id":"ord_1","type":"order","revision":3,"connection_id":"con_1","scopes":["a"],"model":"\\u00e9 },{\\"id\\":\\"ord_2\\" \\u0041"}';
  const [snapshot] = read(`{"upserts":[${sent}],"tombstones":[],"next_cursor":"c","has_more":false}`).upserts;
  expect(snapshot && textOf(snapshot)).toBe(sent);
  expect(Object.keys(snapshot ?? {})).toEqual(['id', 'type', 'revision', 'connection_id']);
});

test('a snapshot is also stored as sent where plain members stand before its connection, and is looked for only when it is asked for', () => {
  const sent =
    '{"id":"ord_1","type":"order","revision":30,"updated_at":"2026-11-21T10:00:00.000Z","new":-1.5,"on":true,"connection_id":"con_1"}';
  const [snapshot] = read(`{"upserts":[${sent}],"tombstones":[],"next_cursor":"c","has_more":false}`).upserts;
  expect([snapshot?.revision, snapshot?.connection_id, snapshot && textOf(snapshot)]).toEqual([30, 'con_1', sent]);

  const broken = read('{"upserts":[{"id":"ord_1","type":}],"tombstones":[],"next_cursor":"c","has_more":true}');
  expect([broken.next_cursor, broken.has_more]).toEqual(['c', true]);
  expect(() => broken.upserts).toThrow('The answer is not JSON.');
});

test.each([
  ['a list of which looks like a list of snapshots', { deep: [{ id: 'ord_8' }, { id: 'ord_9' }] }],
  ['without its connection', { connection_id: undefined }],
])('a page with a snapshot %s is parsed whole', (_what, change) => {
  const { upserts } = read(JSON.stringify({ upserts: [{ ...awkward, ...change }, awkward], tombstones: [], ...rest }));
  expect(upserts).toEqual(JSON.parse(JSON.stringify([{ ...awkward, ...change }, awkward])));
});
