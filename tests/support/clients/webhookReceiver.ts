import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDevelopmentTls } from '../../../server/platform/developmentTls.ts';
import type { DevelopmentHosts } from '../../../server/platform/outbound/openConnection.ts';
import { complaintsAboutDelivery } from './asyncContract.ts';

/** A request as it came, with the spelling and the order of its headers. */
export type ReceivedRequest = {
  readonly host: string;
  readonly method: string;
  /** As it was on the request line. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly at: number;
};

/** What a receiver answers: a status, or everything. A function may also write to the response itself and return nothing. */
export type ReceiverAnswer = number | { status: number; headers?: Record<string, string>; body?: string | Buffer };
export type Answering = (
  request: ReceivedRequest,
  response: ServerResponse,
) => ReceiverAnswer | undefined | Promise<ReceiverAnswer | undefined>;

const echoChallenge: Answering = ({ body }) => {
  const { challenge } = JSON.parse(body.toString()) as { challenge?: string };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ challenge }) };
};

/**
 * A real HTTPS server on a loopback address for all names below `.hooks.test`, with certificates of a development authority. It records what
 * it receives, answers 200, and passes challenges.
 */
export class WebhookReceiver {
  readonly requests: ReceivedRequest[] = [];
  connections = 0;
  /** What it answers to everything that is no challenge, and to challenges. */
  answer: Answering = () => 200;
  answerChallenge: Answering = echoChallenge;
  /** What deliveries and challenges had that the AsyncAPI description does not say. Closing the receiver fails unless this is empty. */
  readonly undescribed: string[] = [];
  readonly #hosts = new Map<string, { address: string; port: number }>();
  readonly #port: number;
  readonly #caPem: string;
  readonly #stop: () => Promise<void>;

  private constructor(port: number, caPem: string, stop: () => Promise<void>) {
    this.#port = port;
    this.#caPem = caPem;
    this.#stop = stop;
  }

  static async start(): Promise<WebhookReceiver> {
    const folder = await mkdtemp(join(tmpdir(), 'svc-receiver-'));
    const { caPem, certPem, keyPem } = await ensureDevelopmentTls(folder, ['*.hooks.test', '*.pages.example']);
    await rm(folder, { recursive: true });
    const sockets = new Set<Socket>();
    const server = createServer({ cert: certPem, key: keyPem, keepAliveTimeout: 60_000 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new WebhookReceiver((server.address() as AddressInfo).port, caPem, async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    });
    server.on('request', (request, response) => void receiver.#receive(request, response));
    server.on('connection', (socket) => {
      receiver.connections += 1;
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    });
    return receiver;
  }

  /** For `createOutbound` or a world: all names that have been asked for so far and will be. */
  get developmentHosts(): DevelopmentHosts {
    return { hosts: this.#hosts, caPem: this.#caPem };
  }

  /** The address of an endpoint on this receiver. Every name is one label below `hooks.test`. */
  url(name: string, path = '/webhooks'): string {
    const host = `${name}.hooks.test`;
    this.#hosts.set(host, { address: '127.0.0.1', port: this.#port });
    return `https://${host}${path}`;
  }

  /** The address of a page on this server, which a profile may name. */
  pageUrl(name: string, path: string): string {
    const host = `${name}.pages.example`;
    this.#hosts.set(host, { address: '127.0.0.1', port: this.#port });
    return `https://${host}${path}`;
  }

  /** Requests to this name, oldest first. */
  at(name: string): ReceivedRequest[] {
    return this.requests.filter(({ host }) => host === `${name}.hooks.test`);
  }

  async close(): Promise<void> {
    await this.#stop();
    if (this.undescribed.length > 0) throw new Error(`Deliveries were not as described: ${this.undescribed.join('; ')}`);
  }

  async #receive(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of message) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const { headers, rawHeaders, method = '', url: target = '' } = message;
    const request = { host: headers.host ?? '', method, target, headers, rawHeaders, body: Buffer.concat(chunks), at: Date.now() };
    this.requests.push(request);
    if (headers['user-agent']?.startsWith('Svc-Webhook')) this.undescribed.push(...complaintsAboutDelivery(request));
    const challenged = headers['user-agent'] === 'Svc-Webhook-Verification/1.0';
    const answer = await (challenged ? this.answerChallenge(request, response) : this.answer(request, response));
    if (answer === undefined) return;
    const { status, headers: given = {}, body = '' } = typeof answer === 'number' ? { status: answer } : answer;
    response.writeHead(status, given).end(body);
  }
}
