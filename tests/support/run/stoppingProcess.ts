import { pbkdf2 } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '../../../server/platform/logger.ts';
import { runProcess } from '../../../server/platform/runProcess.ts';

/**
 * A process that takes a moment to stop something, and prints what happens. A test runs it. With the argument `entrance` it also has something that
 * lets requests in, with `late` it starts only after a signal, unless that is what ended its start (`ended by it`), or it has failed (`failed`). With `logs` it writes its log, too, while the threads that write it
 * are busy.
 */
const asked = new Set(process.argv.slice(2));
const say = (text: string) => process.stdout.write(`${text}\n`);
const logger = createLogger('test', asked.has('logs') ? 'info' : 'silent');
await runProcess({ logger, drainMs: 50 }, async (onStop, stopping) => {
  // Something that keeps the process alive, as a server would.
  const alive = setInterval(() => {}, 1_000);
  const told = new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve()));
  void told.then(() => setImmediate(() => say('told')));
  if (asked.has('logs'))
    onStop('threads', () => {
      for (let at = 0; at < 8; at += 1) pbkdf2('', '', 200_000, 32, 'sha256', () => {});
      logger.info('threads.busy');
    });
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
