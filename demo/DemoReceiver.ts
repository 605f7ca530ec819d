import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteFeed } from '../kit/src/sqlite.ts';
import { remoteKeys, WebhookReceiver } from '../kit/src/webhook.ts';
import { Surprise } from './Surprise.ts';

export type ReceiverSettings = {
  /** The registered URL, on a name that leads the service's workers to `port` of this machine. */
  readonly url: string;
  readonly port: number;
  /** The folder with receiver.pem and receiver.key. */
  readonly tlsFolder: string;
  readonly jwksUrl: string;
  /** The origin of the machine API. */
  readonly source: string;
  readonly database: string;
};

function portHeld(port: number): string {
  return `Port ${port} of this machine is in use, perhaps by a receiver that you have started or by another demo. Stop it, and start the demo again.`;
}

/** An operator's receiver, made of the kit's. What it has committed outlives it. */
export class DemoReceiver {
  readonly #settings: ReceiverSettings;
  #running: { readonly server: Server; readonly database: DatabaseSync } | undefined;
  /** The IDs of the events that it applied, however often it was started. */
  readonly applied: string[] = [];
  /** Why it refused what it refused, such as "400 unexpected environment". */
  readonly refused: string[] = [];

  constructor(settings: ReceiverSettings) {
    this.#settings = settings;
  }

  /** Starts it for this environment. Rejects if it cannot listen. */
  async start(environment: 'sandbox' | 'production'): Promise<void> {
    const { url, port, tlsFolder, jwksUrl, source, database: file } = this.#settings;
    const [cert, key] = await Promise.all(['receiver.pem', 'receiver.key'].map((name) => readFile(join(tlsFolder, name))));
    const database = new DatabaseSync(file);
    const receiver = new WebhookReceiver({
      url,
      freshnessSeconds: 300,
      once: sqliteFeed(database).commitEvent,
      keys: remoteKeys(jwksUrl),
      expect: { environment, source },
      answerChallenges: true,
    });
    const server = createServer({ cert, key }, (request, response) => void this.#answer(receiver, request, response));
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    } catch (error) {
      database.close();
      throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? new Surprise(portHeld(port)) : error;
    }
    this.#running = { server, database };
  }

  async #answer(receiver: WebhookReceiver, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    const verdict = await receiver.judge(request.method ?? '', request.headers, body, { target: request.url });
    if (verdict.status === 204 && !verdict.repeated) this.applied.push(verdict.event.id);
    if ('reason' in verdict) this.refused.push(`${verdict.status} ${verdict.reason}`);
    response.writeHead(verdict.status).end('body' in verdict ? verdict.body : undefined);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (!running) return;
    const closed = once(running.server, 'close');
    running.server.close();
    running.server.closeAllConnections();
    await closed;
    running.database.close();
  }
}
