import { expect, test } from '@jest/globals';
import { renewsAt, triesAgainAt } from '../../../server/platform/acme/renewalPolicy.ts';

const at = (time: string) => new Date(`2026-01-01T${time}:00Z`);
const noon = at('12:00');

test.each([
  ['90 days', '2026-04-01T00:00:00Z', '2026-03-02T00:00:00Z'],
  ['six days', '2026-01-07T00:00:00Z', '2026-01-05T00:00:00Z'],
])('a certificate for %s is renewed after two thirds of them', (_name, end, expected) => {
  const lifetime = { validFromDate: new Date('2026-01-01T00:00:00Z'), validToDate: new Date(end) };
  expect(renewsAt(lifetime)).toEqual(new Date(expected));
});

test('each failure waits longer than the one before, and never longer than six hours', () => {
  const times = [1, 2, 3, 4, 5, 6, 7, 100].map((failures) => triesAgainAt(failures, noon));
  expect(times).toEqual(['12:01', '12:05', '12:15', '13:00', '15:00', '18:00', '18:00', '18:00'].map(at));
});

test('an hour holds fewer attempts than Let’s Encrypt takes', () => {
  let now = noon;
  let attempts = 1;
  for (let failures = 1; (now = triesAgainAt(failures, now)) < at('13:00'); failures += 1) attempts += 1;
  expect(attempts).toBeLessThan(5);
});

test('an authority that says how long to wait is obeyed, but asked again each day', () => {
  expect(triesAgainAt(1, noon, 30_000)).toEqual(at('12:01'));
  expect(triesAgainAt(1, noon, 2 * 3_600_000)).toEqual(at('14:00'));
  expect(triesAgainAt(1, noon, 14 * 24 * 3_600_000)).toEqual(new Date('2026-01-02T12:00:00Z'));
});
