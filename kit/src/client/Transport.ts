import { Agent, request } from 'node:https';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { answerTo, type Answer } from './answerTo.ts';
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
  readonly sent?: (() => void) | undefined;
};

/** The service answers within 30 seconds. */
const longestAnswerMs = 40_000;
/** A page has at most 8 MiB. */
const largestAnswer = 16 * 1024 * 1024;
/** The service keeps an idle connection for 65 seconds. */
const idleMs = 55_000;

/** A page comes in one piece; the default would be fifty, each with a turn of the event loop. */
const decoding = { maxOutputLength: largestAnswer, chunkSize: 1024 * 1024 };
type Decoder = (coded: Buffer, options: typeof decoding) => Promise<Buffer>;
/** For a page, zstd takes the service half the time that gzip does, and half the bytes. Node has it from 22.15 on. */
const decoders: Readonly<Record<string, Decoder>> = {
  ...('zstdDecompress' in zlib && { zstd: promisify(zlib.zstdDecompress) }),
  gzip: promisify(zlib.gunzip),
};
const codings = Object.keys(decoders).join(', ');

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

  async #exchange(agent: Agent, { method, path, headers, body, fresh, sent }: Outgoing, signal?: AbortSignal): Promise<Answer> {
    const outgoing = request(new URL(path, this.#origin), {
      method,
      agent: fresh ? new Agent({ ...agent.options, keepAlive: false }) : agent,
      headers: { 'User-Agent': `svc-operator-kit/${version} node/${process.versions.node}`, 'Accept-Encoding': codings, ...headers },
      ...(signal && { signal }),
    });
    if (sent) outgoing.once('finish', sent);
    const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${longestAnswerMs / 1000} s`)), longestAnswerMs);
    try {
      const answer = await answerTo(outgoing.end(body), largestAnswer);
      const decode = answer.body.length > 0 ? decoders[answer.headers['content-encoding'] ?? ''] : undefined;
      return decode ? { ...answer, body: await decode(answer.body, decoding) } : answer;
    } finally {
      clearTimeout(timer);
    }
  }
}
