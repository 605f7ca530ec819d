import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { install, type Clock } from '@sinonjs/fake-timers';
import { DomainError } from '../../../server/domain/shared/DomainError.ts';
import type { FinishedRequest } from '../../../server/domain/usage/FinishedRequest.ts';
import { UsageRecorder } from '../../../server/domain/usage/UsageRecorder.ts';

let time: Clock;
beforeEach(() => void (time = install()));
afterEach(() => time.uninstall());

/** A database that works, is out of reach or refuses, and what the recorder has done with it. */
function recording() {
  const written: number[] = [];
  const dropped: [number, string][] = [];
  const database: { state: 'there' | 'away' | 'refusing' } = { state: 'there' };
  const unstorable = new Set<string>();
  let tries = 0;
  const recorder = new UsageRecorder({
    write: async (requests) => {
      tries += 1;
      if (database.state === 'away') throw new DomainError('temporarily_unavailable', { retryAfterSeconds: 5 });
      if (database.state === 'refusing') throw new Error('no such column');
      if (requests.some(({ requestId }) => unstorable.has(requestId))) throw new Error('out of range');
      written.push(requests.length);
    },
    onDropped: (count, reason) => dropped.push([count, reason]),
  });
  const add = (count: number) => {
    for (let each = 0; each < count; each += 1) recorder.add({ requestId: `req_${each}` } as FinishedRequest);
  };
  return { recorder, add, written, dropped, database, unstorable, tries: () => tries };
}

test('a request after a quiet second is written at once, and those that follow it together, a second later', async () => {
  const { add, written } = recording();
  add(1);
  await time.tickAsync(1);
  expect(written).toEqual([1]);
  add(3);
  await time.tickAsync(900);
  add(4);
  expect(written).toEqual([1]);
  await time.tickAsync(100);
  expect(written).toEqual([1, 7]);
  await time.tickAsync(10_000);
  expect(written).toEqual([1, 7]);
});

test('500 waiting requests are written at once, and the rest with the next batch', async () => {
  const { add, written } = recording();
  add(1_200);
  await time.tickAsync(0);
  expect(written).toEqual([500, 500]);
  await time.tickAsync(1_000);
  expect(written).toEqual([500, 500, 200]);
});

test('while the database is away requests wait, and are written when it is back', async () => {
  const { add, written, dropped, database } = recording();
  database.state = 'away';
  add(10);
  await time.tickAsync(20_000);
  add(10);
  database.state = 'there';
  await time.tickAsync(1_000);
  expect({ written, dropped }).toEqual({ written: [20], dropped: [] });
});

test('requests that cannot be written for 30 seconds are dropped and counted', async () => {
  const { add, written, dropped, database } = recording();
  database.state = 'away';
  add(10);
  await time.tickAsync(20_000);
  add(5);
  await time.tickAsync(12_000);
  expect(dropped).toEqual([[10, 'late']]);
  database.state = 'there';
  await time.tickAsync(2_000);
  expect(written).toEqual([5]);
});

test('at most 10,000 wait; what does not fit is dropped and counted', async () => {
  const { add, written, dropped, database } = recording();
  database.state = 'away';
  add(10_002);
  expect(dropped).toEqual([
    [1, 'full'],
    [1, 'full'],
  ]);
  database.state = 'there';
  await time.tickAsync(2_000);
  expect(written.reduce((sum, count) => sum + count, 0)).toBe(10_000);
});

test('what the database refuses is dropped at once and does not hold up the rest', async () => {
  const { add, written, dropped, database } = recording();
  database.state = 'refusing';
  add(3);
  await time.tickAsync(1_000);
  expect(dropped).toEqual([[3, 'refused']]);
  database.state = 'there';
  add(2);
  await time.tickAsync(1_000);
  expect(written).toEqual([2]);
});

test('one request that the database refuses takes no others with it', async () => {
  const { add, written, dropped, unstorable } = recording();
  unstorable.add('req_2').add('req_300');
  add(500);
  await time.tickAsync(1_000);
  expect(dropped).toEqual([[2, 'refused']]);
  expect(written.reduce((sum, count) => sum + count, 0)).toBe(498);
});

test('if the database refuses whatever it is given, a batch is given up after some tries', async () => {
  const { add, dropped, database, tries } = recording();
  database.state = 'refusing';
  add(500);
  await time.tickAsync(1_000);
  expect(dropped).toEqual([[500, 'refused']]);
  expect(tries()).toBeLessThan(60);
});

test('closing writes what waits, and drops it when the database is away', async () => {
  const one = recording();
  one.add(700);
  await one.recorder.close();
  expect(one.written).toEqual([500, 200]);
  one.add(1);
  expect(one.dropped).toEqual([[1, 'closed']]);
  const other = recording();
  other.database.state = 'away';
  other.add(7);
  await other.recorder.close();
  expect(other.dropped).toEqual([[7, 'closed']]);
});
