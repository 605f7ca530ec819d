import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { superviseConnections } from '../../../server/platform/http/superviseConnections.ts';
import { takeRequestsInTurn } from '../../../server/platform/http/takeRequestsInTurn.ts';
import { parseAnswers } from '../../support/clients/parseAnswers.ts';

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A server whose answers to `/held` wait for the test, and that can be told to stop. */
async function serve() {
  const held: ServerResponse[] = [];
  const begun: string[] = [];
  const stopping = new AbortController();
  const server = createServer();
  const supervision = superviseConnections(server, { name: 'test', connections: 100, stopping: stopping.signal });
  takeRequestsInTurn(server, {
    handle({ url = '' }, response) {
      begun.push(url);
      if (url.startsWith('/held')) held.push(response);
      else response.setHeader('Content-Length', 0).end();
      if (url === '/held/begun') response.setHeader('Content-Length', 2).flushHeaders();
    },
    refuse: ({ code }) => ({ status: 400, headers: {}, body: JSON.stringify({ code }) }),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    stops.length = 0;
    for (const response of held.splice(0)) response.end();
    return supervision.stop();
  };
  stops.push(stop);
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  return { held, begun, supervision, open, tell: () => stopping.abort() };
}

/** What a connection has received by the time that the server ends it, as statuses with what each says of the connection. */
async function readAll(socket: Socket): Promise<[number, unknown][]> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return parseAnswers(Buffer.concat(chunks)).map(({ status, headers }) => [status, headers['connection']]);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

test('once a server has been told to stop, it still lets callers in, and each connection ends with its next answer', async () => {
  const { open, tell, begun } = await serve();
  const kept = await open();
  kept.write(request('/before'));
  await once(kept, 'data');
  tell();
  kept.write(request('/after'));
  expect(await readAll(kept)).toEqual([[200, 'close']]);
  const late = await open();
  late.write(request('/late'));
  expect(await readAll(late)).toEqual([[200, 'close']]);
  expect(begun).toEqual(['/before', '/after', '/late']);
});

test('what was being answered ends its connection, and requests that were sent ahead are answered first', async () => {
  const { open, tell, begun, held } = await serve();
  const [single, ahead] = [await open(), await open()];
  single.write(request('/held'));
  ahead.write(request('/held/first'));
  await until(() => held.length === 2);
  tell();
  ahead.write(request('/second') + request('/third'));
  // Bytes of another connection that come later have been read, so those have, too.
  const other = await open();
  other.write(request('/other'));
  await readAll(other);
  for (const response of held.splice(0)) response.setHeader('Content-Length', 0).end();
  expect(await readAll(single)).toEqual([[200, 'close']]);
  expect((await readAll(ahead)).map(([, connection]) => connection)).toEqual([undefined, undefined, 'close']);
  expect(begun.slice(-2)).toEqual(['/second', '/third']);
});

test('a stop ends idle connections at once, and those whose answer had begun when it is complete', async () => {
  const { open, tell, held, supervision } = await serve();
  const [idle, begun] = [await open(), await open()];
  idle.write(request('/before'));
  await once(idle, 'data');
  begun.write(request('/held/begun'));
  const [head] = (await once(begun, 'data')) as [Buffer];
  expect(head.toString()).toContain('Connection: keep-alive');
  tell();
  const stopped = supervision.stop();
  expect(await readAll(idle)).toEqual([]);
  const [response] = held.splice(0) as [ServerResponse];
  const { socket } = response;
  response.end('ok');
  await once(response, 'close');
  expect(socket?.writableEnded).toBe(true);
  const rest: Buffer[] = [];
  for await (const chunk of begun) rest.push(chunk as Buffer);
  expect(Buffer.concat(rest).toString()).toBe('ok');
  await stopped;
});

test('who has just connected when the server stops is still answered', async () => {
  const { open, tell, supervision, begun } = await serve();
  tell();
  const newcomer = await open();
  // It has been let in once a later one has been answered.
  const other = await open();
  other.write(request('/other'));
  await readAll(other);
  const stopped = supervision.stop();
  newcomer.write(request('/newcomer'));
  expect(await readAll(newcomer)).toEqual([[200, 'close']]);
  await stopped;
  expect(begun.at(-1)).toBe('/newcomer');
});
