import { Agent, request } from 'node:https';
import zlib from 'node:zlib';
import { answerTo } from './answers.ts';
import type { Answer } from './calls.ts';
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

type Server = { readonly origin: string; readonly credentials: Credentials; readonly ca?: string | undefined };

/** The service answers within 30 seconds. */
const longestAnswerMs = 40_000;
/** A page has at most 8 MiB. */
const largestAnswer = 16 * 1024 * 1024;
/** The service keeps an idle connection for 65 seconds. */
const idleMs = 55_000;

/** A page comes in one piece; the default would be fifty, each with a turn of the event loop. */
const decoding = { maxOutputLength: largestAnswer, chunkSize: 1024 * 1024 };
/**
 * For a page, zstd takes the service half the time that gzip does, and half the bytes. Node has it from 22.15 on. A page is decoded at once:
 * it takes half a millisecond, and to hand it to another thread and back takes as long.
 */
const decoders: Readonly<Record<string, (coded: Buffer, options: typeof decoding) => Buffer>> = {
  ...('zstdDecompressSync' in zlib && { zstd: zlib.zstdDecompressSync }),
  gzip: zlib.gunzipSync,
};
const codings = Object.keys(decoders).join(', ');

/** Sends requests over mutual TLS. When the credentials change, new connections present the new pair, and calls under way end on the old ones. */
export class Transport {
  readonly #server: Server;
  #line: { readonly identity: Identity; readonly agent: Agent } | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Rejects with the signal's reason, or with a KitError if no answer of the service arrives. */
  async send(outgoing: Outgoing, signal?: AbortSignal): Promise<Answer> {
    const agent = this.#agentOf(await this.#server.credentials.current());
    try {
      return await this.#exchange(agent, outgoing, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      const { message, code } = cause as NodeJS.ErrnoException;
      throw new KitError('unreachable', `${outgoing.method} ${this.#server.origin} failed: ${code ?? message}.`, { cause });
    }
  }

  /** Ends idle connections now, and others once their call has ended. */
  close(): void {
    const agent = this.#line?.agent;
    this.#line = undefined;
    if (!agent) return;
    agent.maxFreeSockets = 0;
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
  }

  #agentOf(identity: Identity): Agent {
    if (this.#line?.identity === identity) return this.#line.agent;
    this.close();
    const { ca } = this.#server;
    const agent = new Agent({ keepAlive: true, timeout: idleMs, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }), ...identity.tls });
    this.#line = { identity, agent };
    return agent;
  }

  async #exchange(agent: Agent, { method, path, headers, body, fresh }: Outgoing, signal?: AbortSignal): Promise<Answer> {
    const outgoing = request(new URL(path, this.#server.origin), {
      method,
      agent: fresh ? new Agent({ ...agent.options, keepAlive: false }) : agent,
      headers: { 'User-Agent': `svc-operator-kit/${version} node/${process.versions.node}`, 'Accept-Encoding': codings, ...headers },
      ...(signal && { signal }),
    });
    const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${longestAnswerMs / 1000} s`)), longestAnswerMs);
    try {
      const answer = await answerTo(outgoing.end(body), largestAnswer);
      const decode = answer.body.length > 0 ? decoders[answer.headers['content-encoding'] ?? ''] : undefined;
      return decode ? { ...answer, body: decode(answer.body, decoding) } : answer;
    } finally {
      clearTimeout(timer);
    }
  }
}
