import type { Order, SyncPage, Tombstone } from '../../../kit/src/index.ts';

/** A request that a sync makes, what is answered, and whether the machine is lost before the page is committed or right after. */
export type Exchange = {
  readonly updated_since: string | null;
  readonly if_none_match?: string;
  readonly page?: SyncPage;
  readonly etag?: string;
  readonly problem?: 'invalid_cursor';
  readonly not_modified?: true;
  readonly crash?: 'before_commit' | 'after_commit';
};

/** What a back end does, in this order. */
export type SyncStep =
  | { readonly do: 'sync'; readonly exchanges: readonly Exchange[] }
  | { readonly do: 'read'; readonly snapshot: Order }
  | { readonly do: 'gone'; readonly id: string; readonly revocation_id: string }
  | { readonly do: 'delete'; readonly revocation_id: string }
  | { readonly do: 'acknowledge'; readonly answers: readonly { readonly revocation_id: string; readonly status: 200 | 404 | 409 }[] };

type SyncVector = {
  readonly name: string;
  readonly steps: readonly SyncStep[];
  /** What must result: revisions by id, ids that have ended, the cursor, and what is to be deleted, acknowledged and refused. */
  readonly rows: Readonly<Record<string, number>>;
  readonly ended: readonly string[];
  readonly cursor: string | null;
  readonly due: readonly string[];
  readonly acknowledged: readonly string[];
  readonly refused: readonly string[];
};

const id = (prefix: string, n: number) => `${prefix}_${String(n).padStart(26, '0')}`;
const at = (n: number) => `2026-11-2${n % 10}T10:00:00.000Z`;
const order = (n: number, revision = 1, connection = 1): Order => ({
  id: id('ord', n),
  type: 'order',
  revision,
  updated_at: at(1),
  connection_id: id('con', connection),
  scopes: ['orders.read'],
  history_complete: true,
  status: 'placed',
});
const times = (n: number) => ({ revoked_at: at(n), deletion_deadline_at: at(n + 7) });
/** The end of one order. */
const gone = (n: number, revocation: number, connection = 1): Tombstone => ({
  revocation_id: id('rev', revocation),
  subject: { type: 'resource', id: id('ord', n) },
  connection_id: id('con', connection),
  resource: { id: id('ord', n), type: 'order' },
  ...times(1),
});
/** One record of the end of a connection: of an order, or the last one. */
const over = (connection: number, revocation: number, n?: number): Tombstone => ({
  revocation_id: id('rev', revocation),
  subject: { type: 'connection', id: id('con', connection) },
  connection_id: id('con', connection),
  ...(n !== undefined && { resource: { id: id('ord', n), type: 'order' } }),
  ...times(2),
});

type Brought = { readonly more?: true; readonly crash?: Exchange['crash']; readonly etag?: string };
/** A page from this cursor to that one. */
const page = (
  from: string | null,
  to: string,
  records: readonly (Order | Tombstone)[],
  { more, crash, etag = '"page"' }: Brought = {},
): Exchange => ({
  updated_since: from,
  page: {
    upserts: records.filter((record): record is Order => 'revision' in record),
    tombstones: records.filter((record): record is Tombstone => 'subject' in record),
    next_cursor: to,
    has_more: more ?? false,
  },
  etag,
  ...(crash && { crash }),
});
const invalid = (from: string): Exchange => ({ updated_since: from, problem: 'invalid_cursor' });
const sync = (...exchanges: Exchange[]): SyncStep => ({ do: 'sync', exchanges });
const remove = (revocation: number): SyncStep => ({ do: 'delete', revocation_id: id('rev', revocation) });
const acknowledge = (...answers: (readonly [number, 200 | 404 | 409])[]): SyncStep => ({
  do: 'acknowledge',
  answers: answers.map(([n, status]) => ({ revocation_id: id('rev', n), status })),
});

type Result = {
  rows?: Record<number, number>;
  ended?: number[];
  cursor: string | null;
  due?: number[];
  acknowledged?: number[];
  refused?: number[];
};
function script(name: string, steps: readonly SyncStep[], result: Result): SyncVector {
  const revs = (list: readonly number[] = []) => list.map((n) => id('rev', n));
  return {
    name,
    steps,
    rows: Object.fromEntries(Object.entries(result.rows ?? {}).map(([n, revision]) => [id('ord', Number(n)), revision])),
    ended: (result.ended ?? []).map((n) => id('ord', n)),
    cursor: result.cursor,
    due: revs(result.due),
    acknowledged: revs(result.acknowledged),
    refused: revs(result.refused),
  };
}

const first = sync(page(null, 'a', [order(1), order(2), order(3)]));

