import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Ended, Snapshot, SyncPage } from '../../kit/src/index.ts';
import { postgresFeed } from '../../kit/src/postgres.ts';
import { buildSandboxCorpus } from '../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { regenerateSandboxCorpus } from '../../server/domain/sandbox/corpus/regenerateSandboxCorpus.ts';
import { differences, feedTruth } from '../support/feed/feedTruth.ts';
import { Sharing } from '../support/feed/sharing.ts';
import { kitClient } from '../support/kit/kitClient.ts';
import { endedResources, kitStores, openKitFeed, operatorDatabase, type KitStore, type TestFeed } from '../support/kit/kitFeeds.ts';
import { until } from '../support/run/until.ts';
import type { TestClient } from '../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';
import { requestedCorpus } from '../support/world/sandboxFixtures.ts';

let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world.close());

/** An operator’s back end with the kit, whose handlers note what they are called with. */
async function operator(store: KitStore) {
  const { client, certificate } = await world.backEnd();
  await world.fixtures.override(client, 'requests_per_minute', 1_000);
  const kit = (await kitClient(world, certificate)).client;
  const noted = { upserted: [] as Snapshot[], ended: [] as Ended[], failing: false };
  const opened = await openKitFeed(world, store, {
    upserted(_tx, snapshot) {
      if (noted.failing) throw new Error('A write of the caller’s fails.');
      noted.upserted.push(snapshot);
    },
    ended: (_tx, resource) => void noted.ended.push(resource),
  });
  return { client, kit, noted, ...opened };
}

/** The copy is what the service shares, and knows every end. */
async function expectMirror(client: TestClient, { held }: TestFeed): Promise<void> {
  const [truth, copy] = [await feedTruth(world.fixtures.sql, client.number), await held()];
  expect(differences({ records: copy.records, tombstones: new Map() }, { records: truth.records, tombstones: new Map() })).toEqual([]);
  for (const id of endedResources(truth)) expect(copy.ended).toContain(id);
}

