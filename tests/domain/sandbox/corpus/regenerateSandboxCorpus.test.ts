import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Orm } from '../../../../server/database/orm.ts';
import type { OperatorActor } from '../../../../server/domain/shared/actor.ts';
import { sql } from '../../../../server/domain/shared/sql.ts';
import { buildSandboxCorpus } from '../../../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { failSandboxCorpus } from '../../../../server/domain/sandbox/corpus/failSandboxCorpus.ts';
import { regenerateSandboxCorpus } from '../../../../server/domain/sandbox/corpus/regenerateSandboxCorpus.ts';
import type { Fixtures, TestClient } from '../../../support/world/Fixtures.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';
import { requestedCorpus } from '../../../support/world/sandboxFixtures.ts';
import { acknowledgementKey, sandboxLinkCode } from '../../../support/world/sharingFixtures.ts';

let at = Date.parse('2026-11-21T10:00:00.250Z');
const clock = { now: () => new Date((at += 1)) };
let world: World;
let orm: Orm;
let fixtures: Fixtures;

beforeAll(async () => {
  world = await openWorld({ poolMax: 8 });
  ({ orm, fixtures } = world);
});
afterAll(() => world.close());

const actorOf = ({ operatorId }: TestClient): OperatorActor => ({
  type: 'operator',
  operatorId,
  roles: [],
  ip: '127.0.0.1',
  requestId: 'req_test',
});
const regenerate = (client: TestClient) =>
  regenerateSandboxCorpus(orm.em.fork(), { actor: actorOf(client), clientId: client.id, now: clock.now() });
const build = (client: TestClient, generation: number) =>
  buildSandboxCorpus(orm.em.fork(), { clientNumber: client.number, generation, clock });

async function sandbox(): Promise<TestClient> {
  const client = await fixtures.client();
  await requestedCorpus(world, { clientNumber: client.number, at: clock.now() });
  await build(client, 1);
  return client;
}

const tables = ['connection', 'shared_resource', 'revocation', 'acknowledgement_key', 'link_code', 'statistics_generation'];

async function idsOf(client: TestClient): Promise<Record<string, string[]>> {
  const rows = await Promise.all(
    tables.map((table) =>
      sql<{ id: string }>(
        orm.em.fork(),
        `select ${table === 'acknowledgement_key' ? 'key' : 'id'} as id from ${table} where client_number = $1 order by 1`,
        [client.number],
      ),
    ),
  );
  return Object.fromEntries(tables.map((table, index) => [table, rows[index]!.map(({ id }) => id)]));
}
const trackedOf = async (client: TestClient) =>
  (await sql<{ id: string }>(orm.em.fork(), 'select id from tracked_resource where synthetic_for = $1', [client.number])).map(
    ({ id }) => id,
  );
const feedOf = async (client: TestClient) =>
  (
    await sql<{ head: number; epoch: number }>(orm.em.fork(), 'select head::int as head, epoch from client_feed where client_number = $1', [
      client.number,
    ])
  )[0]!;

test('a new generation takes the place of everything that was shared in the sandbox; another’s stays as it is', async () => {
  const [client, other] = [await sandbox(), await sandbox()];
  // What a busy sandbox has besides its corpus: a resource from the tooling, an acknowledged revocation, a live link code.
  const connection = await fixtures.connection(client);
  const [foreign] = await fixtures.share(client, connection, 1);
  await acknowledgementKey(world, { clientNumber: client.number, at: clock.now() });
  await sandboxLinkCode(world, { clientNumber: client.number, at: clock.now() });
  const [before, tracked, feed] = [await idsOf(client), await trackedOf(client), await feedOf(client)];
  const [otherBefore, otherTracked, otherFeed] = [await idsOf(other), await trackedOf(other), await feedOf(other)];

  expect(await regenerate(client)).toMatchObject({ generation: 2, readyAt: null });
  expect(await idsOf(client)).toEqual(before);
  await build(client, 2);

  const after = await idsOf(client);
  expect(after['shared_resource']).toHaveLength(551);
  expect(after['connection']).toHaveLength(300);
  expect([after['revocation'], after['acknowledgement_key'], after['link_code']].map((ids) => ids?.length)).toEqual([1, 0, 0]);
  expect(after['statistics_generation']).toHaveLength(1);
  const known = new Set(Object.values(before).flat());
  expect(
    Object.values(after)
      .flat()
      .filter((id) => known.has(id)),
  ).toEqual([]);
  expect(await feedOf(client)).toEqual({ head: feed.head + 551, epoch: feed.epoch + 1 });
  const trackedAfter = await trackedOf(client);
  expect(trackedAfter).toHaveLength(551);
  expect(trackedAfter.filter((id) => tracked.includes(id))).toEqual([]);
  const [left] = await sql<{ n: number }>(
    orm.em.fork(),
    'select count(*)::int as n from tracked_change where tracked_resource_id = any($1::bigint[])',
    [tracked],
  );
  expect(left).toEqual({ n: 0 });
  expect(foreign).toBeDefined();
  const foreignTracked = await sql(orm.em.fork(), `select 1 from tracked_resource where synthetic_for is null`);
  expect(foreignTracked).toHaveLength(1);
  expect([await idsOf(other), await trackedOf(other), await feedOf(other)]).toEqual([otherBefore, otherTracked, otherFeed]);
});

