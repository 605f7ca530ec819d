import { createHash, timingSafeEqual, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bytesOf } from '../client/answers.ts';
import { eventTypes, type WebhookEvent } from '../contract/contract.ts';
import type { Awaitable } from '../sync/steps.ts';
import type { Keys } from './remoteKeys.ts';
import { byteSequence, dictionary } from './structuredFields.ts';

export type ReceiverOptions = {
  /** Exactly as registered: it is what was signed, whatever a proxy makes of it on the way. */
  readonly url: string;
  /** How far `created` may be from the time of receipt. No tolerance is published; five minutes will do. */
  readonly freshnessSeconds: number;
  /** Commits an event’s id before it is answered; false if it was committed before. A feed’s `commitEvent` is one. */
  readonly once: (event: WebhookEvent) => Awaitable<boolean>;
  readonly keys: Keys;
  /** `source` is the origin of the machine API. */
  readonly expect: { readonly environment: 'sandbox' | 'production'; readonly source: string };
  /** Only while you prove the endpoint. */
  readonly answerChallenges?: boolean;
};

/** The headers of a request as Node gives them, or any other object of names and values. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;
export type Receipt = {
  /** Path and query as they arrived. Without it, the caller has compared them. */
  readonly target?: string | undefined;
  readonly receivedAt?: Date;
};

/** What to answer. A status of 5xx has the delivery come again, 4xx ends it. */
export type Verdict =
  | { readonly status: 204; readonly event: WebhookEvent; /** Committed before: nothing is to be done. */ readonly repeated: boolean }
  | { readonly status: 200; readonly body: string }
  | { readonly status: RefusedStatus; readonly reason: string };
type RefusedStatus = 400 | 401 | 404 | 405 | 413 | 503;

/** Ours: a snapshot has at most 16,000 bytes. */
const largestBody = 64 * 1024;
/** Of a body over the limit, this much is read and thrown away, so that the sender sees the refusal. */
const discarded = 1024 * 1024;
const tooLarge = Buffer.alloc(largestBody + 1);
const covered = ['@method', '@target-uri', 'content-digest', 'x-svc-event-id', 'x-svc-event-timestamp'];

/** Whether the service signs for this URL: for a registered one, or as a sample for the reader’s own machine, over HTTP, too. */
export const isSignable = (url: string): boolean => /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|$))/.test(url);

class Refusal extends Error {
  readonly status: RefusedStatus;
  constructor(status: RefusedStatus, reason: string) {
    super(reason);
    this.status = status;
  }
}

/** Judges deliveries by the seven rules, in their order. The server around it speaks HTTPS, or a proxy before it does. */
export class WebhookReceiver {
  readonly #options: ReceiverOptions;
  readonly #route: string;

  constructor(options: ReceiverOptions) {
    if (!(options.freshnessSeconds > 0)) throw new TypeError('freshnessSeconds is a number above 0.');
    if (!isSignable(options.url)) throw new TypeError('url is the registered one, and begins with https://.');
    this.#options = options;
    this.#route = routeOf(options.url);
  }

  /** Judges one request by its method, its headers and the raw bytes of its body, which nothing has parsed or written again. */
  async judge(method: string, headers: Headers, bytes: Uint8Array, receipt: Receipt = {}): Promise<Verdict> {
    try {
      return await this.#judge(method, fieldsOf(headers), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), receipt);
    } catch (error) {
      // What is not a refusal is our own fault, such as a full disk. The delivery comes again.
      return error instanceof Refusal ? { status: error.status, reason: error.message } : { status: 503, reason: String(error) };
    }
  }

  /**
   * A listener for `node:http` and `node:https`. After an accepted event it calls `prompted`, such as `() => client.sync(feed)`: once for all
   * events that arrive while it runs. What it throws goes to `failed`; the next event or the next regular sync repairs it.
   */
  handler(
    prompted: (event: WebhookEvent) => unknown,
    { route = this.#route, failed = () => {} }: { readonly route?: string; readonly failed?: (error: unknown) => void } = {},
  ): (request: IncomingMessage, response: ServerResponse) => void {
    const prompt = oneAtATime(prompted, failed);
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = (await bytesOf(request, largestBody, discarded)) ?? tooLarge;
      // The route is compared here, because a proxy may have changed it to one that the caller names.
      const target = request.url === route ? this.#route : 'another';
      const verdict = await this.judge(request.method ?? '', request.headers, body, { target });
      if (verdict.status === 413) response.setHeader('Connection', 'close');
      if (verdict.status === 200) response.setHeader('Content-Type', 'application/json');
      response.writeHead(verdict.status).end(verdict.status === 200 ? verdict.body : undefined);
      if (verdict.status === 204 && !verdict.repeated) prompt(verdict.event);
    };
    return (request, response) => void answer(request, response).catch(() => response.destroy());
  }

  async #judge(method: string, fields: ReadonlyMap<string, string>, body: Buffer, { target, receivedAt }: Receipt): Promise<Verdict> {
    const { url, freshnessSeconds, once, keys, expect, answerChallenges } = this.#options;
    const field = (name: string): string => fields.get(name) ?? refuse(401, `${name} is missing`);

