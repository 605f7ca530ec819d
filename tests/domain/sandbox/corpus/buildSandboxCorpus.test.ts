import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Orm } from '../../../../server/database/orm.ts';
import { sql } from '../../../../server/domain/shared/sql.ts';
import { allScopes, type Scope } from '../../../../server/domain/shared/scopes.ts';
import { buildSandboxCorpus } from '../../../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { orderStatistics, type StatisticsRow } from '../../../../server/domain/statistics/orderStatistics.ts';
import { publishStatisticsGeneration } from '../../../../server/domain/statistics/publishStatisticsGeneration.ts';
import { statisticsRowsSql } from '../../../../server/domain/statistics/publishStatisticsGeneration.sql.ts';
import type { Fixtures } from '../../../support/world/Fixtures.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';
import { requestedCorpus } from '../../../support/world/sandboxFixtures.ts';

const now = new Date('2026-11-21T10:00:00.250Z');
const clock = { now: () => now };
let world: World;
let orm: Orm;
let fixtures: Fixtures;

beforeAll(async () => {
  world = await openWorld({ poolMax: 4 });
  ({ orm, fixtures } = world);
});

afterAll(() => world.close());

async function requested(scopes: readonly Scope[] = allScopes): Promise<number> {
  const { number } = await fixtures.client({ scopes });
  await requestedCorpus(world, { clientNumber: number, at: now });
  return number;
}

async function counts(clientNumber: number) {
  const [row] = await sql(
    orm.em.fork(),
    `select count(*) filter (where type = 'order' and revocation_id is null)::int as orders, count(*) filter (where type = 'vehicle' and revocation_id is null)::int as vehicles,
       count(revocation_id)::int as revoked, count(distinct position)::int as positions, coalesce(min(position), 0)::int as first, coalesce(max(position), 0)::int as last,
       (select head::int from client_feed where client_number = $1) as head, (select count(distinct user_ref)::int from connection where client_number = $1) as users,
       (select count(*)::int from statistics_generation where client_number = $1) as generations,
       (select ready_at is not null from sandbox_corpus where client_number = $1) as ready
     from shared_resource where client_number = $1`,
    [clientNumber],
  );
  return row;
}

const whole = {
  orders: 500,
  vehicles: 50,
  revoked: 1,
  positions: 551,
  first: 1,
  last: 551,
  head: 551,
  users: 300,
  generations: 1,
  ready: true,
};
const nothing = { orders: 0, vehicles: 0, revoked: 0, positions: 0, first: 0, last: 0, head: 0, users: 0, generations: 0, ready: false };

test('a corpus has 500 orders, 50 vehicles and one tombstone at positions without gap, and a retry adds nothing', async () => {
  const clientNumber = await requested();
  await buildSandboxCorpus(orm.em.fork(), { clientNumber, generation: 1, clock });
  expect(await counts(clientNumber)).toEqual(whole);
  await buildSandboxCorpus(orm.em.fork(), { clientNumber, generation: 1, clock });
  expect(await counts(clientNumber)).toEqual(whole);
  const incomplete = await sql(
    orm.em.fork(),
    `select s.type from shared_resource s join tracked_resource t on t.id = s.tracked_resource_id where s.client_number = $1 and not t.history_complete order by 1`,
    [clientNumber],
  );
  expect(incomplete).toEqual([{ type: 'order' }, { type: 'vehicle' }]);
});

test('four runs at once make one corpus', async () => {
  const clientNumber = await requested();
  await Promise.all([1, 2, 3, 4].map(() => buildSandboxCorpus(orm.em.fork(), { clientNumber, generation: 1, clock })));
  expect(await counts(clientNumber)).toEqual(whole);
});

/** Everything that is stored for a client, by kind. */
async function storedKinds(clientNumber: number) {
  const [row] = await sql(
    orm.em.fork(),
    `select (select coalesce(json_object_agg(type, n), '{}') from (select type, count(*) n from tracked_resource where synthetic_for = $1 group by 1) t) as tracked,
       (select count(*)::int from tracked_resource where synthetic_for = $1 and shipping is not null) > 0 as voyages,
       (select coalesce(json_agg(distinct t.type || ' ' || h.section), '[]') from tracked_change h join tracked_resource t on t.id = h.tracked_resource_id
         where t.synthetic_for = $1) as histories,
       (select count(*)::int from connection where client_number = $1) > 0 as connections,
       (select count(*)::int from connection where client_number = $1 and statistics_opted_in) > 0 as participants,
       (select coalesce(json_agg(s.type), '[]') from revocation r join shared_resource s on s.client_number = r.client_number and s.id = r.subject_id
         where r.client_number = $1) as revoked,
       (select count(*)::int from statistics_generation where client_number = $1) as generations`,
    [clientNumber],
  );
  return row;
}

