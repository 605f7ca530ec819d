import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '../../../server/platform/logger.ts';
import { startLoopWatch } from '../../../server/platform/loopWatch.ts';
import { holdTable } from '../../support/database/holdTable.ts';
import { waitForLock } from '../../support/database/waitForLock.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../../support/world/openWorld.ts';

let world: PortalWorld & MachineWorld;
const lines: { routes: string[]; operations: string[]; requestIds: string[]; heldMs: number }[] = [];
let stop: () => unknown;
beforeAll(async () => {
  world = await openWorld({ portal: true, machine: true });
  const logger = Object.assign(createLogger('portal', 'silent'), { warn: (line: (typeof lines)[number]) => void lines.push(line) });
  startLoopWatch(logger, (_, end) => (stop = end));
});
afterAll(async () => {
  stop();
  await world.close();
});

/** Nothing else turns in this process for so long, by the processor's time. */
function holdLoop(milliseconds: number): void {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1_000 > milliseconds) return;
  }
}

test('in a process that watches its loop, the requests of both hosts that were being answered while it was held are named', async () => {
  const owner = await world.operator();
  const { machine } = await world.backEnd();
  const release = await holdTable(world.fixtures.sql, 'integration');
  const answers = [owner.call('integrations'), machine.call('/v1/capabilities')];
  await waitForLock(world, 2);
  await setTimeout(100);
  lines.splice(0);
  holdLoop(300);
  while (lines.length === 0) await setTimeout(20);
  await release();
  await Promise.all(answers);
  expect(lines[0]?.heldMs).toBeGreaterThan(250);
  expect(lines[0]?.routes.toSorted()).toEqual(['getCapabilities', 'graphql']);
  expect(lines[0]?.operations).toEqual(['integrations']);
  expect(lines[0]?.requestIds).toEqual([expect.stringMatching(/^req_/), expect.stringMatching(/^req_/)]);
});
