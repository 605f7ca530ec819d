import { expect, test } from '@jest/globals';
import { Turnstile } from '../../../server/domain/logo/Turnstile.ts';

/** Work that continues until the test ends it. */
function heldWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = { begun: false, end: resolve, fail: reject, run: () => ((work.begun = true), promise) };
  return work;
}

/** Waits until everything that can proceed by itself has done so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('uploads are decoded one at a time, in the order of their arrival, even after one that failed', async () => {
  const turnstile = new Turnstile(2);
  const works = [heldWork(), heldWork(), heldWork()];
  const passes = works.map(({ run }, each) => turnstile.pass(`opr_${each}`, run).catch((error: unknown) => String(error)));
  const begun = async () => (await settled(), works.map((work) => work.begun));
  expect(await begun()).toEqual([true, false, false]);
  works[0]?.fail(new Error('damaged'));
  expect(await begun()).toEqual([true, true, false]);
  works[1]?.end('second');
  expect(await begun()).toEqual([true, true, true]);
  works[2]?.end('third');
  expect(await Promise.all(passes)).toEqual(['Error: damaged', 'second', 'third']);
});

test('only a few uploads may wait: the next one is told when to come again, and then finds room', async () => {
  const turnstile = new Turnstile(2);
  for (const round of ['first', 'second']) {
    const work = heldWork();
    const inside = Array.from({ length: 3 }, (_, each) => turnstile.pass(`opr_${each}`, work.run));
    await expect(turnstile.pass('opr_3', work.run)).rejects.toMatchObject({ code: 'temporarily_unavailable', retryAfterSeconds: 5 });
    work.end(round);
    expect(await Promise.all(inside)).toEqual([round, round, round]);
  }
});

test('one operator has one place: a second upload is refused until the first has ended, and everybody else still finds room', async () => {
  const turnstile = new Turnstile(2);
  for (const round of ['first', 'second']) {
    const work = heldWork();
    const mine = turnstile.pass('opr_a', work.run);
    await expect(turnstile.pass('opr_a', work.run)).rejects.toMatchObject({ code: 'conflict' });
    const others = ['opr_b', 'opr_c'].map((other) => turnstile.pass(other, work.run));
    work.end(round);
    expect(await Promise.all([mine, ...others])).toEqual([round, round, round]);
  }
});
