import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerTasks } from './childProcess.ts';
import { answerKey, clientHeader, mutualTls, type ServerTask } from './servers.ts';

/** What all others are measured against: node:https with mutual TLS that sends bytes from memory. */
answerTasks(async (message) => {
  const task = message as ServerTask;
  const bodies = new Map(Object.entries(task.answers).map(([key, file]) => [key, readFileSync(file)]));
  const server = createServer(mutualTls(task), (request, response) => {
    const body = bodies.get(answerKey(String(request.headers[clientHeader]), request.url ?? '')) ?? Buffer.alloc(0);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
});
