import { Agent, request } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { expectThat, Surprise } from './Surprise.ts';

const problem = z.object({ code: z.string(), title: z.string(), detail: z.string().optional() });
/** The rate limit's window is a minute; a longer wait than that means something else. */
const longestWaitSeconds = 75;

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };
export type MachineAnswer<T> = { readonly body: T; readonly etag: string };

/** An operator's back end: the machine API over mutual TLS, with one connection that is kept alive. */
export class MachineApiClient {
  readonly #baseUrl: string;
  readonly #agent: Agent;
  readonly #note: (text: string) => void;

  /** `baseUrl` ends with /v1; `note` is told when the rate limit makes the client wait. */
  constructor(baseUrl: string, { ca, cert, key, note }: { ca: string; cert: string; key: string; note: (text: string) => void }) {
    this.#baseUrl = baseUrl;
    this.#note = note;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, minVersion: 'TLSv1.2', ca, cert, key });
  }

  /** GET of a path below /v1 that must be answered with 200, an ETag where `conditional`, and a body of the expected shape. */
  async read<T>(path: string, shape: z.ZodType<T>, { conditional = true } = {}): Promise<MachineAnswer<T>> {
    const answer = await this.#get(path, {});
    if (answer.status !== 200) throw refusal(path, answer);
    const parsed = shape.safeParse(parseJson(answer.text));
    if (!parsed.success) throw new Surprise(`GET ${path} has another shape: ${z.prettifyError(parsed.error)}`, factsOf(answer));
    const etag = answer.headers.etag ?? '';
    expectThat(etag !== '' || !conditional, `GET ${path} came without an ETag.`, factsOf(answer));
    return { body: parsed.data, etag };
  }

  /** GET with If-None-Match that must be answered with 304 and no body. */
  async expectUnchanged(path: string, etag: string): Promise<void> {
    const answer = await this.#get(path, { 'if-none-match': etag });
    if (answer.status >= 400) throw refusal(path, answer);
    expectThat(
      answer.status === 304 && answer.text === '',
      `GET ${path} with If-None-Match should be 304 without a body.`,
      factsOf(answer),
    );
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Honours Retry-After, once: the quota belongs to the integration and something else may use it. */
  async #get(path: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
    const answer = await this.#send(path, headers);
    const seconds = Number(answer.headers['retry-after']);
    if (answer.status !== 429 || !(seconds > 0 && seconds <= longestWaitSeconds)) return answer;
    this.#note(`the rate limit asks to wait ${seconds} s`);
    await wait(seconds * 1000);
    return this.#send(path, headers);
  }

  #send(path: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.#baseUrl}${path}`, { agent: this.#agent, headers, timeout: 40_000 }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: Buffer.concat(chunks).toString() }),
        );
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer within 40 s')));
      outgoing.on('error', (error) => reject(new Surprise(`GET ${this.#baseUrl}${path} failed: ${error.message}`)));
      outgoing.end();
    });
  }
}

function factsOf({ status, headers }: Answer) {
  const requestId = headers['x-request-id'];
  return { status, requestId: typeof requestId === 'string' ? requestId : undefined };
}

function refusal(path: string, answer: Answer): Surprise {
  const known = problem.safeParse(parseJson(answer.text));
  const words = known.success ? (known.data.detail ?? known.data.title) : 'the answer is not a problem of the catalogue';
  return new Surprise(`GET ${path}: ${words}`, { ...factsOf(answer), ...(known.success && { code: known.data.code }) });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
