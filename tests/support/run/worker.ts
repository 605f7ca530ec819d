import { addEventHandler } from 'jest-circus';
import { patient } from '../patience.ts';

// What each process that runs test files begins with.

// It ends with the run, however that ends, whatever a file has left open.
process.once('disconnect', () => process.exit());

/** How long a test or a hook may take that names no limit of its own. */
const usualMs = 60_000;

// Tests may replace the timers.
const { setTimeout, clearTimeout } = globalThis;

type Step = { fn: unknown; timeout?: number | undefined };

/** The runner knows no limits, so a test or a hook that hangs would hang the run. */
function limit(step: Step): void {
  const run = step.fn as () => unknown;
  step.fn = async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const ms = patient(step.timeout ?? usualMs);
    const timer = setTimeout(() => reject(new Error(`It takes longer than ${ms} ms.`)), ms);
    try {
      await Promise.race([run(), promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

addEventHandler(({ name }, { currentDescribeBlock: { children, hooks } }) => {
  const added = name === 'add_test' ? children.at(-1) : name === 'add_hook' ? hooks.at(-1) : undefined;
  if (added) limit(added as Step);
});
