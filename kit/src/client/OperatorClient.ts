import type {
  AcknowledgedRevocation,
  Capabilities,
  HistoryItem,
  Order,
  OrderHistory,
  RedeemedLinkCode,
  Scope,
  StatisticsGeneration,
  SyncPage,
  Vehicle,
  VehicleHistory,
} from '../contract/contract.ts';
import { acknowledgeDeletions, type StatedDeletion } from '../sync/acknowledgeDeletions.ts';
import type { Feed } from '../sync/Feed.ts';
import { sync, type SyncOptions, type Synced } from '../sync/sync.ts';
import { bodyOf, refusalOf } from './answers.ts';
import type { Answer } from './answerTo.ts';
import type { Credentials, Identity } from './credentials.ts';
import { KitError, Problem, RateLimited } from './errors.ts';
import { Gate, type Limit } from './Gate.ts';
import { abortable, realTime, type Time } from './time.ts';
import { type Outgoing, Transport } from './Transport.ts';

export type Expectation = { readonly environment: 'sandbox' | 'production'; readonly scopes?: readonly Scope[] };
export type ClientOptions = {
  /** Of the machine API, such as `https://machine.example/v1`. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** What capabilities must say before the first data call. */
  readonly expect: Expectation;
  /** The authority of the server’s certificate, PEM. Without it, those count that Node trusts. */
  readonly ca?: string;
  /** How long one call waits at most, for quotas and between attempts together. */
  readonly longestWaitSeconds?: number;
  readonly time?: Time;
};

export type CallOptions = { readonly signal?: AbortSignal | undefined };
export type ReadOptions = CallOptions & {
  /** Of an earlier answer. If nothing has changed since, `value` is null. */
  readonly etag?: string | undefined;
};
export type PageOptions = ReadOptions & {
  readonly updatedSince?: string | undefined;
  readonly limit?: number | undefined;
  /** Called once the request has been sent. */
  readonly sent?: (() => void) | undefined;
};
export type Read<T> = { readonly value: T; readonly etag: string };

type Call = Outgoing &
  CallOptions & {
    readonly limits: readonly Limit[];
    /** Whether doing it twice is the same as doing it once. */
    readonly repeatable: boolean;
    /** The resource that is asked for. */
    readonly resource?: string | undefined;
  };

