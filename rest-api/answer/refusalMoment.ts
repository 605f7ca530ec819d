import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { limits } from '../../server/domain/shared/limits.ts';

/**
 * Waits until `limits.redemptionRefusedAfter` after `arrivedAt` (both on the monotonic clock), or, where the work took longer, until the
 * next multiple of it: how long the work took cannot be read from the answer's time.
 */
export async function refusalMoment(arrivedAt: number): Promise<void> {
  const step = limits.redemptionRefusedAfter;
  const due = arrivedAt + step * Math.ceil((performance.now() - arrivedAt) / step);
  // A timer counts whole milliseconds from a clock that is read once a turn; what is left is waited for turn by turn.
  await delay(Math.max(0, due - performance.now() - 2));
  while (performance.now() < due) await nextTurn();
}
