import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerTasks, cpuMs } from './childProcess.ts';
import { keepAlive, type ServerTask } from './servers.ts';

/** The measure of all others: node:https with mutual TLS that sends bytes it holds in memory. */
answerTasks(async (message) => {
  const task = message as ServerTask;
  if (task.kind === 'cpu') return cpuMs();
  const bodies = new Map(Object.entries(task.answers).map(([path, file]) => [path, readFileSync(file)]));
  const server = createServer(
    {
      cert: task.tls.certPem,
      key: task.tls.keyPem,
      ca: [...task.authorityPems],
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...keepAlive,
    },
    (request, response) => {
      const body = bodies.get(request.url ?? '') ?? Buffer.alloc(0);
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
});
