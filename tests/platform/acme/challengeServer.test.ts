import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { serverLimits } from '../../../server/platform/http/serverLimits.ts';
import { startChallengeServer, type ChallengeServer } from '../../../server/platform/acme/startChallengeServer.ts';

let server: ChallengeServer;
beforeEach(async () => {
  server = await startChallengeServer({ host: '127.0.0.1', port: 0, socket: undefined, portalUrl: 'https://portal.example' });
});
afterEach(() => server.close());

async function answerTo(head: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`${head}\r\nHost: portal.example\r\n\r\n`);
  return text(socket);
}

test('the authority is answered what was prepared for its token, and nothing for any other', async () => {
  server.answers.set('a-token', 'a-token.a-thumbprint');
  const answer = await answerTo('GET /.well-known/acme-challenge/a-token HTTP/1.1');
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer.endsWith('\r\n\r\na-token.a-thumbprint')).toBe(true);
  expect(await answerTo('GET /.well-known/acme-challenge/another HTTP/1.1')).toMatch(/^HTTP\/1\.1 404 /);
  expect(await answerTo('GET /.well-known/acme-challenge/__proto__ HTTP/1.1')).toMatch(/^HTTP\/1\.1 404 /);
});

test.each([
  ['GET /docs?page=2 HTTP/1.1', 'https://portal.example/docs?page=2'],
  ['GET / HTTP/1.1', 'https://portal.example/'],
  ['POST /graphql HTTP/1.1', 'https://portal.example/graphql'],
  ['GET //other.example/x HTTP/1.1', 'https://portal.example//other.example/x'],
  ['GET http://other.example/x HTTP/1.1', 'https://portal.example/'],
  ['OPTIONS * HTTP/1.1', 'https://portal.example/'],
])('everything else is sent to the portal and nowhere else: %s', async (head, location) => {
  const answer = await answerTo(head);
  expect(answer).toMatch(/^HTTP\/1\.1 308 /);
  expect(/^Location: (.*)\r$/m.exec(answer)?.[1]).toBe(location);
});

test('nobody holds more than a quarter of its few connections: one more from the same address ends the oldest', async () => {
  const most = serverLimits.challengeConnections / 4;
  const ended: number[] = [];
  const sockets = Array.from({ length: most }, (_, number) => connect(server.port, '127.0.0.1').once('close', () => ended.push(number)));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  expect(await answerTo('GET / HTTP/1.1')).toMatch(/^HTTP\/1\.1 308 /);
  expect(ended).toEqual([0]);
  for (const socket of sockets) socket.destroy();
});
