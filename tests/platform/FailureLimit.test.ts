import { expect, test } from '@jest/globals';
import { FailureLimit } from '../../server/platform/FailureLimit.ts';
import { sourceAddress } from '../../server/platform/sourceAddress.ts';

test('so many refusals a minute of one address are counted, then the time to wait is told', async () => {
  const failures = new FailureLimit(2);
  expect([await failures.count('192.0.2.1'), await failures.count('192.0.2.1')]).toEqual([null, null]);
  const wait = await failures.count('192.0.2.1');
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(await failures.count('192.0.2.2')).toBeNull();
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['no address', 'unknown'],
  [undefined, 'unknown'],
])('the source of %s is %s', (remoteAddress, source) => {
  expect(sourceAddress(remoteAddress)).toBe(source);
});
