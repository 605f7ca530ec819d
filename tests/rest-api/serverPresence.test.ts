import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Clock, install } from '@sinonjs/fake-timers';
import { serverPresence } from '../../rest-api/database/serverPresence.ts';

let timers: Clock;
beforeEach(() => {
  timers = install({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => timers.uninstall());

const never = () => new Promise<never>(() => {});
/** What a promise has come to by now. */
const stateOf = (work: Promise<unknown>) =>
  Promise.race([
    work.then(
      () => 'done',
      (error: { code?: string }) => error.code,
    ),
    timers.tickAsync(0).then(() => 'waiting'),
  ]);

test('whatever waits for a server that has become silent is refused within five seconds, after one question for all', async () => {
  let questions = 0;
  let left = 0;
  const whileThere = serverPresence(() => {
    questions += 1;
    return never();
  });
  const waiting = [whileThere(never(), () => (left += 1)), whileThere(never())];
  await timers.tickAsync(3_999);
  expect(await Promise.all(waiting.map(stateOf))).toEqual(['waiting', 'waiting']);
  await timers.tickAsync(1);
  expect(await Promise.all(waiting.map(stateOf))).toEqual(['temporarily_unavailable', 'temporarily_unavailable']);
  expect([questions, left]).toEqual([1, 1]);
});

test('a server that is only slow is waited for, and asked again', async () => {
  let there = true;
  let questions = 0;
  const whileThere = serverPresence(() => {
    questions += 1;
    return there ? Promise.resolve() : never();
  });
  const work = Promise.withResolvers<string>();
  const waiting = whileThere(work.promise);
  await timers.tickAsync(7_000);
  expect([await stateOf(waiting), questions]).toEqual(['waiting', 2]);
  work.resolve('at last');
  expect(await waiting).toBe('at last');
  expect(timers.countTimers()).toBe(0);
  there = false;
  await expect(whileThere(Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});
