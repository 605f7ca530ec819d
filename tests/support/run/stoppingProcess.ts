import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '../../../server/platform/logger.ts';
import { runProcess } from '../../../server/platform/runProcess.ts';

/** A process that takes a moment to stop something, and prints what happens. A test runs it. */
await runProcess(createLogger('test', 'silent'), (onStop) => {
  // Something that keeps the process alive, as a server would.
  const alive = setInterval(() => {}, 1_000);
  onStop('first', () => {
    clearInterval(alive);
    process.stdout.write('stopped first\n');
  });
  onStop('last', () => delay(200).then(() => process.stdout.write('stopped last\n')));
  process.stdout.write('started\n');
  return Promise.resolve();
});
