import { Agent, request } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { expectThat, Surprise } from '../Surprise.ts';

const problem = z.looseObject({ code: z.string(), title: z.string(), detail: z.string().optional() });
/** The window of the rate limit is a minute. A longer wait means something else. */
const longestWaitSeconds = 75;

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };
export type MachineAnswer<T> = { readonly body: T; readonly etag: string };
type Outgoing = {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
};

/** The certificate with its key, each in PEM, or both in a PKCS#12 package. */
type Identity = { readonly cert: string; readonly key: string } | { readonly pfx: Buffer; readonly passphrase: string };

/** An operator's back end: calls the machine API over mutual TLS, on one connection that is kept alive. */
export class MachineApiClient {
  readonly #baseUrl: string;
  readonly #agent: Agent;
  readonly #note: (text: string) => void;
  /** How many of its requests count towards the quota: all but those that it has refused. */
  counted = 0;

  /**
   * `baseUrl` ends with /v1. `note` is called when the rate limit makes the client wait. Without `ca`, the authorities count that the
   * machine trusts.
   */
  constructor(baseUrl: string, { note, ...tls }: { ca?: string; note: (text: string) => void } & (Identity | object)) {
    this.#baseUrl = baseUrl;
    this.#note = note;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, minVersion: 'TLSv1.2', ...tls });
  }

  /** Sends GET for a path below /v1. The answer must be 200, with an ETag if `conditional`, and a body of the expected shape. */
  async read<T>(path: string, shape: z.ZodType<T>, { conditional = true } = {}): Promise<MachineAnswer<T>> {
    const answer = await this.#call(path, {});
    const body = bodyOf(path, answer, shape);
    const etag = answer.headers.etag ?? '';
    expectThat(etag !== '' || !conditional, `The response to GET ${path} has no ETag.`, factsOf(answer));
    return { body, etag };
  }

  /** Sends POST with a JSON body to a path below /v1. The answer must be 200, with a body of the expected shape. */
  async send<T>(path: string, shape: z.ZodType<T>, { body, headers = {} }: Omit<Outgoing, 'method'>): Promise<T> {
    return bodyOf(path, await this.#call(path, { method: 'POST', headers, ...(body && { body }) }), shape);
  }

  /** Sends a request that must be refused with this status and code. Returns the problem's own fields in the expected shape. */
  async expectRefusal<T>(
    path: string,
    expected: { status: number; code: string },
    shape: z.ZodType<T>,
    outgoing: Outgoing = {},
  ): Promise<T> {
    const answer = await this.#call(path, outgoing);
    const body = problem.safeParse(parseJson(answer.text)).data;
    const fits = answer.status === expected.status && body?.code === expected.code;
    expectThat(fits, `${path} was not refused with ${expected.status} ${expected.code}.`, { ...factsOf(answer), code: body?.code });
    return shape.parse(body);
  }

  /** Sends GET with If-None-Match. The answer must be 304 without a body. */
  async expectUnchanged(path: string, etag: string): Promise<void> {
    const answer = await this.#call(path, { headers: { 'if-none-match': etag } });
    if (answer.status >= 400) throw refusal(path, answer);
    expectThat(
      answer.status === 304 && answer.text === '',
      `GET ${path} with If-None-Match did not get 304 without a body.`,
      factsOf(answer),
    );
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Obeys Retry-After, once: the quota belongs to the integration, and something else may use it too. */
  async #call(path: string, outgoing: Outgoing): Promise<Answer> {
    const answer = await this.#request(path, outgoing);
    const seconds = Number(answer.headers['retry-after']);
    if (answer.status !== 429 || !(seconds > 0 && seconds <= longestWaitSeconds)) return answer;
    this.#note(`waiting ${seconds} s, as the rate limit requires`);
    await wait(seconds * 1000);
    return this.#request(path, outgoing);
  }

  #request(path: string, { method = 'GET', headers = {}, body }: Outgoing): Promise<Answer> {
    const text = body && JSON.stringify(body);
    const sent = { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) };
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, method, headers: sent, timeout: 40_000 };
      const outgoing = request(`${this.#baseUrl}${path}`, options, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        if (incoming.statusCode !== 429) this.counted += 1;
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: Buffer.concat(chunks).toString() }),
        );
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no response within 40 s')));
      outgoing.on('error', (error) => reject(new Surprise(`${method} ${this.#baseUrl}${path} failed: ${error.message}`)));
      outgoing.end(text);
    });
  }
}

function bodyOf<T>(path: string, answer: Answer, shape: z.ZodType<T>): T {
  if (answer.status !== 200) throw refusal(path, answer);
  const parsed = shape.safeParse(parseJson(answer.text));
  if (!parsed.success)
    throw new Surprise(`The response to ${path} has an unexpected shape: ${z.prettifyError(parsed.error)}`, factsOf(answer));
  return parsed.data;
}

function factsOf({ status, headers }: Answer) {
  const requestId = headers['x-request-id'];
  return { status, requestId: typeof requestId === 'string' ? requestId : undefined };
}

function refusal(path: string, answer: Answer): Surprise {
  const known = problem.safeParse(parseJson(answer.text));
  const words = known.success ? (known.data.detail ?? known.data.title) : 'the response is not a problem from the catalogue';
  return new Surprise(`${path}: ${words}`, { ...factsOf(answer), ...(known.success && { code: known.data.code }) });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
