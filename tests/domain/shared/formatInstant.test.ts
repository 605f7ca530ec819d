import { expect, test } from '@jest/globals';
import { formatInstant } from '../../../server/domain/shared/text/formatInstant.ts';

test('an instant reads as toISOString writes it, in every century and at every end of a day', () => {
  const day = 86_400_000;
  for (const from of [
    Date.UTC(1969, 11, 31),
    Date.UTC(1999, 11, 31),
    Date.UTC(2024, 1, 28),
    Date.UTC(2026, 10, 21),
    Date.UTC(9999, 11, 30),
  ]) {
    for (const after of [0, 1, 9, 10, 99, 100, 999, 59_999, 60_000, 3_599_999, 3_600_000, day - 1, day, 1.5 * day + 12_345]) {
      expect(formatInstant(from + after)).toBe(new Date(from + after).toISOString());
    }
  }
});
