import { expect, test } from '@jest/globals';
import { readConfig } from '../../server/config/config.ts';
import { ConfigError } from '../../server/config/ConfigError.ts';
import { clientAddress } from '../../server/platform/clientAddress.ts';

const { trustedProxies } = readConfig('service', { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, fd00::/8, ::1' });

test.each([
  ['the socket’s own address', '192.0.2.7', '', '192.0.2.7'],
  ['IPv4 in IPv6 as IPv4', '::ffff:192.0.2.7', '', '192.0.2.7'],
  ['without the zone of an interface', 'fe80::1%eth0', '', 'fe80::1'],
  ['not what a stranger claims', '192.0.2.7', '203.0.113.9', '192.0.2.7'],
  ['what our proxy says', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['what our proxy says in IPv6', 'fd00::1', '2001:db8::5', '2001:db8::5'],
  ['the last that is not ours, behind two proxies', '::1', '203.0.113.9, 10.1.2.3', '203.0.113.9'],
  ['not what was claimed before our proxy', '127.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['the proxy’s when it names nobody', '127.0.0.1', '', '127.0.0.1'],
  ['the proxy’s when it names no address', '127.0.0.1', '203.0.113.9, unknown', '127.0.0.1'],
  ['ours when there is nobody but us', '127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
])('the address of a request is %s', (_what, remote, forwarded, expected) => {
  expect(clientAddress(remote, forwarded, trustedProxies)).toBe(expected);
});

test('a socket that is gone has the address of nobody', () => {
  expect(clientAddress(undefined, '203.0.113.9', trustedProxies)).toBe('0.0.0.0');
});

test('nobody is trusted until it is said so', () => {
  expect(clientAddress('127.0.0.1', '203.0.113.9', readConfig('service', {}).trustedProxies)).toBe('127.0.0.1');
});

test.each(['proxy.internal', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', '1.2.3', ','])(
  'the list %j stops the start',
  (list) => {
    expect(() => readConfig('service', { TRUSTED_PROXIES: list })).toThrow(ConfigError);
  },
);
