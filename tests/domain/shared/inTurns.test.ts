import { expect, test } from '@jest/globals';
import { inTurns, slicesOf } from '../../../server/domain/shared/inTurns.ts';

test('others get the event loop after every so many steps, and the outcomes are in order', async () => {
  let turn = 0;
  let counting = true;
  const count = () => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const turns = await inTurns(
    Array.from({ length: 45 }, (_, index) => index),
    20,
    (item, index) => [item, index, turn] as const,
  );
  counting = false;
  expect(turns.map(([item]) => item)).toEqual(turns.map((_, index) => index));
  expect(turns.map(([, index]) => index)).toEqual(turns.map((_, index) => index));
  const stepsByTurn = new Map<number, number>();
  for (const [, , at] of turns) stepsByTurn.set(at, (stepsByTurn.get(at) ?? 0) + 1);
  expect([...stepsByTurn.values()]).toEqual([20, 20, 5]);
});

test('nothing takes no turn, and slices leave nothing out', async () => {
  expect(await inTurns([], 20, () => 1)).toEqual([]);
  expect(slicesOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(slicesOf([], 2)).toEqual([]);
});