describe.each(kitStores)('the feed in %s', (store) => {
  test('follows grants, updates and ends page by page, and asks for nothing that has not changed', async () => {
    const { client, kit, noted, ...opened } = await operator(store);
    const { feed } = opened;
    const connectionId = await world.fixtures.connection(client);
    const ids = await world.fixtures.share(client, connectionId, 7, { shipping: true });
    expect(await kit.sync(feed, { pageSize: 3 })).toEqual({ upserts: 7, ended: 0, pages: 3, recovered: true });
    expect(noted.upserted.map(({ id }) => id)).toEqual(ids);

    await world.fixtures.touch(client, ids[0] ?? '');
    const revocationId = await world.fixtures.revoke(client, connectionId, ids[1] ?? '');
    expect(await kit.sync(feed)).toEqual({ upserts: 1, ended: 1, pages: 1, recovered: false });
    expect(noted.upserted.at(-1)).toMatchObject({ id: ids[0], revision: 2 });
    expect(noted.ended).toEqual([{ id: ids[1], type: 'order', connectionId, revocationId }]);
    await expectMirror(client, opened);

    // The first empty page brings the validator, and from then on nothing is sent.
    expect(await kit.sync(feed)).toMatchObject({ pages: 1 });
    expect(await kit.sync(feed)).toEqual({ upserts: 0, ended: 0, pages: 0, recovered: false });
    await world.fixtures.touch(client, ids[2] ?? '');
    expect(await kit.sync(feed)).toMatchObject({ upserts: 1, pages: 1 });
    await expectMirror(client, opened);
  });

  test('commits a page with the caller’s writes, or nothing of it', async () => {
    const { client, kit, noted, ...opened } = await operator(store);
    const connectionId = await world.fixtures.connection(client);
    await world.fixtures.share(client, connectionId, 2);
    noted.failing = true;
    await expect(kit.sync(opened.feed)).rejects.toThrow('A write of the caller’s fails.');
    expect((await opened.held()).records.size).toBe(0);
    noted.failing = false;
    expect(await kit.sync(opened.feed)).toMatchObject({ upserts: 2, recovered: true });
    await expectMirror(client, opened);
  });

  test('a whole connection ends with its last record, and each resource that was held ends once', async () => {
    const { client, kit, noted, ...opened } = await operator(store);
    const { connectionId, orders } = await sharing.share(client, { orders: 4 });
    await kit.sync(opened.feed);
    await sharing.revokeConnection(client, connectionId);
    // Read in pages of two, the connection’s own record comes by itself.
    expect(await kit.sync(opened.feed, { pageSize: 2 })).toMatchObject({ ended: 4, pages: 3 });
    expect(noted.ended.map(({ id }) => id).sort()).toEqual(orders.toSorted());
    await expectMirror(client, opened);
  });

  test('a recovery sync begins by itself, goes on after an interruption, and removes at its end what it has not brought', async () => {
    const { client, kit, noted, ...opened } = await operator(store);
    const actor = { type: 'operator', operatorId: client.operatorId, roles: [], ip: '127.0.0.1', requestId: 'req_test' } as const;
    await requestedCorpus(world, { clientNumber: client.number, at: world.clock.now() });
    await buildSandboxCorpus(world.em(), { clientNumber: client.number, generation: 1, clock: world.clock });
    await kit.sync(opened.feed);
    const before = (await opened.held()).records;
    await regenerateSandboxCorpus(world.em(), { actor, clientId: client.id, now: world.clock.now() });
    await buildSandboxCorpus(world.em(), { clientNumber: client.number, generation: 2, clock: world.clock });

    const controller = new AbortController();
    const interrupted = kit.sync(opened.feed, { pageSize: 100, signal: controller.signal, progress: () => controller.abort() });
    await expect(interrupted).rejects.toThrow(/abort/);
    // What the old data left is still there, beside the first page of the new data.
    expect((await opened.held()).records.size).toBeGreaterThan(before.size);
    expect(noted.ended).toEqual([]);
    expect(await kit.sync(opened.feed)).toMatchObject({ ended: before.size, recovered: true });
    expect(noted.ended.map(({ id }) => id).sort()).toEqual([...before.keys()].sort());
    expect(noted.ended.every((ended) => !('revocationId' in ended))).toBe(true);
    await expectMirror(client, opened);
    expect(await kit.sync(opened.feed, { recover: true })).toMatchObject({ upserts: 0, ended: 0, recovered: true });
    await expectMirror(client, opened);
  });

  test('nothing that was read before access ended brings it back', async () => {
    const { client, kit, noted, ...opened } = await operator(store);
    const { feed } = opened;
    const connectionId = await world.fixtures.connection(client);
    const ids = await world.fixtures.share(client, connectionId, 3);
    const [first = '', second = '', third = ''] = ids;
    const asked = await kit.order(first);
    const from = await feed.begin(client.id);
    const page = (await kit.page()).value as SyncPage;
    await kit.sync(feed);

    // A single read, and a page from a place that has been left.
    await world.fixtures.revoke(client, connectionId, first);
    await kit.sync(feed);
    expect(await feed.refresh({ ...asked.value, revision: 9 })).toBe(false);
    expect(await feed.apply(from, page, 'old')).toMatchObject({ counts: null });

    // A page that was read from where the feed still is, before a 410 said that access had ended.
    await world.fixtures.touch(client, second);
    const here = await feed.begin(client.id);
    const update = await kit.page({ updatedSince: here.cursor ?? '' });
    await world.fixtures.revoke(client, connectionId, second);
    const gone = await kit.order(second).catch((error) => feed.end(error));
    expect(gone).toBeNull();
    expect(await feed.apply(here, update.value as SyncPage, update.etag)).toMatchObject({ counts: { upserts: 0, ended: 0 } });
    expect([...(await opened.held()).records.keys()]).toEqual([third]);

    // Its own tombstone then ends nothing a second time, and what is new never enters by a single read.
    await kit.sync(feed);
    expect(noted.ended.map(({ id }) => id)).toEqual([first, second]);
    const [fourth = ''] = await world.fixtures.share(client, connectionId, 1);
    expect(await feed.refresh((await kit.order(fourth)).value)).toBe(false);
    await world.fixtures.touch(client, third);
    expect(await feed.refresh((await kit.order(third)).value)).toBe(true);
    await kit.sync(feed);
    await expectMirror(client, opened);
  });

  test('a snapshot that is taken up during a recovery sync is kept, and one of before it goes', async () => {
    const { client, kit, noted, ...opened } = await operator(store);
    const { feed } = opened;
    const connectionId = await world.fixtures.connection(client);
    const ids = await world.fixtures.share(client, connectionId, 2);
    await kit.sync(feed);
    const stale = (await kit.order(ids[1] ?? '')).value;
    const at = await feed.recover(await feed.begin(client.id));
    const page = (await kit.page()).value as SyncPage;
    const [kept, lost] = [page.upserts.slice(0, 1), page.upserts.slice(1)];
    const next = await feed.apply(at, { ...page, upserts: kept, has_more: true }, '');
    expect(await feed.refresh({ ...(kept[0] as Snapshot), revision: 5 })).toBe(true);
    expect(await feed.refresh({ ...stale, revision: 5 })).toBe(true);
    await feed.apply(next.checkpoint, { ...page, upserts: [], has_more: false }, '');
    expect(noted.ended.map(({ id }) => id)).toEqual(lost.map(({ id }) => id));
    expect([...(await opened.held()).records.keys()]).toEqual(kept.map(({ id }) => id));
  });

  test('two syncs of one store at once lose nothing and count nothing twice', async () => {
    const { client, kit, noted, ...opened } = await operator(store);
    const connectionId = await world.fixtures.connection(client);
    const ids = await world.fixtures.share(client, connectionId, 40);
    const synced = await Promise.all(Array.from({ length: 3 }, () => kit.sync(opened.feed, { pageSize: 5 })));
    expect(synced.reduce((sum, { upserts }) => sum + upserts, 0)).toBe(40);
    expect(noted.upserted.map(({ id }) => id).sort()).toEqual(ids.toSorted());
    await expectMirror(client, opened);
  });

  test('a store takes no other client’s feed', async () => {
    const { kit, feed } = await operator(store);
    await kit.sync(feed);
    const other = await operator(store);
    await expect(other.kit.sync(feed)).rejects.toMatchObject({ code: 'other_client' });
  });

  test('the id of an event is committed once', async () => {
    const { feed } = await operator(store);
    const { commitEvent } = feed;
    const answers = await Promise.all(Array.from({ length: 4 }, async () => commitEvent({ id: 'evt_1' })));
    expect(answers.filter(Boolean)).toHaveLength(1);
  });
});

