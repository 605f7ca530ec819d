import { expect, test } from '@jest/globals';
import { LoopWatch, report } from '../../server/platform/loopWatch.ts';
import { eventLoopHeld, registry } from '../../server/platform/metrics.ts';

/** A watch, with the processor time that the test says has been used. */
function watched() {
  const time = { used: 0 };
  return { time, watch: new LoopWatch(() => time.used) };
}

const facts = (route: string, operations?: string) => () => ({
  route,
  requestId: `req_${route}`,
  ...(operations !== undefined && { operations }),
});

test('what is answered while the loop is held is named, whether its answer is over or not, and whatever was over before is not', () => {
  const { time, watch } = watched();
  watch.begin(facts('before'))();
  expect(watch.turn()).toBeNull();
  const over = watch.begin(facts('graphql', 'findThings'));
  watch.begin(facts('page'));
  time.used = 101;
  over();
  expect(watch.turn()).toEqual({ milliseconds: 101, requests: [facts('graphql', 'findThings')(), facts('page')()] });
  time.used = 300;
  expect(watch.turn()).toEqual({ milliseconds: 199, requests: [facts('page')()] });
});

test('turns that take 100 ms together, but not one of them, are no hold', () => {
  const { time, watch } = watched();
  watch.begin(facts('page'));
  for (const used of [60, 120, 220]) {
    time.used = used;
    expect(watch.turn()).toBeNull();
  }
});

test('a hold is counted by its only route and operation, and logged once with the IDs of the requests', async () => {
  // Other files that this process has run may have held its loop.
  eventLoopHeld.reset();
  const lines: object[] = [];
  const logger = { warn: (line: object) => void lines.push(line) };
  report({ milliseconds: 250.4, requests: [facts('graphql', 'findThings viewer')()] }, logger);
  report({ milliseconds: 1_000, requests: [facts('page')(), facts('getSync')()] }, logger);
  report({ milliseconds: 120, requests: [] }, logger);
  expect(lines).toEqual([
    { heldMs: 250, routes: ['graphql'], operations: ['findThings viewer'], requestIds: ['req_graphql'] },
    { heldMs: 1_000, routes: ['page', 'getSync'], operations: [], requestIds: ['req_page', 'req_getSync'] },
    { heldMs: 120, routes: [], operations: [], requestIds: [] },
  ]);
  const counted = (await registry.metrics()).split('\n').filter((line) => line.startsWith('svc_event_loop_held_seconds_count'));
  expect(counted).toEqual([
    'svc_event_loop_held_seconds_count{route="graphql",operation="several"} 1',
    'svc_event_loop_held_seconds_count{route="several",operation=""} 1',
    'svc_event_loop_held_seconds_count{route="",operation=""} 1',
  ]);
});
