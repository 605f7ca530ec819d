import { expect, test } from '@jest/globals';
import { quotaOverrideErrors } from '../../../server/domain/client/quotaOverrideRules.ts';

const now = new Date('2026-06-01T12:00:00Z');
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const year = 366 * 24 * 60 * 60 * 1000;
const wrong = (override: { value?: number; expiresAt?: Date | null }) =>
  quotaOverrideErrors({ quota: 'requests_per_hour', value: 5_000, expiresAt: null, ...override }, now);

test.each([1, 36_000])('an administrator can set %d requests an hour, until the override is withdrawn', (value) => {
  expect(wrong({ value })).toEqual([]);
});

test.each([0, -1, 36_001, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('an administrator cannot set %d requests an hour', (value) => {
  expect(wrong({ value })).toEqual([{ path: 'input.value', message: 'requests_per_hour must be from 1 to 36000.' }]);
});

test('an administrator can let an override end at any moment of the next 366 days, and at no other', () => {
  expect([after(1), after(year)].flatMap((expiresAt) => wrong({ expiresAt }))).toEqual([]);
  for (const expiresAt of [after(-1), now, after(year + 1), new Date(Number.NaN)]) {
    expect(wrong({ expiresAt })).toEqual([{ path: 'input.expiresAt', message: expect.stringContaining('in the future, within 366 days') }]);
  }
  expect(wrong({ value: 0, expiresAt: now }).map(({ path }) => path)).toEqual(['input.value', 'input.expiresAt']);
});
