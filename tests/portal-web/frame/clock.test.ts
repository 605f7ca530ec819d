import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { install, type Clock } from '@sinonjs/fake-timers';
import { noteServerTime, serverTime } from '../../../portal-web/src/ui/time/serverTime.ts';
import { createClock } from '../../../portal-web/src/ui/time/createClock.ts';

let time: Clock;
beforeEach(() => {
  time = install({ now: new Date('2026-11-24T09:14:10.400Z') });
});
afterEach(() => time.uninstall());

afterEach(() => noteServerTime(new Date(Date.now()).toUTCString(), Date.now(), Date.now()));

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
  halfMinutes.end();
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

test('the pages keep the time of the service: each answer tells it, and one that fits changes nothing, however slow it was', () => {
  const clock = told(createClock(30_000));
  const answered = (ahead: number, took: number) => {
    const sentAt = Date.now();
    time.tick(took / 2);
    const date = new Date(Date.now() + ahead).toUTCString();
    time.tick(took / 2);
    noteServerTime(date, sentAt, Date.now());
    return Math.round((serverTime() - Date.now()) / 1000);
  };
  expect(answered(0, 200)).toBe(0);
  expect(answered(1_200, 200)).toBe(0);
  expect(answered(-660_000, 200)).toBeCloseTo(-660, -0.5);
  expect(clock.times.at(-1)).toMatch(/reads 03:/);
  const known = serverTime() - Date.now();
  for (const took of [50, 900, 8_000]) answered(known, took);
  expect(serverTime() - Date.now()).toBe(known);
  noteServerTime(null, 0, 0);
  noteServerTime('yesterday', 0, 0);
  expect(serverTime() - Date.now()).toBe(known);
  clock.end();
  expect(time.countTimers()).toBe(0);
});
