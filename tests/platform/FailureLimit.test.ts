import { expect, test } from '@jest/globals';
import { FailureLimit } from '../../server/platform/FailureLimit.ts';
import { sourceAddress } from '../../server/platform/sourceAddress.ts';

test('so many refusals a minute are counted, then the time to wait is told; looking counts nothing', async () => {
  const failures = new FailureLimit(2);
  expect(await failures.waitingTime('192.0.2.1')).toBeNull();
  expect([await failures.count('192.0.2.1'), await failures.count('192.0.2.1')]).toEqual([null, null]);
  for (let look = 0; look < 3; look += 1) expect(await failures.waitingTime('192.0.2.1')).toBeGreaterThan(0);
  expect(await failures.count('192.0.2.1')).toBeLessThanOrEqual(60);
  expect(await failures.waitingTime('192.0.2.2')).toBeNull();
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