const empty = { tracked: {}, voyages: false, histories: [], connections: false, participants: false, revoked: [], generations: 0 };

test.each<[Scope[], object]>([
  [['revocations.ack'], empty],
  [['statistics.orders.read', 'revocations.ack'], { ...empty, generations: 1 }],
  [['orders.read'], { ...empty, tracked: { order: 501 }, connections: true, revoked: ['order'] }],
  [
    ['vehicles.read', 'vehicles.history.read', 'statistics.orders.read'],
    {
      ...empty,
      tracked: { vehicle: 51 },
      histories: ['vehicle core'],
      connections: true,
      participants: true,
      revoked: ['vehicle'],
      generations: 1,
    },
  ],
  [
    ['orders.read', 'vehicles.read', 'shipping.read'],
    { ...empty, tracked: { order: 501, vehicle: 50 }, voyages: true, connections: true, revoked: ['order'] },
  ],
])('with the scopes %j a sandbox stores only what they allow', async (scopes, expected) => {
  const clientNumber = await requested(scopes);
  await buildSandboxCorpus(orm.em.fork(), { clientNumber, generation: 1, clock });
  expect(await storedKinds(clientNumber)).toEqual(expected);
  expect(
    await sql(orm.em.fork(), 'select ready_at from sandbox_corpus where client_number = $1 and ready_at is null', [clientNumber]),
  ).toEqual([]);
  const idle = await sql(
    orm.em.fork(),
    'select 1 from connection c where client_number = $1 and (c.scopes <> $2 or not exists (select 1 from shared_resource s where s.client_number = $1 and s.connection_id = c.id))',
    [clientNumber, scopes],
  );
  expect(idle).toEqual([]);
});

test.each<[Scope[]]>([[['statistics.orders.read']], [['statistics.orders.read', 'vehicles.read']]])(
  'with %j, where number order is stored, the next publication repeats the generation',
  async (scopes) => {
    const clientNumber = await requested(scopes);
    await buildSandboxCorpus(orm.em.fork(), { clientNumber, generation: 1, clock });
    await publishStatisticsGeneration(orm.em.fork(), { clientNumber, now });
    const generations = await sql<{ groups: string }>(
      orm.em.fork(),
      'select groups from statistics_generation where client_number = $1 order by published_at',
      [clientNumber],
    );
    expect(generations).toHaveLength(2);
    expect(JSON.parse(generations[0]!.groups).length).toBeGreaterThan(4);
    expect(generations[1]).toEqual(generations[0]);
  },
);

test.each<[readonly Scope[]]>([[allScopes], [['orders.read', 'statistics.orders.read']]])(
  'publishing over a fresh corpus of %j gives the same groups on the same basis',
  async (scopes) => {
    const clientNumber = await requested(scopes);
    await buildSandboxCorpus(orm.em.fork(), { clientNumber, generation: 1, clock });
    const rows = await sql<StatisticsRow>(orm.em.fork(), statisticsRowsSql, [clientNumber, '2022-01-01']);
    const [stored] = await sql<{ groups: string; basis: string }>(
      orm.em.fork(),
      'select groups, basis from statistics_generation where client_number = $1',
      [clientNumber],
    );
    const { groups, basis } = orderStatistics(rows);
    expect(groups.length).toBeGreaterThan(4);
    expect({ groups, basis }).toEqual({ groups: JSON.parse(stored!.groups), basis: JSON.parse(stored!.basis) });
  },
);

test('a failure at the last statement leaves nothing but “building”, and the next attempt completes the corpus', async () => {
  const clientNumber = await requested();
  const em = orm.em.fork();
  const tracked = async () => (await sql<{ n: number }>(em, 'select count(*)::int as n from tracked_resource'))[0]!.n;
  const before = await tracked();
  await sql(em, `create function fail() returns trigger language plpgsql as $$ begin raise exception 'the machine went away'; end $$`);
  await sql(em, 'create trigger fail after insert on shared_resource for each statement execute function fail()');
  await expect(buildSandboxCorpus(orm.em.fork(), { clientNumber, generation: 1, clock })).rejects.toThrow();
  await sql(em, 'drop trigger fail on shared_resource');
  expect(await counts(clientNumber)).toEqual(nothing);
  expect(await tracked()).toBe(before);
  expect(await sql(em, 'select started_at is not null as started from sandbox_corpus where client_number = $1', [clientNumber])).toEqual([
    { started: true },
  ]);
  await buildSandboxCorpus(orm.em.fork(), { clientNumber, generation: 1, clock });
  expect(await counts(clientNumber)).toEqual(whole);
});
