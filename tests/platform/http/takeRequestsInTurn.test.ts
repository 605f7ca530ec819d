import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { takeRequestsInTurn } from '../../../server/platform/http/takeRequestsInTurn.ts';
import { parseAnswers } from '../../support/clients/parseAnswers.ts';

/** How long a request may take to arrive, and how often Node checks that, in milliseconds. */
const arrival = 50;
const server = createServer({ requestTimeout: arrival, headersTimeout: arrival, connectionsCheckingInterval: arrival });
/** Paths, in the order in which their requests were begun, and the responses that wait for the test. */
const begun: string[] = [];
const held: ServerResponse[] = [];

beforeAll(async () => {
  takeRequestsInTurn(server, {
    handle({ url = '' }: IncomingMessage, response) {
      begun.push(url);
      if (url === '/held') held.push(response);
      else response.setHeader('Content-Length', 0).end();
    },
    refuse: ({ code }) => ({ status: 408, headers: {}, body: JSON.stringify({ code }) }),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close());

async function answersTo(bytes: string): Promise<[number, unknown][]> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return parseAnswers(Buffer.concat(chunks)).map(({ status, body }) => [status, body]);
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test('what does not arrive in time is refused behind the request that is worked on, however long that takes', async () => {
  const answers = answersTo(`${request('/held')}GET /late HT`);
  while (held.length === 0) await new Promise(setImmediate);
  // This one began later, so once it has been refused, the time of the first one has run out, too.
  expect(await answersTo('GET /later HT')).toEqual([[408, { code: 'request_timeout' }]]);
  held.pop()?.setHeader('Content-Length', 0).end();
  expect(await answers).toEqual([
    [200, null],
    [408, { code: 'request_timeout' }],
  ]);
});

test('a request is begun when the one before it on its connection has been answered', async () => {
  begun.length = 0;
  const answers = answersTo(`${request('/held')}${request('/second')}GET /late HT`);
  while (held.length === 0) await new Promise(setImmediate);
  await answersTo(`${request('/other')}GET /later HT`);
  expect(begun).toEqual(['/held', '/other']);
  held.pop()?.setHeader('Content-Length', 0).end();
  expect((await answers).map(([status]) => status)).toEqual([200, 200, 408]);
  expect(begun).toEqual(['/held', '/other', '/second']);
});
