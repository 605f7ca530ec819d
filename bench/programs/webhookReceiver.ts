import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerTasks } from './childProcess.ts';

/**
 * `listen` answers the port, `distinct` and `committed` how many and which deliveries were ever committed, `take` what was received since the
 * last `take`.
 */
export type ReceiverTask =
  | { readonly kind: 'listen'; readonly certPem: string; readonly keyPem: string; readonly recording: boolean }
  | { readonly kind: 'distinct' }
  | { readonly kind: 'committed' }
  | { readonly kind: 'take' };

/** One request as it was received: when it had arrived, when it was answered, and with what (0: not at all). */
export type Received = {
  readonly host: string;
  readonly eventId: string;
  readonly arrivedAt: number;
  readonly endedAt: number;
  readonly status: number;
  readonly type: string;
  readonly snapshot: boolean;
  readonly shipping: boolean;
};

let recording = false;
let received: Received[] = [];
const distinct = new Set<string>();

/**
 * A receiver for all names below `hooks.test`. What it does is told by the name: `ok-…` answers 204, `slow-…` after a while, `silent-…` never,
 * and `flaky-…` fails two times in five, in several ways. It commits an event when it decides to answer 204, whether or not somebody still
 * waits for it.
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
    case 'committed':
      return [...distinct];
    case 'take':
      return received.splice(0);
  }
});

function receive(request: IncomingMessage, response: ServerResponse): void {
  const arrivedAt = Date.now();
  const host = request.headers.host ?? '';
  const eventId = String(request.headers['x-svc-event-id']);
  const chunks: Buffer[] = [];
  let recorded = false;
  const record = (status: number): void => {
    if (recorded || !recording) return;
    recorded = true;
    const body = Buffer.concat(chunks).toString();
    const type = /"type":"([a-z.]+)"/.exec(body)?.[1] ?? '';
    received.push({
      host,
      eventId,
      arrivedAt,
      endedAt: Date.now(),
      status,
      type,
      snapshot: body.includes('"snapshot":'),
      shipping: body.includes('"shipping":{'),
    });
  };
  const end = (status: number): void => {
    if (status === 204) distinct.add(`${host} ${eventId}`);
    record(status);
    if (status === 0) request.socket.destroy();
    else if (!response.destroyed) response.writeHead(status).end();
  };
  request.on('error', () => {});
  request.on('data', (chunk: Buffer) => {
    if (recording) chunks.push(chunk);
  });
  // Its sender has gone away.
  response.on('close', () => record(0));
  request.on('end', () => {
    if (host.startsWith('silent-')) return;
    if (host.startsWith('flaky-')) failSometimes(end);
    else if (host.startsWith('slow-')) setTimeout(end, 20, 204);
    else end(204);
  });
}

function failSometimes(end: (status: number) => void): void {
  const chance = Math.random();
  if (chance < 0.15) end(503);
  else if (chance < 0.25) end(0);
  else if (chance < 0.27) end(410);
  else if (chance < 0.4) setTimeout(() => end(chance < 0.35 ? 500 : 429), Math.random() * 300);
  else if (chance < 0.6) setTimeout(() => end(204), Math.random() * 300);
  else end(204);
}
