import { expect, test } from '@jest/globals';
import { readProxyHeader } from '../../../../server/platform/http/proxy/readProxyHeader.ts';
import { proxyV2 } from '../../../support/clients/proxyHeaders.ts';

const rest = Buffer.from('160301', 'hex');
const line = (text: string) => Buffer.from(`${text}\r\n`, 'latin1');
const v4 = [203, 0, 113, 7, 10, 0, 0, 1, 0xd4, 0x31, 0x20, 0xfb];
const v6 = (...head: number[]) => [...head, ...Array<number>(36 - head.length).fill(1)];
const documentation = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5];
const mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 198, 51, 100, 9];

test.each([
  ['a line with IPv4', line('PROXY TCP4 203.0.113.7 10.0.0.1 54321 8443'), '203.0.113.7'],
  ['a line with IPv6', line('PROXY TCP6 2001:DB8:0::5 ::1 0 65535'), '2001:db8::5'],
  ['a line with IPv4 mapped into IPv6', line('PROXY TCP6 ::ffff:198.51.100.9 ::ffff:10.0.0.1 1 2'), '198.51.100.9'],
  ['the longest line', line('PROXY TCP6 ' + `${'ffff:'.repeat(7)}ffff `.repeat(2) + '65535 65535'), 'ffff:'.repeat(7) + 'ffff'],
  ['a line of a caller that the balancer does not know', line('PROXY UNKNOWN'), null],
  ['such a line with something behind it', line('PROXY UNKNOWN ffff::1 ffff::1 65535 65535'), null],
  ['version 2 with IPv4', proxyV2(0x21, 0x11, v4), '203.0.113.7'],
  ['version 2 with IPv6', proxyV2(0x21, 0x21, v6(...documentation)), '2001:db8::5'],
  ['version 2 with IPv4 mapped into IPv6', proxyV2(0x21, 0x21, v6(...mapped)), '198.51.100.9'],
  ['version 2 with additions behind the addresses', proxyV2(0x21, 0x11, [...v4, 3, 0, 4, 1, 2, 3, 4]), '203.0.113.7'],
  ['version 2 with as much as there may be', proxyV2(0x21, 0x11, [...v4, ...Array<number>(1_012).fill(0)]), '203.0.113.7'],
  ['the balancer’s own check', proxyV2(0x20, 0x00, []), null],
  ['the balancer’s own check, with addresses', proxyV2(0x20, 0x11, v4), null],
  ['the balancer’s own check, with a family that nobody knows', proxyV2(0x20, 0x99, [1, 2, 3]), null],
  ['version 2 of a caller that the balancer does not know', proxyV2(0x21, 0x00, []), null],
  ['version 2 with a Unix socket', proxyV2(0x21, 0x31, Array<number>(216).fill(47)), null],
])('%s is understood, at once or byte by byte, and what follows is left', (_, header, source) => {
  expect(readProxyHeader(Buffer.concat([header, rest]))).toEqual({ length: header.length, source });
  for (let known = 0; known < header.length; known += 1) expect(readProxyHeader(header.subarray(0, known))).toBe('incomplete');
});

test.each([
  ['the beginning of a TLS handshake', Buffer.from('1603010200010001fc0303', 'hex')],
  ['a request', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['a signature with a wrong byte', Buffer.concat([proxyV2(0x21, 0x11, v4).subarray(0, 11), Buffer.of(0x0b)])],
  ['version 1 of the binary form', proxyV2(0x11, 0x11, v4)],
  ['a command that nobody knows', proxyV2(0x22, 0x11, v4)],
  ['datagrams', proxyV2(0x21, 0x12, v4)],
  ['a family without a transport', proxyV2(0x21, 0x10, v4)],
  ['addresses that are too short', proxyV2(0x21, 0x21, v4)],
  ['more additions than anybody needs', proxyV2(0x21, 0x11, Array<number>(1_025).fill(0)).subarray(0, 16)],
  ['a line that does not end', Buffer.from(`PROXY UNKNOWN ${'x'.repeat(93)}`)],
  ['a line that ends too late', line(`PROXY UNKNOWN ${'x'.repeat(92)}`)],
  ['a line that ends without a carriage return', Buffer.from(`PROXY TCP4 203.0.113.7 10.0.0.1 1 2\n${' '.repeat(80)}`)],
  ['a line with lower-case letters', line('PROXY tcp4 203.0.113.7 10.0.0.1 1 2')],
  ['a line of UDP', line('PROXY UDP4 203.0.113.7 10.0.0.1 1 2')],
  ['a line without ports', line('PROXY TCP4 203.0.113.7 10.0.0.1')],
  ['a line with a port that is none', line('PROXY TCP4 203.0.113.7 10.0.0.1 1 65536')],
  ['a line with a port with a leading zero', line('PROXY TCP4 203.0.113.7 10.0.0.1 01 2')],
  ['a line with two spaces', line('PROXY TCP4  203.0.113.7 10.0.0.1 1 2')],
  ['a line with a name', line('PROXY TCP4 localhost 10.0.0.1 1 2')],
  ['a line with an address of the other family', line('PROXY TCP4 ::1 10.0.0.1 1 2')],
  ['a line with a number that may be read in two ways', line('PROXY TCP4 010.0.0.7 10.0.0.1 1 2')],
  ['a line with a network card', line('PROXY TCP6 fe80::1%eth0 ::1 1 2')],
  ['a line with a wrong target', line('PROXY TCP4 203.0.113.7 10.0.0 1 2')],
])('%s is no header', (_, bytes) => {
  expect(readProxyHeader(bytes)).toBe('invalid');
});
