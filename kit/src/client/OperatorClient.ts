import type * as contract from '../contract/contract.ts';
import { acknowledgeDeletions, type StatedDeletion } from '../sync/acknowledgeDeletions.ts';
import type { Feed } from '../sync/Feed.ts';
import { sync, type SyncOptions, type Synced } from '../sync/sync.ts';
import { bodyOf, refusalOf } from './answers.ts';
import type { Answer, CallOptions, HistoryOptions, PageOptions, Read, Reader, ReadOptions } from './calls.ts';
import type { Credentials, Identity } from './credentials.ts';
import { KitError, Problem, RateLimited } from './errors.ts';
import { Gate, type Limit } from './Gate.ts';
import { abortable, realTime, type Time } from './time.ts';
import { type Outgoing, Transport } from './Transport.ts';

export type Expectation = { readonly environment: 'sandbox' | 'production'; readonly scopes?: readonly contract.Scope[] };
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

type Call = Omit<Outgoing, 'fresh'> &
  CallOptions & {
    readonly limits?: readonly Limit[];
    /** Whether doing it twice is the same as doing it once. */
    readonly repeatable?: boolean;
    /** The resource that is asked for. */
    readonly resource?: string | undefined;
  };

/** A connection may work again a moment later. What the certificate or the address is to blame for does not. */
const passing = new Set(['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const mostAttempts = 6;

/** The machine API. One object serves a whole process; calls may overlap. */
export class OperatorClient {
  readonly #options: ClientOptions;
  readonly #transport: Transport;
  readonly #gate: Gate;
  readonly #time: Time;
  readonly #longestWaitMs: number;
  readonly #base: string;
  #asserted: { readonly identity: Identity; readonly capabilities: Promise<contract.Capabilities> } | undefined;

  constructor(options: ClientOptions) {
    const { baseUrl, credentials, ca, longestWaitSeconds = 75, time = realTime } = options;
    const { origin, pathname, protocol } = new URL(baseUrl);
    if (protocol !== 'https:') throw new KitError('invalid_argument', 'baseUrl begins with https://.');
    this.#options = options;
    this.#transport = new Transport({ origin, credentials, ca });
    this.#base = pathname.replace(/\/+$/, '');
    this.#gate = new Gate(time);
    this.#time = time;
    this.#longestWaitMs = longestWaitSeconds * 1000;
  }

  /** Who this client is and what it may do. */
  async capabilities({ signal }: CallOptions = {}): Promise<contract.Capabilities> {
    const capabilities = bodyOf(await this.#call({ ...this.#at('/capabilities'), signal })) as contract.Capabilities;
    this.#gate.places = capabilities.quotas.concurrent_requests;
    return capabilities;
  }

  /** The same, once it is as expected. Asked again when the certificate changes. Throws a KitError with the code `not_as_expected`. */
  async assertCapabilities({ signal }: CallOptions = {}): Promise<contract.Capabilities> {
    const identity = await this.#options.credentials.current();
    if (this.#asserted?.identity !== identity) {
      const asked = { identity, capabilities: this.capabilities().then((capabilities) => asExpected(capabilities, this.#options.expect)) };
      asked.capabilities.catch(() => {
        if (this.#asserted === asked) this.#asserted = undefined;
      });
      this.#asserted = asked;
    }
    return abortable(this.#asserted.capabilities, signal);
  }

  /** Exchanges a link code, as the user has typed it, for a connection. Never repeated: after a lost answer, ask for a new code. */
  async redeemLinkCode(typed: string, { signal }: CallOptions = {}): Promise<contract.RedeemedLinkCode> {
    const code = typeof typed === 'string' ? typed.replaceAll(/\D/g, '') : '';
    if (code.length !== 10) throw new KitError('invalid_argument', 'A link code is a string of ten digits.');
    const limits: readonly Limit[] = ['minute', 'redeem', 'redeem-source'];
    const call = { ...this.#at('/link-codes/redeem'), ...json({ code }), limits, repeatable: false, signal };
    return bodyOf(await this.#data(call)) as contract.RedeemedLinkCode;
  }

  /** One page of the feed; `sync` follows it and stores what it brings. */
  page({ updatedSince, limit, ...options }: PageOptions = {}, read: Reader = bodyOf): Promise<Read<contract.SyncPage | null>> {
    return this.#read(this.#at('/sync', { updated_since: updatedSince, limit }), options, read);
  }

  /** Brings the feed’s store up to date, page by page, and recovers where the service asks for it. */
  sync(feed: Feed, options: SyncOptions = {}): Promise<Synced> {
    return sync(this, feed, options);
  }

  order(id: string, options?: CallOptions & { readonly etag?: undefined }): Promise<Read<contract.Order>>;
  order(id: string, options: ReadOptions): Promise<Read<contract.Order | null>>;
  /** Throws AccessEnded for one that was revoked. */
  order(id: string, options: ReadOptions = {}): Promise<Read<contract.Order | null>> {
    return this.#read({ ...this.#at(`/orders/${encodeURIComponent(id)}`), resource: id }, options);
  }

  vehicle(id: string, options?: CallOptions & { readonly etag?: undefined }): Promise<Read<contract.Vehicle>>;
  vehicle(id: string, options: ReadOptions): Promise<Read<contract.Vehicle | null>>;
  /** Throws AccessEnded for one that was revoked. */
  vehicle(id: string, options: ReadOptions = {}): Promise<Read<contract.Vehicle | null>> {
    return this.#read({ ...this.#at(`/vehicles/${encodeURIComponent(id)}`), resource: id }, options);
  }

  /** One page of an order’s or a vehicle’s changes. */
  async historyPage(id: string, { signal, after, limit }: HistoryOptions = {}): Promise<contract.OrderHistory | contract.VehicleHistory> {
    const path = `/${id.startsWith('veh_') ? 'vehicles' : 'orders'}/${encodeURIComponent(id)}/history`;
    return bodyOf(await this.#data({ ...this.#at(path, { after, limit }), resource: id, signal })) as
      | contract.OrderHistory
      | contract.VehicleHistory;
  }

  /** All changes of an order or a vehicle, the earliest first. */
  async *history(id: string, { after, limit = 500, signal }: HistoryOptions = {}): AsyncGenerator<contract.HistoryItem, void, undefined> {
    for (let next = after, more = true; more; more = next !== undefined) {
      const page = await this.historyPage(id, { after: next, limit, signal });
      yield* page.items;
      next = page.next_after;
    }
  }

  statistics(options?: CallOptions & { readonly etag?: undefined }): Promise<Read<contract.StatisticsGeneration>>;
  statistics(options: ReadOptions): Promise<Read<contract.StatisticsGeneration | null>>;
  /** The latest generation. */
  statistics(options: ReadOptions = {}): Promise<Read<contract.StatisticsGeneration | null>> {
    return this.#read({ ...this.#at('/statistics/orders'), limits: ['minute', 'statistics'] }, options);
  }

  /** States that every copy is deleted. Use `acknowledgeDeletions` where a feed keeps them. */
  async acknowledge(revocationId: string, idempotencyKey: string, { signal }: CallOptions = {}): Promise<contract.AcknowledgedRevocation> {
    await this.assertCapabilities({ signal });
    const path = `/revocations/${encodeURIComponent(revocationId)}/ack`;
    const statement = json({ deletion_completed: true }, { 'Idempotency-Key': idempotencyKey });
    return bodyOf(await this.#call({ ...this.#at(path), ...statement, signal })) as contract.AcknowledgedRevocation;
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
    const asked = { method: 'POST', path: '/.well-known/est/simplereenroll', body: request } as const;
    const headers = { 'Content-Type': 'application/pkcs10' };
    for (;;) {
      const answer = await this.#call({ ...asked, headers, limits: ['minute', 'est'], signal });
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

  /** A read at a path of /v1. */
  #at(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Call {
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
    return { method: 'GET', path: `${this.#base}${path}${search}` };
  }

  async #read<T>(call: Call, { etag, signal }: ReadOptions, read: Reader = bodyOf): Promise<Read<T>> {
    const answer = await this.#data({ ...call, ...(etag !== undefined && { headers: { 'If-None-Match': etag } }), signal });
    return { value: answer.status === 304 ? (null as T) : (read(answer) as T), etag: answer.headers.etag ?? etag ?? '' };
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
  async #call({ limits = ['minute', 'hour'], repeatable = true, resource, signal, ...outgoing }: Call): Promise<Answer> {
    const until = this.#time.now() + this.#longestWaitMs;
    for (let attempt = 1; ; attempt += 1) {
      const leave = await this.#gate.enter(limits, until, signal);
      let refusal: KitError;
      let retryAfterMs = 0;
      try {
        // What goes out once goes out on a connection that the service has not just closed.
        const answer = await this.#transport.send({ ...outgoing, fresh: !repeatable }, signal);
        leave(answer);
        if ([200, 202, 304].includes(answer.status)) return answer;
        refusal = refusalOf(answer, resource);
        retryAfterMs = Number(answer.headers['retry-after'] ?? 0) * 1000;
      } catch (error) {
        leave();
        if (!(error instanceof KitError)) throw error;
        refusal = error;
      }
      const limited = refusal instanceof Problem && refusal.status === 429;
      if (!repeatable || attempt === mostAttempts || !(limited || mayPass(refusal))) throw refusal;
      const backOff = 1000 * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
      const waitMs = Math.max(retryAfterMs, limited ? 0 : backOff);
      if (this.#time.now() + waitMs > until) {
        throw limited ? new RateLimited(new Date(Date.now() + waitMs), { cause: refusal, requestId: refusal.requestId }) : refusal;
      }
      await this.#time.wait(waitMs, signal);
    }
  }
}

/** With a key, it is done once however often it is sent. */
const json = (body: object, headers: Outgoing['headers'] = {}) =>
  ({ method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) }) as const;

function asExpected(capabilities: contract.Capabilities, { environment, scopes = [] }: Expectation): contract.Capabilities {
  if (capabilities.environment !== environment) {
    throw new KitError('not_as_expected', `The certificate is for ${capabilities.environment}, not for ${environment}.`);
  }
  const missing = scopes.filter((scope) => !capabilities.scopes.includes(scope));
  if (missing.length === 0) return capabilities;
  const nextStep = 'Change the scopes of the integration in the portal, or expect fewer.';
  throw new KitError('not_as_expected', `The client does not have ${missing.join(', ')}.`, { nextStep });
}

function mayPass(refusal: KitError): boolean {
  if (refusal instanceof Problem) return [408, 500, 503].includes(refusal.status);
  const { code, message } = (refusal.cause ?? {}) as NodeJS.ErrnoException;
  return refusal.code === 'unreachable' && (passing.has(code ?? '') || (message ?? '').startsWith('no answer'));
}