/** Scripts of syncs, with crashes and what must be there afterwards. */
export const syncVectors = {
  about: 'What a back end asks and is answered, where it crashes, and what its copy must hold afterwards.',
  client_id: id('cli', 1),
  vectors: [
    script('an empty feed', [sync(page(null, 'a', []))], { cursor: 'a' }),
    script('a first sync in pages', [sync(page(null, 'a', [order(1)], { more: true }), page('a', 'b', [order(2)]))], {
      rows: { 1: 1, 2: 1 },
      cursor: 'b',
    }),
    script('an empty page with more behind it', [sync(page(null, 'a', [], { more: true }), page('a', 'b', [order(1)]))], {
      rows: { 1: 1 },
      cursor: 'b',
    }),
    script('a newer revision', [first, sync(page('a', 'b', [order(1, 4)]))], { rows: { 1: 4, 2: 1, 3: 1 }, cursor: 'b' }),
    script(
      'an older revision, as when a page comes again',
      [first, sync(page('a', 'b', [order(1, 4)])), sync(page('b', 'c', [order(1, 2)]))],
      { rows: { 1: 4, 2: 1, 3: 1 }, cursor: 'c' },
    ),
    script(
      'nothing new: the validator of an empty page is sent with the next request',
      [first, sync(page('a', 'a', [], { etag: '"e"' })), sync({ updated_since: 'a', if_none_match: '"e"', not_modified: true })],
      { rows: { 1: 1, 2: 1, 3: 1 }, cursor: 'a' },
    ),
    script(
      'a validator belongs to one request: after a page with records none is sent',
      [first, sync(page('a', 'b', [order(1, 2)], { etag: '"e"' })), sync(page('b', 'c', [order(1, 3)]))],
      { rows: { 1: 3, 2: 1, 3: 1 }, cursor: 'c' },
    ),
    script(
      'a crash before the commit: the page comes again',
      [sync(page(null, 'a', [order(1)], { crash: 'before_commit' })), sync(page(null, 'a', [order(1)]))],
      { rows: { 1: 1 }, cursor: 'a' },
    ),
    script(
      'a crash after the commit: the next page follows',
      [sync(page(null, 'a', [order(1)], { more: true, crash: 'after_commit' })), sync(page('a', 'b', [order(2)]))],
      { rows: { 1: 1, 2: 1 }, cursor: 'b' },
    ),
    script(
      'a crash before the commit of an end',
      [first, sync(page('a', 'b', [gone(1, 1)], { crash: 'before_commit' })), sync(page('a', 'b', [gone(1, 1), order(2, 2)]))],
      { rows: { 2: 2, 3: 1 }, ended: [1], cursor: 'b', due: [1] },
    ),
    script('one resource ends', [first, sync(page('a', 'b', [gone(2, 1)]))], { rows: { 1: 1, 3: 1 }, ended: [2], cursor: 'b', due: [1] }),
    script('the end of something that was never held', [first, sync(page('a', 'b', [gone(9, 1)]))], {
      rows: { 1: 1, 2: 1, 3: 1 },
      ended: [9],
      cursor: 'b',
      due: [1],
    }),
    script(
      'a whole connection ends in one page',
      [first, sync(page('a', 'b', [over(1, 1, 1), over(1, 1, 2), over(1, 1, 3), over(1, 1)]))],
      { ended: [1, 2, 3], cursor: 'b', due: [1] },
    ),
    script(
      'a connection whose last record is still to come is not to be acknowledged',
      [first, sync(page('a', 'b', [over(1, 1, 1), over(1, 1, 2)], { more: true, crash: 'after_commit' }))],
      { rows: { 3: 1 }, ended: [1, 2], cursor: 'b' },
    ),
    script(
      'a connection’s last record after a crash',
      [
        first,
        sync(page('a', 'b', [over(1, 1, 1), over(1, 1, 2)], { more: true, crash: 'after_commit' })),
        sync(page('b', 'c', [over(1, 1, 3), over(1, 1)])),
      ],
      { ended: [1, 2, 3], cursor: 'c', due: [1] },
    ),
    script(
      'an order that was revoked before keeps its own revocation when its connection ends',
      [first, sync(page('a', 'b', [gone(1, 1)])), sync(page('b', 'c', [over(1, 2, 2), over(1, 2, 3), over(1, 2)]))],
      { ended: [1, 2, 3], cursor: 'c', due: [1, 2] },
    ),
    script(
      'a deletion is acknowledged once it is deleted',
      [first, sync(page('a', 'b', [gone(1, 1), gone(2, 2)])), remove(1), acknowledge([1, 200])],
      { rows: { 3: 1 }, ended: [1, 2], cursor: 'b', due: [2], acknowledged: [1] },
    ),
    script('nothing is acknowledged that is not deleted', [first, sync(page('a', 'b', [gone(1, 1)])), acknowledge()], {
      rows: { 2: 1, 3: 1 },
      ended: [1],
      cursor: 'b',
      due: [1],
    }),
    script(
      'an acknowledgement after the deadline',
      [first, sync(page('a', 'b', [gone(1, 1)])), remove(1), acknowledge([1, 409]), acknowledge()],
      { rows: { 2: 1, 3: 1 }, ended: [1], cursor: 'b', refused: [1] },
    ),
    script(
      'a revocation that a regenerated sandbox has taken with it',
      [first, sync(page('a', 'b', [gone(1, 1)])), remove(1), acknowledge([1, 404])],
      { rows: { 2: 1, 3: 1 }, ended: [1], cursor: 'b', refused: [1] },
    ),
    script(
      'a tombstone that comes again asks for no second acknowledgement',
      [
        first,
        sync(page('a', 'b', [gone(1, 1)])),
        remove(1),
        acknowledge([1, 200]),
        sync(invalid('b'), page(null, 'c', [order(2, 2), order(3, 2), gone(1, 1)])),
        acknowledge(),
      ],
      { rows: { 2: 2, 3: 2 }, ended: [1], cursor: 'c', acknowledged: [1] },
    ),
    script(
      'a recovery sync removes what it has not brought',
      [first, sync(invalid('a'), page(null, 'b', [order(1, 2)], { more: true }), page('b', 'c', [order(4)]))],
      { rows: { 1: 2, 4: 1 }, cursor: 'c' },
    ),
    script(
      'a recovery sync keeps what it has brought at the same revision',
      [first, sync(invalid('a'), page(null, 'b', [order(1), order(2), order(3)]))],
      { rows: { 1: 1, 2: 1, 3: 1 }, cursor: 'b' },
    ),
    script(
      'until a recovery sync has come to its end, nothing is removed',
      [first, sync(invalid('a'), page(null, 'b', [order(1, 2)], { more: true, crash: 'after_commit' }))],
      { rows: { 1: 2, 2: 1, 3: 1 }, cursor: 'b' },
    ),
    script(
      'a recovery sync goes on after a crash, and removes at its end what no page of it has brought',
      [
        first,
        sync(invalid('a'), page(null, 'b', [order(1, 2)], { more: true, crash: 'after_commit' })),
        sync(page('b', 'c', [order(2, 2)])),
      ],
      { rows: { 1: 2, 2: 2 }, cursor: 'c' },
    ),
    script(
      'a crash before the last commit of a recovery sync',
      [first, sync(invalid('a'), page(null, 'b', [order(1, 2)], { crash: 'before_commit' })), sync(page(null, 'b', [order(1, 2)]))],
      { rows: { 1: 2 }, cursor: 'b' },
    ),
    script(
      'a recovery sync that has to begin once more forgets what the first one brought',
      [
        first,
        sync(invalid('a'), page(null, 'b', [order(1, 2), order(2, 2)], { more: true }), invalid('b'), page(null, 'c', [order(1, 3)])),
      ],
      { rows: { 1: 3 }, cursor: 'c' },
    ),
    script('a single read that is newer', [first, { do: 'read', snapshot: order(1, 5) }, sync(page('a', 'b', [order(1, 4)]))], {
      rows: { 1: 5, 2: 1, 3: 1 },
      cursor: 'b',
    }),
    script(
      'a single read of what has ended brings nothing back',
      [first, sync(page('a', 'b', [gone(1, 1)])), { do: 'read', snapshot: order(1, 9) }],
      { rows: { 2: 1, 3: 1 }, ended: [1], cursor: 'b', due: [1] },
    ),
    script('a single read of what is not held yet waits for sync', [first, { do: 'read', snapshot: order(4) }], {
      rows: { 1: 1, 2: 1, 3: 1 },
      cursor: 'a',
    }),
    script(
      'a 410 ends what is held, and a page that was read before does not bring it back',
      [first, { do: 'gone', id: id('ord', 1), revocation_id: id('rev', 1) }, sync(page('a', 'b', [order(1, 4)]))],
      { rows: { 2: 1, 3: 1 }, ended: [1], cursor: 'b' },
    ),
    script(
      'after a 410, the tombstone brings the deletion',
      [first, { do: 'gone', id: id('ord', 1), revocation_id: id('rev', 1) }, sync(page('a', 'b', [gone(1, 1)]))],
      { rows: { 2: 1, 3: 1 }, ended: [1], cursor: 'b', due: [1] },
    ),
    script('the same order shared again has another ID', [first, sync(page('a', 'b', [gone(1, 1), order(7, 1, 2)]))], {
      rows: { 2: 1, 3: 1, 7: 1 },
      ended: [1],
      cursor: 'b',
      due: [1],
    }),
    script(
      'a type and a status of a later version are stored as they come',
      [sync(page(null, 'a', [{ ...order(1), status: 'lost_at_sea' }]))],
      { rows: { 1: 1 }, cursor: 'a' },
    ),
  ] satisfies SyncVector[],
};
