import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { limits } from '../../server/domain/shared/limits.ts';

/**
 * Waits until `limits.redemptionRefusedAfter` after `arrivedAt` (both on the monotonic clock). If the work took longer than that, it waits
 * until the next multiple. So the time of the answer does not reveal how long the work took.
 */
export async function refusalMoment(arrivedAt: number): Promise<void> {
  const step = limits.redemptionRefusedAfter;
  const due = arrivedAt + step * Math.ceil((performance.now() - arrivedAt) / step);
  // A timer counts whole milliseconds from a clock that is read once per turn of the event loop. The rest of the time passes turn by turn.
  await delay(Math.max(0, due - performance.now() - 2));
  while (performance.now() < due) await nextTurn();
}
