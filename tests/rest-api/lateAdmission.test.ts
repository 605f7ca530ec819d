import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { settingsOf } from '../../server/database/connection/connectionUses.ts';
import { answerLimit } from '../../server/database/connection/openPool.ts';
import { limits } from '../../server/domain/shared/limits.ts';
import { expectProblem } from '../support/clients/problems.ts';
import { believeOwnClock } from '../support/database/ownClock.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  await believeOwnClock(world.urls.owner);
});
afterAll(() => world.close());
afterEach(() => world.clock.reset());

test('what the database decides when nobody waits for it any more is 503 and takes nothing', async () => {
  const { machine } = await world.backEnd();
  const taken = () =>
    world.rows(`select hour_count, minute_count, redeem_count, cardinality(leases) as held, (select count(*)::int from redeem_source) as sources
                  from client_quota`);
  const calls = [
    () => machine.call('/v1/capabilities', { describe: false }),
    () => machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code: '0000000000' } }),
  ];
  world.clock.advance(-limits.admittedWithin);
  for (const call of calls) expectProblem(await call(), 'temporarily_unavailable', { retry_after_seconds: 5 });
  expect(await taken()).toEqual([{ hour_count: 0, minute_count: 0, redeem_count: 0, held: 0, sources: 0 }]);
  world.clock.reset();
  for (const call of calls) expect((await call()).status).not.toBe(503);
  expect(await taken()).toMatchObject([{ hour_count: 1, minute_count: 2, redeem_count: 1, sources: 1 }]);
});

test('the machine API waits longer for what is taken, by what clocks may differ by and the way of the answer', () => {
  const waits = answerLimit(settingsOf('machine-api-admission')).query_timeout;
  expect(waits).toBe(limits.admittedWithin + 1_500);
});
