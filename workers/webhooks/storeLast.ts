import { setTimeout as delay } from 'node:timers/promises';
import { withinTime } from '../../server/database/unavailable.ts';

const repeatedAfter = 200;

/** Repeats what cannot be stored yet, all of it side by side, until it has been or the time is over. */
export async function storeLast(works: readonly (() => Promise<void>)[], within: number): Promise<void> {
  let over = false;
  const stored = async (work: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (over) throw error;
        await delay(repeatedAfter);
      }
    }
  };
  await withinTime(Promise.all(works.map(stored)), within).finally(() => (over = true));
}
