import { randomBytes, randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Orm } from '../../../server/database/orm.ts';
import type { OperatorActor } from '../../../server/domain/shared/actor.ts';
import { DomainError } from '../../../server/domain/shared/DomainError.ts';
import { sql } from '../../../server/domain/shared/sql.ts';
import { redeemLinkCode } from '../../../server/domain/sharing/link-code/redeemLinkCode.ts';
import { advanceSandboxResource } from '../../../server/domain/sandbox/event/advanceSandboxResource.ts';
import { buildSandboxCorpus } from '../../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { generateSandboxLinkCode } from '../../../server/domain/sandbox/event/generateSandboxLinkCode.ts';
import { publishSandboxStatistics } from '../../../server/domain/sandbox/event/publishSandboxStatistics.ts';
import { regenerateSandboxCorpus } from '../../../server/domain/sandbox/corpus/regenerateSandboxCorpus.ts';
import { revokeSandboxShare } from '../../../server/domain/sandbox/event/revokeSandboxShare.ts';
import { soleKey } from '../../../server/domain/shared/keySet.ts';
import type { Fixtures, TestClient } from '../../support/world/Fixtures.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';
import { requestedCorpus } from '../../support/world/sandboxFixtures.ts';

const lookupKeys = soleKey(randomBytes(32));
const clock = { now: () => new Date() };
let world: World;
let orm: Orm;
let fixtures: Fixtures;
let client: TestClient;

beforeAll(async () => {
  world = await openWorld({ poolMax: 10 });
  ({ orm, fixtures } = world);
  client = await fixtures.client();
  await requestedCorpus(world, { clientNumber: client.number, at: clock.now() });
  await buildSandboxCorpus(orm.em.fork(), { clientNumber: client.number, generation: 1, clock });
});
afterAll(() => world.close());

const by = () => {
  const actor: OperatorActor = { type: 'operator', operatorId: client.operatorId, roles: [], ip: '127.0.0.1', requestId: 'req_test' };
  return { actor, clientId: client.id, now: clock.now() };
};
const any = async (table: 'shared_resource' | 'connection') =>
  (
    await sql<{ id: string }>(
      orm.em.fork(),
      `select id from ${table} where client_number = $1 and revocation_id is null order by random() limit 1`,
      [client.number],
    )
  )[0]?.id ?? null;

const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 5));

// Everything shares one event loop here, which generating a corpus keeps busy. On a slow machine, a command may wait too long; it is then
// tried again.
const isLockTimeout = (error: unknown) => error instanceof Error && error.message.includes('lock timeout');

async function build(generation: number): Promise<void> {
  for (;;) {
    try {
      return await buildSandboxCorpus(orm.em.fork(), { clientNumber: client.number, generation, clock });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
  }
}

const deeds = {
  advance: () => advanceSandboxResource(orm.em.fork(), { ...by(), resourceId: null, count: randomInt(1, 31), type: null, ending: false }),
  async link() {
    const { code } = await generateSandboxLinkCode(orm.em.fork(), {
      ...by(),
      orders: randomInt(1, 40),
      vehicles: 5,
      scopes: null,
      statisticsOptedIn: true,
      lookupKeys,
    });
    const actor = { type: 'client', clientId: client.id, certificateId: 'crt_test', ip: '127.0.0.1', requestId: 'req_test' } as const;
    await redeemLinkCode(orm.em.fork(), { actor, client, lookupKeys, code, now: clock.now() });
  },
  revokeResource: async () => revokeSandboxShare(orm.em.fork(), { ...by(), resourceId: await any('shared_resource'), connectionId: null }),
  revokeConnection: async () => revokeSandboxShare(orm.em.fork(), { ...by(), resourceId: null, connectionId: await any('connection') }),
  publish: () => publishSandboxStatistics(orm.em.fork(), by()),
};

test('a sandbox that everything happens to at once, and that is regenerated meanwhile, loses nothing and never locks up', async () => {
  const done = { count: 0, generations: 1, over: false };
  const expected = new Set(['conflict', 'not_found', 'invalid_request']);
  const attempt = async (deed: () => Promise<unknown>) => {
    try {
      await deed();
      done.count += 1;
    } catch (error) {
      if (error instanceof DomainError && expected.has(error.code)) return;
      if (isLockTimeout(error)) return;
      done.over = true;
      throw error;
    }
  };
  const writer = async () => {
    while (!done.over) await attempt(Object.values(deeds)[randomInt(0, 5)]!);
  };
  // One new corpus after every twelve actions, while the writers continue.
  const maker = async () => {
    for (let generation = 2; generation <= 4; generation += 1) {
      for (const from = done.count; done.count < from + 12;) await nextTurn();
      await regenerateSandboxCorpus(orm.em.fork(), by());
      await sql(orm.em.fork(), 'delete from sandbox_actions where client_number = $1', [client.number]);
      await build(generation);
      done.generations = generation;
    }
  };
  await Promise.all([maker().finally(() => (done.over = true)), ...[1, 2, 3, 4].map(writer)]);

  expect(done.generations).toBe(4);
  const [state] = await sql(
    orm.em.fork(),
    `with records as (select position from shared_resource where client_number = $1 union all select position from connection where client_number = $1 and position is not null)
     select count(*) = count(distinct position) as distinct, max(position) <= (select head from client_feed where client_number = $1) as below_head,
       (select epoch from client_feed where client_number = $1) as epoch,
       (select count(*)::int from shared_resource s where client_number = $1 and revocation_id is null and not exists (
         select 1 from tracked_resource t where t.id = s.tracked_resource_id)) as orphans,
       (select count(*)::int from shared_resource s join connection c on c.client_number = s.client_number and c.id = s.connection_id
         where s.client_number = $1 and s.revocation_id is null and c.revocation_id is not null) as left_behind
       from records`,
    [client.number],
  );
  expect(state).toEqual({ distinct: true, below_head: true, epoch: 3, orphans: 0, left_behind: 0 });
}, 120_000);

test('each history still leads to its snapshot’s status', async () => {
  const rows = await sql<{ id: string }>(
    orm.em.fork(),
    `select t.id from tracked_resource t where t.synthetic_for = $1 and t.core::json->>'status' <> (
       select change->>'to' from tracked_change h, json_array_elements(h.changes::json) change
        where h.tracked_resource_id = t.id and change->>'path' = 'status' order by h.sequence desc limit 1)`,
    [client.number],
  );
  expect(rows).toEqual([]);
});
