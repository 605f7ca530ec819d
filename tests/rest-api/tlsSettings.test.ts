import tls, { type ConnectionOptions, type SecureVersion, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MachineApi } from '../../rest-api/machineApi.ts';
import { MachineApiWorld } from '../support/machineApiWorld.ts';

const everything = `${tls.DEFAULT_CIPHERS}:@SECLEVEL=0`;

let world: MachineApiWorld;
let lenient: MachineApi;
beforeAll(async () => {
  world = await MachineApiWorld.open();
  // Where a platform allows everything, our own settings alone decide.
  const usual = tls.DEFAULT_CIPHERS;
  tls.DEFAULT_CIPHERS = everything;
  lenient = await world.secondApi();
  tls.DEFAULT_CIPHERS = usual;
});
afterAll(() => world.close());

/** Speaks one version of TLS for one request; resolves when the server has answered it and closed. Rejects with the server's alert. */
async function speak(version: SecureVersion, options: ConnectionOptions = {}): Promise<{ socket: TLSSocket; session: Buffer | undefined }> {
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
  socket.resume();
  await new Promise((resolve, reject) => socket.on('end', resolve).on('error', reject));
  return { socket, session };
}

test.each(['TLSv1', 'TLSv1.1'] as const)('a back end that speaks %s only is turned away', async (version) => {
  await expect(speak(version)).rejects.toThrow('alert protocol version');
});

test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s is spoken, and a session of it is never taken up again', async (version) => {
  const { certificate } = await world.operator();
  const identity = { cert: certificate.certPem, key: certificate.keyPem };
  const first = await speak(version, identity);
  expect(first.socket.getProtocol()).toBe(version);
  const second = await speak(version, { ...identity, session: first.session });
  expect(second.socket.isSessionReused()).toBe(false);
});
