import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordAll } from '../../../server/domain/audit/record.ts';
import { latestSteps, statusTimelines } from '../../../server/domain/integration/status/statusTimeline.ts';
import type { Actor } from '../../../server/domain/shared/actor.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const terminal: Actor = { type: 'system', name: 'terminal' };

test('the latest step of each kind is known however long ago it was, of which the timeline shows fifty', async () => {
  const begun = world.clock.now().getTime();
  const at = (minute: number) => new Date(begun + minute * 60_000);
  const [moved, untouched] = [await world.fixtures.client(), await world.fixtures.client()];
  const step = (
    action: 'integration.approved' | 'integration.activated' | 'integration.gate_opened' | 'integration.gate_closed',
    minute: number,
  ) =>
    recordAll(world.em(), terminal, at(minute), [
      {
        action,
        subject: { type: 'integration', id: moved.integrationId },
        operatorId: moved.operatorId,
        integrationId: moved.integrationId,
      },
    ]);
  await step('integration.approved', 0);
  await step('integration.activated', 1);
  for (let minute = 2; minute < 62; minute += 1)
    await step(minute % 2 === 0 ? 'integration.gate_opened' : 'integration.gate_closed', minute);
  const ids = [moved.integrationId, untouched.integrationId];
  const [shown = [], none] = await statusTimelines(world.em(), ids);
  expect([shown.length, shown.some((each) => each.step === 'activated'), none]).toEqual([50, false, []]);
  const [latest = [], never] = await latestSteps(world.em(), ids);
  expect(latest.map((each) => [each.step, each.at])).toEqual([
    ['gateClosed', at(61)],
    ['gateOpened', at(60)],
    ['activated', at(1)],
    ['approved', at(0)],
  ]);
  expect(never).toEqual([]);
});
