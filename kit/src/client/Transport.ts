import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Credentials, Identity } from './credentials.ts';
import { KitError } from './errors.ts';
import { version } from './version.ts';

export type Outgoing = {
  readonly method: 'GET' | 'POST';
  /** Path and query, from the origin on. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** On a connection of its own, so that none that the service has just closed is used. */
  readonly fresh?: boolean;
};
export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

/** The service answers within 30 seconds. */
const longestAnswerMs = 40_000;
/** A page has at most 8 MiB. */
const largestAnswer = 16 * 1024 * 1024;
/** The service keeps an idle connection for 65 seconds. */
const idleMs = 55_000;

const unzip = promisify(gunzip);

/** Sends requests over mutual TLS. When the credentials change, new connections present the new pair, and calls under way end on the old ones. */
export class Transport {
  readonly #origin: string;
  readonly #credentials: Credentials;
  readonly #ca: string | undefined;
  #line: { readonly identity: Identity; readonly agent: Agent; underWay: number } | undefined;

  constructor({ origin, credentials, ca }: { origin: string; credentials: Credentials; ca?: string | undefined }) {
    this.#origin = origin;
    this.#credentials = credentials;
    this.#ca = ca;
  }

  /** Whom the next call is made as. */
  identity(): Promise<Identity> {
    return this.#credentials.current();
  }

  /** Rejects with the signal's reason, or with a KitError if no answer of the service arrives. */
  async send(outgoing: Outgoing, signal?: AbortSignal): Promise<Answer> {
    const line = this.#lineOf(await this.#credentials.current());
    line.underWay += 1;
    try {
      return await this.#exchange(line.agent, outgoing, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      const { message, code } = cause as NodeJS.ErrnoException;
      throw new KitError('unreachable', `${outgoing.method} ${this.#origin} failed: ${code ?? message}.`, { cause });
    } finally {
      line.underWay -= 1;
      if (line !== this.#line && line.underWay === 0) line.agent.destroy();
    }
  }

  close(): void {
    this.#line?.agent.destroy();
    this.#line = undefined;
  }

  #lineOf(identity: Identity) {
    const former = this.#line;
    if (former?.identity === identity) return former;
    const trust = this.#ca === undefined ? {} : { ca: this.#ca };
    const agent = new Agent({ keepAlive: true, timeout: idleMs, minVersion: 'TLSv1.2', ...trust, ...identity.tls });
    if (former?.underWay === 0) former.agent.destroy();
    this.#line = { identity, agent, underWay: 0 };
    return this.#line;
  }

  #exchange(agent: Agent, { method, path, headers, body, fresh }: Outgoing, signal?: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(new URL(path, this.#origin), {
        method,
        agent: fresh ? new Agent({ ...agent.options, keepAlive: false }) : agent,
        headers: { 'User-Agent': `svc-operator-kit/${version} node/${process.versions.node}`, 'Accept-Encoding': 'gzip', ...headers },
        ...(signal && { signal }),
      });
      const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${longestAnswerMs / 1000} s`)), longestAnswerMs);
      const failed = (error: Error) => {
        clearTimeout(timer);
        reject(error);
      };
      outgoing.on('error', failed).on('response', (incoming) => {
        const chunks: Buffer[] = [];
        let size = 0;
        incoming.on('error', failed).on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > largestAnswer) outgoing.destroy(new Error('the answer is too large'));
        });
        incoming.on('end', () => {
          clearTimeout(timer);
          const bytes = Buffer.concat(chunks);
          const zipped = incoming.headers['content-encoding'] === 'gzip' && size > 0;
          const whole = zipped ? unzip(bytes, { maxOutputLength: largestAnswer }) : Promise.resolve(bytes);
          whole.then((plain) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: plain }), reject);
        });
      });
      outgoing.end(body);
    });
  }
}
