import { expect, jest, test } from '@jest/globals';
import { now, nextTurn, pumpOn } from '../support/webhooks/memoryPump.ts';

test('every delivery is attempted once, at most 8 of an endpoint at a time', async () => {
  const { pump, writer, attempts, most } = pumpOn({ 1: 300, 2: 40, 3: 1 }, () => 204);
  await pump.sweep();
  await pump.quiet();
  await writer.flush();
  expect(attempts.length).toBe(341);
  expect(new Set(attempts).size).toBe(341);
  expect(Object.fromEntries(most)).toEqual({ 1: 8, 2: 8, 3: 1 });
});

test('an endpoint that never answers holds up no other, and after five failures has one attempt under way', async () => {
  const { pump, writer, attempts, most, release, pending } = pumpOn({ 1: 100, 2: 100 }, (endpoint) => (endpoint === 1 ? 'silent' : 204));
  await pump.sweep();
  while ([...pending.values()].includes(2)) await nextTurn();
  expect(attempts.filter((number) => number < 2_000).length).toBe(8);
  // The first four failures still make room for others.
  for (let round = 0; round < 4; round += 1) {
    for (const end of release.splice(0)) end();
    await nextTurn();
  }
  expect(release.length).toBe(1);
  expect(most.get(1)).toBe(8);
  pump.abandon();
  await writer.flush();
});

test('endpoints that only fail take no places from those that are well', async () => {
  const failing = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [index + 100, 1]));
  const { pump, writer, attempts, release, pending } = pumpOn({ ...failing, 99: 50 }, (endpoint) => (endpoint === 99 ? 204 : 'silent'));
  await pump.sweep();
  while ([...pending.values()].includes(99)) await nextTurn();
  expect(attempts.filter((number) => number >= 100_000).length).toBe(128);
  pump.abandon();
  for (const end of release.splice(0)) end();
  await writer.flush();
});

test('endpoints that answer slowly take no more places from others than those that fail', async () => {
  const slow = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [index + 1, 30]));
  const quick = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [-index - 1, 30]));
  const { pump, writer, attempts, release, pending } = pumpOn({ ...slow, ...quick }, (endpoint) => (endpoint > 0 ? 'slow' : 204));
  pump.wake(Object.keys(slow).map(Number));
  await nextTurn();
  // Nobody knows yet that they are slow.
  expect(attempts.length).toBe(512);
  for (const end of release.splice(0)) end();
  await nextTurn();
  expect(release.length).toBe(128);
  await pump.sweep();
  while ([...pending.values()].some((endpoint) => endpoint < 0)) await nextTurn();
  expect(release.length).toBe(128);
  pump.abandon();
  await writer.flush();
});

test('one operator’s endpoints together leave places to others, however many they are', async () => {
  const own = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [index + 1, 20]));
  const { pump, attempts, conditions, pending } = pumpOn({ ...own, 99: 20 }, (endpoint) => (endpoint === 99 ? 204 : 'silent'));
  conditions.operatorOf = (endpointNumber) => (endpointNumber === 99 ? 'opr_other' : 'opr_own');
  await pump.sweep();
  while ([...pending.values()].includes(99)) await nextTurn();
  expect(attempts.filter((number) => number < 99_000).length).toBe(64);
  pump.abandon();
});

test('a leader that cannot sign reads nothing, and goes on as soon as it can', async () => {
  const { pump, attempts, conditions, failures, reads } = pumpOn({ 1: 3 }, () => 204);
  conditions.ready = () => Promise.resolve(false);
  await pump.sweep();
  pump.wake([1]);
  await nextTurn();
  expect([reads(), attempts, failures]).toEqual([0, [], []]);
  conditions.ready = () => Promise.resolve(true);
  pump.wake([1]);
  await pump.quiet();
  expect(attempts.length).toBe(3);
  // After ten seconds the process gives the lead back.
  conditions.ready = () => Promise.reject(new Error('No delivery can be signed.'));
  pump.wake([1]);
  await nextTurn();
  expect(failures).toEqual([new Error('No delivery can be signed.')]);
  pump.abandon();
});

test('while the database cannot write nothing more is sent, and afterwards everything once', async () => {
  const { pump, writer, attempts, conditions } = pumpOn({ 1: 400, 2: 400 }, () => 204);
  conditions.writeRefusal = Object.assign(new Error('cannot execute UPDATE in a read-only transaction'), { code: '25006' });
  await pump.sweep();
  while (!writer.full) await nextTurn();
  // Those under way end.
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  const sent = attempts.length;
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(attempts.length).toBe(sent);
  expect(sent).toBeLessThan(400);
  conditions.writeRefusal = undefined;
  await writer.flush();
  await pump.quiet();
  await writer.flush();
  expect(attempts.length).toBe(800);
  expect(new Set(attempts).size).toBe(800);
});

test('an attempt that the service cannot make has a result like any other, and is not made again and again', async () => {
  const { pump, writer, attempts, stored, dueAt, pending } = pumpOn({ 1: 1 }, () => 'impossible');
  await pump.sweep();
  await pump.quiet();
  await writer.flush();
  expect([attempts, stored, pending.size]).toEqual([[1_000], [], 1]);
  expect((dueAt.get(1_000) ?? 0) - now).toBeGreaterThan(20_000);
  await pump.sweep();
  await nextTurn();
  expect(attempts.length).toBe(1);
  pump.abandon();
});

