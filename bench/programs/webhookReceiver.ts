import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerTasks } from './childProcess.ts';

/** `listen` answers the port, `take` what was received since the last `take`. */
export type ReceiverTask =
  | { readonly kind: 'listen'; readonly certPem: string; readonly keyPem: string; readonly recording: boolean }
  | { readonly kind: 'distinct' }
  | { readonly kind: 'take' };

/** One request as it was received: when it had arrived, when it was answered, and with what (0: not at all). */
export type Received = {
  readonly host: string;
  readonly eventId: string;
  readonly arrivedAt: number;
  readonly endedAt: number;
  readonly status: number;
  readonly snapshot: boolean;
};

let recording = false;
let received: Received[] = [];
const distinct = new Set<string>();

/**
 * A receiver for all names below `hooks.test`. What it does is told by the name: `ok-…` answers 204, `silent-…` never answers, `flaky-…` fails
 * two times in five, in several ways, and commits an event exactly if it answers 204.
 */
answerTasks(async (message) => {
  const task = message as ReceiverTask;
  switch (task.kind) {
    case 'listen': {
      ({ recording } = task);
      const server = createServer({ cert: task.certPem, key: task.keyPem, keepAliveTimeout: 60_000 }, (request, response) =>
        receive(request, response),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
      return (server.address() as AddressInfo).port;
    }
    case 'distinct':
      return distinct.size;
    case 'take':
      return received.splice(0);
  }
});

function receive(request: IncomingMessage, response: ServerResponse): void {
  const arrivedAt = Date.now();
  const host = request.headers.host ?? '';
  const eventId = String(request.headers['x-svc-event-id']);
  const body: Buffer[] = [];
  request.on('error', () => {});
  request.on('data', (chunk: Buffer) => {
    if (recording) body.push(chunk);
  });
  request.on('end', () => {
    const end = (status: number): void => {
      if (recording) {
        const snapshot = Buffer.concat(body).includes('"snapshot":');
        received.push({ host, eventId, arrivedAt, endedAt: Date.now(), status, snapshot });
      }
      if (status === 204) distinct.add(`${host} ${eventId}`);
      if (status === 0) request.socket.destroy();
      else response.writeHead(status).end();
    };
    if (host.startsWith('silent-')) return;
    if (host.startsWith('flaky-')) failSometimes(end);
    else end(204);
  });
}

function failSometimes(end: (status: number) => void): void {
  const chance = Math.random();
  if (chance < 0.15) end(503);
  else if (chance < 0.25) end(0);
  else if (chance < 0.4) setTimeout(() => end(chance < 0.35 ? 500 : 429), Math.random() * 300);
  else if (chance < 0.6) setTimeout(() => end(204), Math.random() * 300);
  else end(204);
}
