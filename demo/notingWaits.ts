import { realTime, type Time } from '../kit/src/index.ts';
import type { Steps } from './Steps.ts';

/** The kit's clock. Where a quota or a failure makes a call wait, it is said below the steps. */
export function notingWaits(steps: Steps): Time {
  return {
    now: () => realTime.now(),
    wait(ms, signal) {
      steps.note(`waiting ${Math.ceil(ms / 1000)} s, as the service asks`);
      return realTime.wait(ms, signal);
    },
  };
}