test('how often a former URL has failed says nothing about the present one', async () => {
  const { pump, writer, attempts, release, conditions } = pumpOn({ 1: 40 }, () => 'silent');
  await pump.sweep();
  await nextTurn();
  // The owner moves it while eight attempts at the former URL are under way.
  conditions.url = 'https://b.test';
  pump.recheck([1]);
  await nextTurn();
  for (const end of release.splice(0)) end();
  await nextTurn();
  await writer.flush();
  // Eight failures would leave it one attempt at a time.
  expect(attempts.length).toBe(16);
  pump.abandon();
});

test('a sweep sends what is queued although nobody has said that it may go on', async () => {
  const { pump, writer, attempts } = pumpOn({ 1: 100 }, () => 204);
  const waiting = jest.spyOn(writer, 'full', 'get').mockReturnValueOnce(false).mockReturnValue(true);
  await pump.sweep();
  await nextTurn();
  expect(attempts).toEqual([]);
  waiting.mockRestore();
  await pump.sweep();
  await pump.quiet();
  await writer.flush();
  expect(attempts.length).toBe(100);
});

test('however many endpoints are behind and never answer, what is in memory stays bounded, and another endpoint still has its turn', async () => {
  const behind = Array.from({ length: 30 }, (_, index) => index + 1);
  const few = pumpOn({ ...Object.fromEntries(behind.map((number) => [number, 200])), 99: 50 }, (endpoint) =>
    endpoint === 99 ? 204 : 'silent',
  );
  // One after another, so that the first ones may queue much.
  for (const endpointNumber of behind) {
    few.pump.wake([endpointNumber]);
    await nextTurn();
  }
  few.pump.wake([99]);
  while ([...few.pending.values()].includes(99)) await nextTurn();
  few.pump.abandon();

  const many = pumpOn(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [-index - 1, 20])), () => 'silent');
  await many.pump.sweep();
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  // Three for each place: one is under way, two are queued.
  expect(many.attempts.length).toBe(512);
  expect(many.claimed.size).toBeLessThanOrEqual(3 * 512);
  many.pump.abandon();
});

test('when what was read may not be true any more, nothing of it is sent before it has been read again', async () => {
  const { pump, writer, attempts, release, reads, pending } = pumpOn({ 1: 50 }, () => 'silent');
  await pump.sweep();
  await nextTurn();
  expect(attempts.length).toBe(8);
  const before = reads();
  // The rest is revoked while it is queued.
  for (const number of pending.keys()) if (!attempts.includes(number)) pending.delete(number);
  pump.recheck([1]);
  for (const end of release.splice(0)) end();
  await pump.quiet();
  await writer.flush();
  expect(reads()).toBeGreaterThan(before);
  expect(attempts.length).toBe(8);
});

test('what is declared out of date while it is being read is not sent either', async () => {
  const { pump, writer, attempts, pending } = pumpOn({ 1: 4 }, () => 204);
  await pump.sweep();
  // The read has begun, and its rows are still on their way.
  for (const number of pending.keys()) pending.delete(number);
  pump.recheck([1]);
  await pump.quiet();
  await writer.flush();
  expect(attempts).toEqual([]);
});

test('what was read more than a tenth of a second ago is read again', async () => {
  const { pump, writer, attempts, release, pending, conditions } = pumpOn({ 1: 20 }, (_endpoint, attempt) =>
    attempt <= 8 ? 'silent' : 204,
  );
  await pump.sweep();
  await nextTurn();
  conditions.elapsed += 101;
  for (const number of pending.keys()) if (!attempts.includes(number)) pending.delete(number);
  for (const end of release.splice(0)) end();
  await pump.quiet();
  await writer.flush();
  expect(attempts.length).toBe(8);
});

test('what comes back unsent while something else is being read is read again, however long it has been due', async () => {
  const { pump, writer, attempts, release, pending, dueAt, answerWhen, conditions } = pumpOn({ 1: 40 }, (_, attempt) =>
    attempt <= 8 ? 'silent' : 204,
  );
  for (const number of pending.keys()) dueAt.set(number, now - 60_000);
  await pump.sweep();
  await nextTurn();
  conditions.elapsed += 101;
  const answered = Promise.withResolvers<void>();
  answerWhen(answered.promise);
  pending.set(1_999, 1);
  pump.wake([1]);
  // The receiver answers while the new delivery is being read, so the 32 that were queued are too old to be sent.
  for (const end of release.splice(0)) end();
  await nextTurn();
  answered.resolve();
  await pump.quiet();
  await writer.flush();
  expect(new Set(attempts).size).toBe(41);
});

test('a stop lets attempts under way end and stores their results, and starts nothing more, whatever is heard meanwhile', async () => {
  const { pump, writer, attempts, release, dueAt, stored } = pumpOn({ 1: 50 }, () => 'silent');
  await pump.sweep();
  await nextTurn();
  const stopped = pump.stop();
  // Events go on during the stop.
  pump.wake([1, 2]);
  pump.recheck('all');
  await pump.sweep();
  for (const end of release.splice(0)) end();
  await stopped;
  await writer.flush();
  expect([attempts.length, stored.length, dueAt.size]).toEqual([8, 8, 8]);
});

test('an attempt that still waits for its key does not start once access may have ended', async () => {
  const { pump, permissions, release } = pumpOn({ 1: 1, 2: 1 }, () => 'silent');
  pump.wake([1, 2]);
  await nextTurn();
  expect(permissions.map((mayStart) => mayStart())).toEqual([true, true]);
  pump.recheck([2]);
  expect(permissions.map((mayStart) => mayStart())).toEqual([true, false]);
  for (const end of release) end();
  pump.abandon();
});
