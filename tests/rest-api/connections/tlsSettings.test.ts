import tls, { type ConnectionOptions, type SecureVersion, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MachineApi } from '../../support/world/machine.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';

const everything = `${tls.DEFAULT_CIPHERS}:@SECLEVEL=0`;

let world: MachineWorld;
let lenient: MachineApi;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  // On a platform that allows everything, only our own settings decide.
  const usual = tls.DEFAULT_CIPHERS;
  tls.DEFAULT_CIPHERS = everything;
  lenient = await world.secondApi();
  tls.DEFAULT_CIPHERS = usual;
});
afterAll(() => world.close());

/** Speaks one version of TLS for one request; resolves when the server has answered and closed. Rejects with the server's alert. */
async function speak(
  version: SecureVersion,
  options: ConnectionOptions = {},
): Promise<{ socket: TLSSocket; session: Buffer | undefined; received: string }> {
  const socket = tls.connect({
    port: lenient.port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca: world.tls.caPem,
    minVersion: version,
    maxVersion: version,
    ciphers: everything,
    ...options,
  });
  let session: Buffer | undefined;
  socket.on('session', (latest) => (session = latest));
  socket.write('GET /v1/sync HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  await new Promise((resolve, reject) => socket.on('end', resolve).on('error', reject));
  return { socket, session, received };
}

test.each(['TLSv1', 'TLSv1.1'] as const)('a back end that speaks %s only is turned away', async (version) => {
  await expect(speak(version)).rejects.toThrow('alert protocol version');
});

test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s is spoken, and a session of it is never taken up again', async (version) => {
  const { certificate } = await world.backEnd();
  const identity = { cert: certificate.certPem, key: certificate.keyPem };
  const first = await speak(version, identity);
  expect(first.socket.getProtocol()).toBe(version);
  const second = await speak(version, { ...identity, session: first.session });
  expect(second.socket.isSessionReused()).toBe(false);
});

test.each(['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305'])(
  'TLS 1.2 is spoken with %s',
  async (cipher) => {
    const { socket } = await speak('TLSv1.2', { ciphers: `${cipher}:@SECLEVEL=0` });
    expect(socket.getCipher().name).toBe(cipher);
  },
);

test.each([
  ['CBC', 'ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES256-SHA384:ECDHE-ECDSA-AES256-SHA'],
  ['CCM', 'ECDHE-ECDSA-AES128-CCM:ECDHE-ECDSA-AES256-CCM8'],
  ['no forward secrecy', 'AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA'],
  ['finite fields', 'DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-GCM-SHA384'],
])('a back end that offers only suites with %s is turned away', async (_what, ciphers) => {
  await expect(speak('TLSv1.2', { ciphers: `${ciphers}:@SECLEVEL=0` })).rejects.toThrow('handshake failure');
});

test.each([
  ['TLSv1.3', 'X25519', 'X25519'],
  ['TLSv1.3', 'P-256', 'prime256v1'],
  ['TLSv1.3', 'P-384', 'secp384r1'],
  // The curve of the server's own certificate has to be among these.
  ['TLSv1.2', 'X25519:P-256', 'X25519'],
  ['TLSv1.2', 'P-256', 'prime256v1'],
] as const)('%s agrees on keys over %s', async (version, groups, name) => {
  const { socket } = await speak(version, { ecdhCurve: groups });
  expect(socket.getEphemeralKeyInfo()).toMatchObject({ type: 'ECDH', name });
});

test.each([
  ['a hybrid that is offered in any place', 'X25519MLKEM768:P-256'],
  ['the hybrid alone', 'X25519MLKEM768'],
  ['everything', 'auto'],
])('TLS 1.3 agrees on keys by the hybrid with a back end that offers %s', async (_what, groups) => {
  const { socket } = await speak('TLSv1.3', { ecdhCurve: groups });
  expect(socket.getEphemeralKeyInfo()).toMatchObject({ name: 'X25519MLKEM768' });
});

test.each([[['http/1.1']], [['h2', 'http/1.1']], [['h2']], [['http/1.0']], [['acme-tls/1', 'x']]])(
  'a back end that offers the protocols %j is answered as HTTP/1.1 without one',
  async (ALPNProtocols) => {
    const { socket, received } = await speak('TLSv1.3', { ALPNProtocols });
    expect(socket.alpnProtocol).toBe(false);
    expect(received).toMatch(/^HTTP\/1\.1 401 [^]*"code":"client_certificate_required"/);
  },
);

test.each(['P-521', 'X448', 'ffdhe2048'])('a back end that offers keys over %s alone is turned away', async (group) => {
  await expect(speak('TLSv1.3', { ecdhCurve: group })).rejects.toThrow('handshake failure');
});

test('a back end that wants to renegotiate is refused, and its connection goes on', async () => {
  const socket = tls.connect({
    port: lenient.port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca: world.tls.caPem,
    maxVersion: 'TLSv1.2',
  });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  const outcome = new Promise<Error | null>((resolve) => {
    socket.on('error', resolve);
    socket.renegotiate({}, resolve);
  });
  expect(String(await outcome)).toMatch(/no renegotiation|socket hang up|ECONNRESET/i);
  socket.destroy();
});
