import { once } from 'node:events';
import { connect, type SecureVersion, type TLSSocket } from 'node:tls';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hostileChain } from '../../../bench/hostile/hostileChain.ts';
import { closedConnections } from '../../../server/platform/metrics.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

type Presented = { readonly certPem: string; readonly keyPem: string };

/** One version, one cipher of each kind, and a greeting that the server answers with a question for another one. */
const ways = {
  'TLS 1.2': { maxVersion: 'TLSv1.2' },
  'TLS 1.2 with ChaCha20': { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305' },
  'AES-256': { ciphers: 'TLS_AES_256_GCM_SHA384' },
  'AES-128': { ciphers: 'TLS_AES_128_GCM_SHA256' },
  ChaCha20: { ciphers: 'TLS_CHACHA20_POLY1305_SHA256' },
  'another greeting': { ecdhCurve: 'P-521:P-256' },
} as const satisfies Record<string, { maxVersion?: SecureVersion; ciphers?: string; ecdhCurve?: string }>;
const names = Object.keys(ways) as (keyof typeof ways)[];

const get = (padding = 0) =>
  `GET /v1/capabilities HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Padding: ${'a'.repeat(padding)}\r\n\r\n`;

async function closedFor(reason: string): Promise<number> {
  const { values } = await closedConnections.get();
  return values.find(({ labels }) => labels.server === 'rest-api' && labels.reason === reason)?.value ?? 0;
}

/** Begins a handshake. What is written before it is complete goes out together with its end. */
function present({ certPem, keyPem }: Presented, way: keyof typeof ways): TLSSocket {
  const { port } = world.api;
  return connect({ port, host: '127.0.0.1', servername: 'localhost', ca: world.tls.caPem, cert: certPem, key: keyPem, ...ways[way] });
}

describe.each([
  { chain: hostileChain(1, 'ownCurve'), words: 'a key on a curve of its own', reason: 'handshake_unusual_key' },
  { chain: hostileChain(1, 'longExponent'), words: 'an RSA key with a long exponent', reason: 'handshake_unusual_key' },
  { chain: hostileChain(75, 'longExponent'), words: '101 KB', reason: 'handshake_too_large' },
])('A chain with $words ends the connection before OpenSSL sees it', ({ chain, reason }) => {
  test.each(names)('%s', async (way) => {
    const before = await closedFor(reason);
    const socket = present(chain, way).on('error', () => {});
    socket.write(get());
    const processorTime = process.threadCpuUsage();
    expect(await text(socket).catch(() => '')).toBe('');
    expect(process.threadCpuUsage(processorTime).user).toBeLessThan(100_000);
    expect((await closedFor(reason)) - before).toBe(1);
  });
});

describe('Usual handshakes go on', () => {
  test.each(names)('%s, with a large request that comes together with their end', async (way) => {
    const { certificate } = await world.backEnd();
    const socket = present(certificate, way);
    socket.write(get(15_000));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('without a certificate', async () => {
    const { port } = world.api;
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: world.tls.caPem });
    socket.write(get());
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 [^]*"code":"client_certificate_required"/);
  });

  test('with a chain that nobody knows', async () => {
    const socket = present(hostileChain(0), 'AES-256');
    socket.write(get());
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 [^]*"code":"client_certificate_invalid"/);
  });

  test('and the connection may then send more than a handshake', async () => {
    const { certificate } = await world.backEnd();
    const socket = present(certificate, 'AES-256');
    await once(socket, 'secureConnect');
    for (let turn = 0; turn < 3; turn += 1) {
      socket.write(get(14_000).replace('Connection: close\r\n', ''));
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
    }
    socket.destroy();
  });
});
