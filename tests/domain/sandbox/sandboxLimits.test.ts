import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Orm } from '../../../server/database/orm.ts';
import type { OperatorActor } from '../../../server/domain/shared/actor.ts';
import { limits } from '../../../server/domain/shared/limits.ts';
import { advanceSandboxResource } from '../../../server/domain/sandbox/event/advanceSandboxResource.ts';
import { buildSandboxCorpus } from '../../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { generateSandboxLinkCode } from '../../../server/domain/sandbox/event/generateSandboxLinkCode.ts';
import { removeExpired } from '../../../server/domain/retention/removeExpired.ts';
import { soleKey } from '../../../server/domain/shared/keySet.ts';
import type { Fixtures, TestClient } from '../../support/world/Fixtures.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';
import { requestedCorpus } from '../../support/world/sandboxFixtures.ts';

const now = new Date('2026-11-21T10:00:00.250Z');
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const lookupKeys = soleKey(randomBytes(32));
let world: World;
let orm: Orm;
let fixtures: Fixtures;
let client: TestClient;

beforeAll(async () => {
  world = await openWorld({ poolMax: 4 });
  ({ orm, fixtures } = world);
});
beforeEach(async () => {
  client = await fixtures.listeningClient();
  await requestedCorpus(world, { clientNumber: client.number, at: now });
  await buildSandboxCorpus(orm.em.fork(), { clientNumber: client.number, generation: 1, clock: { now: () => now } });
});
afterAll(() => world.close());

const by = (at: Date) => {
  const actor: OperatorActor = { type: 'operator', operatorId: client.operatorId, roles: [], ip: '127.0.0.1', requestId: 'req_test' };
  return { actor, clientId: client.id, now: at };
};
const generate = (orders: number, at = now) =>
  generateSandboxLinkCode(orm.em.fork(), { ...by(at), orders, vehicles: 0, scopes: null, statisticsOptedIn: false, lookupKeys });
const advance = (at: Date) => advanceSandboxResource(orm.em.fork(), { ...by(at), resourceId: null, count: 1, type: null, ending: false });

test('a sandbox holds 5,000 shares with those that live codes promise; the next code is refused until one expires', async () => {
  for (let code = 0; code < 8; code += 1) await generate(500);
  await generate(limits.sandboxShares - 551 - 4_000);
  await expect(generate(1)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('Regenerate the test data') });
  await generate(1, later(limits.linkCodeLifetime));
});

test('twenty codes wait at most', async () => {
  for (let code = 0; code < limits.sandboxLiveLinkCodes; code += 1) await generate(1);
  await expect(generate(1)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('20 link codes') });
  await generate(1, later(limits.linkCodeLifetime));
});

test('300 actions an hour are taken, then with the time to wait', async () => {
  await advance(now);
  await fixtures.sql`update sandbox_actions set count = 299 where client_number = ${client.number}`;
  await advance(later(1));
  await expect(advance(later(2_000))).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 3598 });
  await expect(generate(1, later(2_000))).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  await advance(later(3_600_000));
});

test('generations older than 90 days go; the latest one stays, however old it is', async () => {
  const old = await fixtures.generation(client, { publishedAt: later(-1) });
  const generations = () => fixtures.sql`select id from statistics_generation where client_number = ${client.number} order by published_at`;
  await removeExpired(orm.em.fork(), { now: later(limits.formerGenerationKept - 2) });
  expect(await generations()).toHaveLength(2);
  await removeExpired(orm.em.fork(), { now: later(2 * limits.formerGenerationKept) });
  expect((await generations()).map(({ id }) => id)).not.toContain(old);
  expect(await generations()).toHaveLength(1);
});
