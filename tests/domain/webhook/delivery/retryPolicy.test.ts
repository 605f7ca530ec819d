import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { attemptOutcome, nextAttemptAt, retryDelay } from '../../../../server/domain/webhook/delivery/retryPolicy.ts';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const eventId = 'evt_01234567890123456789abcdef';
const endpointId = 'whk_01234567890123456789abcdef';
const endedAt = Date.parse('2026-11-22T12:00:00.000Z');
const failed = { eventId, endpointId, n: 1, endedAt, windowEndsAt: endedAt + 168 * hour, status: 503 };

test('any 2xx delivers; 408, 409, 425, 429, 5xx and every transport failure are tried again; any other status is the end', () => {
  const byOutcome = Map.groupBy(
    Array.from({ length: 500 }, (_, index) => index + 100),
    (status) => attemptOutcome({ status }),
  );
  const range = (from: number) => Array.from({ length: 100 }, (_, index) => from + index);
  expect(byOutcome.get('delivered')).toEqual(range(200));
  expect(byOutcome.get('retry')).toEqual([408, 409, 425, 429, ...range(500)]);
  expect(byOutcome.get('dead')).toEqual(expect.arrayContaining([301, 302, 307, 308, 400, 401, 403, 404, 410, 413, 422]));
  for (const error of ['no_public_address', 'service_error', 'connect_timeout', 'certificate_expired', 'connection_reset', 'timeout'])
    expect(attemptOutcome({ error })).toBe('retry');
});

test('an answer that is too large or breaks off is tried again, whatever its status', () => {
  for (const status of [200, 302, 404, 503]) {
    expect(attemptOutcome({ status, error: 'response_too_large' })).toBe('retry');
    expect(attemptOutcome({ status, error: 'connection_reset' })).toBe('retry');
  }
});

test('the delay doubles from 30 seconds to 6 hours, shortened by up to a quarter, always by the same for the same attempt', () => {
  const table = [30, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 21_600, 21_600].map((seconds) => seconds * second);
  for (const [index, most] of table.entries()) {
    const delay = retryDelay(eventId, endpointId, index + 1);
    expect(delay).toBeGreaterThan(0.75 * most);
    expect(delay).toBeLessThanOrEqual(most);
    expect(retryDelay(eventId, endpointId, index + 1)).toBe(delay);
  }
  expect(retryDelay(eventId, endpointId, 5_000)).toBeLessThanOrEqual(6 * hour);
});

test('what shortens a delay is the first 48 bits of the digest that the specification names', () => {
  const digest = createHash('sha256').update(`${eventId}\n${endpointId}\n3`).digest('hex');
  const u = Number.parseInt(digest.slice(0, 12), 16) / 2 ** 48;
  expect(retryDelay(eventId, endpointId, 3)).toBe(Math.round(120 * second * (1 - 0.25 * u)));
  expect([1, 2, 3].map((n) => retryDelay(eventId, endpointId, n))).toEqual(fixedDelays);
  expect(retryDelay(eventId, 'whk_another', 3)).not.toBe(retryDelay(eventId, endpointId, 3));
});

/** Written down, so that no other way of drawing `u` passes. */
const fixedDelays = [23_485, 49_726, 116_223];

test('Retry-After is read as seconds or as a date in any of its three forms, and anything else is ignored', () => {
  const delay = (retryAfter?: string) => (nextAttemptAt({ ...failed, retryAfter }) ?? 0) - endedAt;
  const planned = delay();
  expect(delay('120')).toBe(120 * second);
  expect(delay(' 120 ')).toBe(120 * second);
  expect(delay('12345678901')).toBe(6 * hour);
  expect(delay('Sun, 22 Nov 2026 12:01:00 GMT')).toBe(minute);
  expect(delay('Sunday, 22-Nov-26 12:01:00 GMT')).toBe(minute);
  expect(delay('Sun Nov 22 12:01:00 2026')).toBe(minute);
  expect(delay('Sun, 22 Nov 2026 11:00:00 GMT')).toBe(planned);
  for (const value of ['', '0', '-1', '1.5', '1e3', 'soon', '2026-11-22T12:01:00Z', 'Sun, 22 Nov 2026 12:01:00 CET'])
    expect(delay(value)).toBe(planned);
});

test('a Retry-After of a status that is tried again lengthens the delay, up to 6 hours, and never shortens it', () => {
  const planned = nextAttemptAt(failed) ?? 0;
  expect(planned - endedAt).toBe(retryDelay(eventId, endpointId, 1));
  for (const status of [408, 409, 425, 429, 500, 503])
    expect(nextAttemptAt({ ...failed, status, retryAfter: '600' })).toBe(endedAt + 600 * second);
  expect(nextAttemptAt({ ...failed, retryAfter: '1' })).toBe(planned);
  for (const long of ['86400', '9'.repeat(11), '9'.repeat(400)])
    expect(nextAttemptAt({ ...failed, retryAfter: long })).toBe(endedAt + 6 * hour);
  expect(nextAttemptAt({ ...failed, status: undefined, retryAfter: '600' })).toBe(planned);
});

test('nothing is tried after the window, and a receiver that asks for longer is asked once more shortly before its end', () => {
  expect(nextAttemptAt({ ...failed, windowEndsAt: endedAt + 20 * second })).toBeNull();
  expect(nextAttemptAt({ ...failed, windowEndsAt: endedAt + hour, retryAfter: '7200' })).toBe(endedAt + hour - minute);
  expect(nextAttemptAt({ ...failed, windowEndsAt: endedAt + 40 * second, retryAfter: '7200' })).toBe(nextAttemptAt(failed));
});