const pull: readonly Limit[] = ['minute', 'hour'];
/** A connection may work again a moment later. What the certificate or the address is to blame for does not. */
const passing = new Set(['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const mostAttempts = 6;

/** The machine API. One object serves a whole process; calls may overlap. */
export class OperatorClient {
  readonly #options: ClientOptions;
  readonly #transport: Transport;
  readonly #gate: Gate;
  readonly #time: Time;
  readonly #expect: Expectation;
  readonly #longestWaitMs: number;
  readonly #base: string;
  #asserted: { readonly identity: Identity; readonly capabilities: Promise<Capabilities> } | undefined;

  constructor(options: ClientOptions) {
    const { baseUrl, credentials, expect, ca, longestWaitSeconds = 75, time = realTime } = options;
    const { origin, pathname, protocol } = new URL(baseUrl);
    if (protocol !== 'https:') throw new KitError('invalid_argument', 'baseUrl begins with https://.');
    this.#options = options;
    this.#transport = new Transport({ origin, credentials, ca });
    this.#base = pathname.replace(/\/+$/, '');
    this.#gate = new Gate(time);
    this.#time = time;
    this.#expect = expect;
    this.#longestWaitMs = longestWaitSeconds * 1000;
  }

  /** Who this client is and what it may do. */
  async capabilities({ signal }: CallOptions = {}): Promise<Capabilities> {
    const capabilities = bodyOf(await this.#call(this.#get('/capabilities', { signal }))) as Capabilities;
    this.#gate.places = capabilities.quotas.concurrent_requests;
    return capabilities;
  }

  /** The same, once it is as expected. Asked again when the certificate changes. Throws a KitError with the code `not_as_expected`. */
  async assertCapabilities({ signal }: CallOptions = {}): Promise<Capabilities> {
    const identity = await this.#transport.identity();
    if (this.#asserted?.identity !== identity) {
      const asked = { identity, capabilities: this.capabilities().then((capabilities) => asExpected(capabilities, this.#expect)) };
      asked.capabilities.catch(() => {
        if (this.#asserted === asked) this.#asserted = undefined;
      });
      this.#asserted = asked;
    }
    return abortable(this.#asserted.capabilities, signal);
  }

  /** Exchanges a link code, as the user has typed it, for a connection. Never repeated: after a lost answer, ask for a new code. */
  async redeemLinkCode(code: string, { signal }: CallOptions = {}): Promise<RedeemedLinkCode> {
    const digits = typeof code === 'string' ? code.replaceAll(/\D/g, '') : '';
    if (digits.length !== 10) throw new KitError('invalid_argument', 'A link code is a string of ten digits.');
    const call = this.#post('/link-codes/redeem', { code: digits }, { limits: ['minute', 'redeem', 'redeem-source'], signal });
    return bodyOf(await this.#data(call)) as RedeemedLinkCode;
  }

  /** One page of the feed; `sync` follows it and stores what it brings. */
  page({ updatedSince, limit, ...options }: PageOptions = {}): Promise<Read<SyncPage | null>> {
    return this.#read(`/sync${query({ updated_since: updatedSince, limit })}`, options);
  }

  /** Brings the feed’s store up to date, page by page, and recovers where the service asks for it. */
  sync(feed: Feed, options: SyncOptions = {}): Promise<Synced> {
    return sync(this, feed, options);
  }

  order(id: string, options?: CallOptions & { readonly etag?: undefined }): Promise<Read<Order>>;
  order(id: string, options: ReadOptions): Promise<Read<Order | null>>;
  /** Throws AccessEnded for one that was revoked. */
  order(id: string, options: ReadOptions = {}): Promise<Read<Order | null>> {
    return this.#read(`/orders/${encodeURIComponent(id)}`, options, id);
  }

  vehicle(id: string, options?: CallOptions & { readonly etag?: undefined }): Promise<Read<Vehicle>>;
  vehicle(id: string, options: ReadOptions): Promise<Read<Vehicle | null>>;
  /** Throws AccessEnded for one that was revoked. */
  vehicle(id: string, options: ReadOptions = {}): Promise<Read<Vehicle | null>> {
    return this.#read(`/vehicles/${encodeURIComponent(id)}`, options, id);
  }

  /** One page of an order’s or a vehicle’s changes. */
  async historyPage(
    id: string,
    { after, limit, signal }: CallOptions & { after?: number; limit?: number } = {},
  ): Promise<OrderHistory | VehicleHistory> {
    const path = `/${id.startsWith('veh_') ? 'vehicles' : 'orders'}/${encodeURIComponent(id)}/history${query({ after, limit })}`;
    return bodyOf(await this.#data({ ...this.#get(path, { signal }), resource: id })) as OrderHistory | VehicleHistory;
  }

  /** All changes of an order or a vehicle, the earliest first. */
  async *history(id: string, { after, signal }: CallOptions & { after?: number } = {}): AsyncGenerator<HistoryItem, void, undefined> {
    for (let next = after; ;) {
      const page = await this.historyPage(id, { signal, limit: 500, ...(next !== undefined && { after: next }) });
      yield* page.items;
      if (page.next_after === undefined) return;
      next = page.next_after;
    }
  }

  statistics(options?: CallOptions & { readonly etag?: undefined }): Promise<Read<StatisticsGeneration>>;
  statistics(options: ReadOptions): Promise<Read<StatisticsGeneration | null>>;
  /** The latest generation. */
  statistics(options: ReadOptions = {}): Promise<Read<StatisticsGeneration | null>> {
    return this.#read('/statistics/orders', options, undefined, ['minute', 'statistics']);
  }

  /** States that every copy is deleted. Use `acknowledgeDeletions` where a feed keeps them. */
  async acknowledge(revocationId: string, idempotencyKey: string, { signal }: CallOptions = {}): Promise<AcknowledgedRevocation> {
    await this.assertCapabilities({ signal });
    const path = `/revocations/${encodeURIComponent(revocationId)}/ack`;
    return bodyOf(
      await this.#call(this.#post(path, { deletion_completed: true }, { limits: pull, signal, idempotencyKey })),
    ) as AcknowledgedRevocation;
  }

  /** Acknowledges what the feed’s owner has marked as deleted, the earliest deadline first. */
  acknowledgeDeletions(feed: Feed, options: CallOptions = {}): Promise<StatedDeletion[]> {
    return acknowledgeDeletions(this, feed, options);
  }

  /**
   * Asks for the successor of the certificate in use (EST, RFC 7030); `request` is PKCS#10 as base64. The answer is a CMS, or null if the
   * service has not signed within the longest wait: the same request then gets it later. `renewWhenDue` does all of it.
   */
  async renewCertificate(request: string, { signal }: CallOptions = {}): Promise<Buffer | null> {
    const until = this.#time.now() + this.#longestWaitMs;
    const path = '/.well-known/est/simplereenroll';
    const headers = { 'Content-Type': 'application/pkcs10' };
    const call: Call = { method: 'POST', path, headers, body: request, limits: ['minute', 'est'], repeatable: true, signal };
    for (;;) {
      const answer = await this.#call(call);
      if (answer.status === 200) return Buffer.from(answer.body.toString(), 'base64');
      const waitMs = Number(answer.headers['retry-after'] ?? 5) * 1000;
      if (this.#time.now() + waitMs > until) return null;
      await this.#time.wait(waitMs, signal);
    }
  }

  /** The same client with another certificate. */
  withCredentials(credentials: Credentials): OperatorClient {
    return new OperatorClient({ ...this.#options, credentials });
  }

  /** Ends idle connections. */
  close(): void {
    this.#transport.close();
  }

  #get(path: string, { signal }: CallOptions): Call {
    return { method: 'GET', path: `${this.#base}${path}`, limits: pull, repeatable: true, signal };
  }

  /** With a key, it is done once however often it is sent. Without one, it goes out once, on a connection that the service has not just closed. */
  #post(path: string, body: object, { idempotencyKey: key, ...rest }: Pick<Call, 'limits' | 'signal'> & { idempotencyKey?: string }): Call {
    const headers = { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }) };
    const repeatable = key !== undefined;
    return { method: 'POST', path: `${this.#base}${path}`, headers, body: JSON.stringify(body), repeatable, fresh: !repeatable, ...rest };
  }

  async #read<T>(path: string, { etag, signal, sent }: PageOptions, resource?: string, limits = pull): Promise<Read<T>> {
    const headers: Call['headers'] = etag === undefined ? {} : { 'If-None-Match': etag };
    const answer = await this.#data({ ...this.#get(path, { signal }), headers, limits, resource, sent });
    return { value: answer.status === 304 ? (null as T) : (bodyOf(answer) as T), etag: answer.headers.etag ?? etag ?? '' };
  }

  /** What the production gate guards. */
  async #data(call: Call): Promise<Answer> {
    const { environment, production_data_enabled: open } = await this.assertCapabilities(call);
    if (environment === 'production' && !open) {
      this.#asserted = undefined;
      throw new KitError('production_data_disabled', 'The production gate is closed.');
    }
    return this.#call(call);
  }

  /** Sends a call when the quotas allow it, and again where that is safe, until it is answered or the longest wait is over. */
  async #call(call: Call): Promise<Answer> {
    const until = this.#time.now() + this.#longestWaitMs;
    for (let attempt = 1; ; attempt += 1) {
      const leave = await this.#gate.enter(call.limits, until, call.signal);
      let refusal: KitError;
      let retryAfterMs = 0;
      try {
        const answer = await this.#transport.send(call, call.signal);
        leave(answer);
        if ([200, 202, 304].includes(answer.status)) return answer;
        refusal = refusalOf(answer, call.resource);
        retryAfterMs = Number(answer.headers['retry-after'] ?? 0) * 1000;
      } catch (error) {
        leave();
        if (!(error instanceof KitError)) throw error;
        refusal = error;
      }
      const limited = refusal instanceof Problem && refusal.status === 429;
      if (!call.repeatable || attempt === mostAttempts || !(limited || mayPass(refusal))) throw refusal;
      const backOff = Math.min(300_000, 1000 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
      const waitMs = Math.max(retryAfterMs, limited ? 0 : backOff);
      if (this.#time.now() + waitMs > until) {
        throw limited ? new RateLimited(new Date(Date.now() + waitMs), { cause: refusal, requestId: refusal.requestId }) : refusal;
      }
      await this.#time.wait(waitMs, call.signal);
    }
  }
}

function asExpected(capabilities: Capabilities, expect: Expectation): Capabilities {
  const missing = (expect.scopes ?? []).filter((scope) => !capabilities.scopes.includes(scope));
  if (capabilities.environment !== expect.environment) {
    throw new KitError('not_as_expected', `The certificate is for ${capabilities.environment}, not for ${expect.environment}.`);
  }
  if (missing.length > 0) {
    const nextStep = 'Change the scopes of the integration in the portal, or expect fewer.';
    throw new KitError('not_as_expected', `The client does not have ${missing.join(', ')}.`, { nextStep });
  }
  return capabilities;
}

function mayPass(refusal: KitError): boolean {
  if (refusal instanceof Problem) return [408, 500, 503].includes(refusal.status);
  const { code, message } = (refusal.cause ?? {}) as NodeJS.ErrnoException;
  return refusal.code === 'unreachable' && (passing.has(code ?? '') || (message ?? '').startsWith('no answer'));
}

function query(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}