test('in SQLite, a handler that returns a promise is refused, because its writes would come after the commit', async () => {
  const { client, certificate } = await world.backEnd();
  const kit = (await kitClient(world, certificate)).client;
  const connectionId = await world.fixtures.connection(client);
  await world.fixtures.share(client, connectionId, 1);
  const { feed, held } = await openKitFeed(world, 'sqlite', { upserted: async () => {} });
  await expect(kit.sync(feed)).rejects.toThrow('must not return a promise');
  expect((await held()).records.size).toBe(0);
});

test('in PostgreSQL, a process that starts while another one applies a page waits for it, and neither is refused', async () => {
  const pool = new pg.Pool({ connectionString: await operatorDatabase(world), max: 3 });
  world.onClose(() => pool.end());
  await postgresFeed(pool).begin('cli_1');
  const applying = await pool.connect();
  await applying.query('begin; select 1 from svc_checkpoint for update');
  const { rows: own } = await applying.query<{ pid: number }>('select pg_backend_pid() as pid');
  const starting = Promise.resolve(postgresFeed(pool).begin('cli_1'));
  starting.catch(() => {});
  await until('the wait of the one that starts', async () => {
    const { rows } = await pool.query('select 1 from pg_stat_activity where $1 = any (pg_blocking_pids(pid))', [own[0]?.pid]);
    return rows[0];
  });
  await applying.query('update svc_resource set seen = 1; commit');
  applying.release();
  await expect(starting).resolves.toMatchObject({ clientId: 'cli_1' });
});