test('until the new one is whole the old one stays, also when making it fails', async () => {
  const client = await sandbox();
  await regenerate(client);
  const [before, feed] = [await idsOf(client), await feedOf(client)];
  const em = orm.em.fork();
  await sql(em, `create function fail() returns trigger language plpgsql as $$ begin raise exception 'the machine went away'; end $$`);
  await sql(em, 'create trigger fail after insert on shared_resource for each statement execute function fail()');
  await expect(build(client, 2)).rejects.toThrow();
  await sql(em, 'drop trigger fail on shared_resource');
  expect([await idsOf(client), await feedOf(client)]).toEqual([before, feed]);
  await failSandboxCorpus(orm.em.fork(), { clientNumber: client.number, generation: 2, now: clock.now() });
  // A corpus that failed can be requested again; one that was superseded is no longer built.
  expect(await regenerate(client)).toMatchObject({ generation: 3 });
  await build(client, 2);
  expect(await idsOf(client)).toEqual(before);
  await build(client, 3);
  expect((await feedOf(client)).epoch).toBe(feed.epoch + 1);
});

test('meanwhile, readers see either the old sandbox or the new one, never half of one', async () => {
  const client = await sandbox();
  const head = (await feedOf(client)).head;
  await regenerate(client);
  let done = false;
  const seen = new Set<string>();
  const reading = (async () => {
    const em = orm.em.fork();
    while (!done) {
      const [row] = await sql<{ state: string }>(
        em,
        `select concat_ws(' ', f.epoch, f.head, (select count(*) from shared_resource s join tracked_resource t on t.id = s.tracked_resource_id where s.client_number = $1),
           (select count(*) from connection where client_number = $1), (select count(*) from statistics_generation where client_number = $1)) as state
           from client_feed f where f.client_number = $1`,
        [client.number],
      );
      seen.add(row!.state);
    }
  })();
  await build(client, 2);
  done = true;
  await reading;
  const allowed = new Set([`0 ${head} 551 300 1`, `1 ${head + 551} 551 300 1`]);
  expect([...seen].filter((state) => !allowed.has(state))).toEqual([]);
});

test('one at a time: of eight at the same moment, one is accepted', async () => {
  const client = await sandbox();
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => regenerate(client)));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'conflict' });
  const jobs = await sql(orm.em.fork(), `select 1 from graphile_worker._private_jobs where payload->>'clientNumber' = $1`, [
    String(client.number),
  ]);
  expect(jobs).toHaveLength(1);
});

test('six times an hour, then with the time to wait; another’s client and a retired one are refused', async () => {
  const client = await sandbox();
  for (let generation = 2; generation <= 6; generation += 1) {
    await regenerate(client);
    await sql(orm.em.fork(), 'update sandbox_corpus set ready_at = requested_at where client_number = $1', [client.number]);
  }
  await expect(regenerate(client)).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 3600 });
  at += 3_600_000;
  await regenerate(client);
  const stranger = await fixtures.client();
  const asStranger = regenerateSandboxCorpus(orm.em.fork(), { actor: actorOf(stranger), clientId: client.id, now: clock.now() });
  await expect(asStranger).rejects.toMatchObject({ code: 'not_found' });
  await fixtures.sql`update integration set status = 'retired' where id = ${stranger.integrationId}`;
  await expect(regenerate(stranger)).rejects.toMatchObject({ code: 'conflict' });
  const production = await fixtures.client({ environment: 'production', status: 'active' });
  await expect(regenerate(production)).rejects.toMatchObject({ code: 'not_found' });
});

test('a resource that is deleted finds its shares by an index, the revoked ones too', async () => {
  await sandbox();
  await fixtures.sql`analyze shared_resource`;
  // The statement that the foreign key runs for each deleted row.
  const plan = await fixtures.sql`explain update shared_resource set tracked_resource_id = null where tracked_resource_id = 1`;
  expect(JSON.stringify(plan)).toContain('shared_resource_fan_out');
});
