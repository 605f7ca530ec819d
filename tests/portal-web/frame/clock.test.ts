import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { install, type Clock } from '@sinonjs/fake-timers';
import { createClock } from '../../../portal-web/src/ui/time/createClock.ts';

let time: Clock;
beforeEach(() => {
  time = install({ now: new Date('2026-11-24T09:14:10.400Z') });
});
afterEach(() => time.uninstall());

const told = (clock: ReturnType<typeof createClock>) => {
  const times: string[] = [];
  const end = clock.subscribe(() =>
    times.push(`${new Date().toISOString().slice(14, 23)} reads ${new Date(clock.read()).toISOString().slice(14, 19)}`),
  );
  return { times, end };
};

test('a clock of the pages strikes as the minute or the second begins, whenever its reader has come', () => {
  const halfMinutes = told(createClock(30_000));
  const seconds = told(createClock(1000));
  time.tick(2_000);
  seconds.end();
  time.tick(60_000);
  expect(seconds.times).toEqual(['14:11.000 reads 14:11', '14:12.000 reads 14:12']);
  expect(halfMinutes.times).toEqual(['14:30.000 reads 14:30', '15:00.000 reads 15:00']);
});

test('however many times a page shows, their clock has one timer, and none once nobody reads it', () => {
  const clock = createClock(1000);
  const readers = Array.from({ length: 50 }, () => told(clock));
  expect(time.countTimers()).toBe(1);
  time.tick(1_000);
  for (const { times } of readers) expect(times).toHaveLength(1);
  expect(time.countTimers()).toBe(1);
  for (const { end } of readers) end();
  expect(time.countTimers()).toBe(0);
});
