import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serverLimits } from '../../../server/platform/http/serverLimits.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

async function secure(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: world.tls.caPem });
  await once(socket, 'secureConnect');
  return socket;
}

/** The status that is answered to these bytes, which end the connection. */
async function statusAfter(bytes: string, socket: TLSSocket): Promise<string> {
  socket.write(bytes);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer.slice(9, 12);
}

test('on a connection without a request there is no 408, and none takes from its address’s budget; a request has its own time', async () => {
  const api = await world.secondApi({ requestTimeoutMs: 200, unauthenticatedRequestsPerMinute: 3 });
  const unused = await Promise.all(Array.from({ length: 4 }, () => secure(api.port)));
  // Once a younger connection is told so, they would have been.
  expect(await statusAfter('GET /v1/sync HT', await secure(api.port))).toBe('408');
  const [whole, half, ...others] = unused;
  if (!whole || !half) throw new Error('There are four.');
  expect(await statusAfter('GET /v1/sync HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', whole)).toBe('401');
  expect(await statusAfter('GET /v1/sync HT', half)).toBe('408');
  expect(others.map(({ bytesRead, readableEnded }) => [bytesRead, readableEnded])).toEqual(others.map(() => [0, false]));
  for (const socket of others) socket.destroy();
});

test('a connection stays open as long before its first request as after it', () => {
  expect(serverLimits.connectionInactivity).toBe(serverLimits.keepAlive);
});
