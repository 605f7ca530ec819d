import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '../../../server/platform/logger.ts';
import { runProcess } from '../../../server/platform/runProcess.ts';

/**
 * A process that takes a moment to stop something, and prints what happens. A test runs it. With the argument `entrance` it also has something that
 * lets requests in, with `late` it starts only after a signal, unless that is what ended its start (`ended by it`), or it has failed (`failed`).
 */
const asked = new Set(process.argv.slice(2));
const say = (text: string) => process.stdout.write(`${text}\n`);
await runProcess({ logger: createLogger('test', 'silent'), drainMs: 50 }, async (onStop, stopping) => {
  // Something that keeps the process alive, as a server would.
  const alive = setInterval(() => {}, 1_000);
  const told = new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve()));
  void told.then(() => setImmediate(() => say('told')));
  onStop('first', () => {
    clearInterval(alive);
    say('stopped first');
  });
  onStop('last', () => delay(200).then(() => say('stopped last')));
  if (asked.has('entrance')) onStop('entrance', () => void say('closed the entrance'), 'entrance');
  say('started');
  if (asked.has('late')) await told;
  if (asked.has('ended by it')) stopping.throwIfAborted();
  if (asked.has('failed')) throw new Error('It has failed.');
});