    // Rule 1: only POST, at exactly the registered route, with raw bytes under a limit.
    if (method !== 'POST') refuse(405, 'only POST');
    if (target !== undefined && target !== this.#route) refuse(404, 'not the registered route');
    if (body.length > largestBody) refuse(413, 'too large');
    if (!fields.has('signature-input') && !fields.has('signature')) return challenged(body, answerChallenges ?? false);

    // Rule 2: Signature-Input as a structured field, and the key by keyid.
    const input = dictionary(field('signature-input'))?.get('svc') ?? refuse(401, 'no signature with the label svc');
    if (input.items?.join() !== covered.map((name) => `"${name}"`).join()) refuse(401, 'not the components that every delivery covers');
    const created = /^\d+$/.exec(input.parameters.get('created') ?? '')?.[0];
    const keyid = /^"(.*)"$/.exec(input.parameters.get('keyid') ?? '')?.[1];
    if (created === undefined || keyid === undefined || input.parameters.get('alg') !== '"ed25519"')
      return refuse(401, 'parameters are missing');
    const key = await keys(keyid.replaceAll(/\\(.)/g, '$1'));
    if (key === 'unknown') return refuse(401, 'unknown key');
    if (key === 'unavailable') return refuse(503, 'the key set cannot be read now');

    // Rule 3: the digest of the raw body, compared in constant time.
    const digest = byteSequence(field('content-digest'), 'sha-256');
    const computed = createHash('sha256').update(body).digest();
    if (digest?.length !== computed.length || !timingSafeEqual(digest, computed)) refuse(400, 'wrong digest');

    // Rule 4: the signature, before anything parses the body.
    const values = new Map([...fields, ['@method', 'POST'], ['@target-uri', url]]);
    const lines = covered.map((name) => `"${name}": ${values.get(name) ?? refuse(401, `${name} is missing`)}`);
    const base = [...lines, `"@signature-params": ${input.text}`].join('\n');
    const signature = byteSequence(field('signature'), 'svc');
    if (!signature || !verify(null, Buffer.from(base, 'latin1'), key, signature)) refuse(401, 'wrong signature');

    // Rule 5: bounded freshness. The event's id against replays is rule 7's.
    const age = (receivedAt ?? new Date()).getTime() / 1000 - Number(created);
    if (!(Math.abs(age) <= freshnessSeconds)) refuse(401, 'too old, or from the future');

    // Rule 6: parse, and compare with what was signed and what is expected.
    const event = objectIn(body);
    if (event['id'] !== field('x-svc-event-id')) refuse(400, 'another event ID than was signed');
    if (event['time'] !== field('x-svc-event-timestamp')) refuse(400, 'another time than was signed');
    if (event['source'] !== expect.source) refuse(400, 'unexpected source');
    if (event['environment'] !== expect.environment) refuse(400, 'unexpected environment');
    if (!eventTypes.some((type) => type === event['type'])) refuse(400, 'unexpected type');

    // Rule 7: commit durably, then answer.
    const known = event as WebhookEvent;
    return { status: 204, event: known, repeated: !(await once(known)) };
  }
}

function refuse(status: RefusedStatus, reason: string): never {
  throw new Refusal(status, reason);
}

/** The ownership challenge is unsigned and no event. */
function challenged(body: Buffer, answered: boolean): Verdict {
  if (!answered) refuse(401, 'not signed');
  const { type, challenge } = objectIn(body);
  if (type !== 'svc.webhook.verification' || typeof challenge !== 'string') return refuse(401, 'not signed');
  return { status: 200, body: JSON.stringify({ challenge }) };
}

/** By their names in lower case; those of one name are joined, as HTTP does. */
function fieldsOf(headers: Headers): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value = []] of Object.entries(headers)) {
    const key = name.toLowerCase();
    const values = [fields.get(key) ?? [], value].flat();
    if (values.length > 0) fields.set(key, values.join(', '));
  }
  return fields;
}

/** Path and query as they are on the request line, with nothing normalized. */
function routeOf(url: string): string {
  const route = /^https?:\/\/[^/?]*(.*)$/.exec(url)?.[1] ?? '';
  return route.startsWith('/') ? route : `/${route}`;
}

function objectIn(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  return refuse(400, 'not a JSON object');
}

/** Runs the work for the newest event; for all that come while it runs, once more. */
function oneAtATime(work: (event: WebhookEvent) => unknown, failed: (error: unknown) => void): (event: WebhookEvent) => void {
  let running = false;
  let waiting: WebhookEvent | undefined;
  const run = async (event: WebhookEvent): Promise<void> => {
    waiting = event;
    if (running) return;
    running = true;
    for (let next: WebhookEvent | undefined = event; next; next = waiting) {
      waiting = undefined;
      await Promise.resolve(next).then(work).catch(failed);
    }
    running = false;
  };
  return (event) => void run(event);
}
