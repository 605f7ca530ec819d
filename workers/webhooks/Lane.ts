import { webhookLimits } from '../../server/domain/outbox/webhookLimits.ts';
import type { ReadDelivery } from '../../server/domain/webhook/delivery/dueDeliveries.ts';
import type { EndpointAtRead } from '../../server/domain/webhook/delivery/dueDelivery.ts';

/** The pools of permits for attempts: everybody’s, and that of endpoints that only fail or are slow. */
export type AttemptPool = keyof typeof webhookLimits.webhookAttemptPools;

/** A delivery that waits to be sent, when it was read, by the process’s own clock, and the pool in which it is counted. */
export type Queued = { readonly delivery: ReadDelivery; readonly readAt: number; readonly pool: AttemptPool };

/** How many deliveries of all endpoints together wait to be sent; each gets an equal part, within bounds. */
const prefetchedByAll = 512;
const prefetchedByOne = { least: 8, most: 120 };
/** How much the last attempt counts for how long attempts take, against all before it. */
const lastCounts = 0.25;

/** What the pump knows about one endpoint. The rules of fairness are here (docs/specification.md, “Delivery”). */
export class Lane {
  readonly endpointNumber: number;
  readonly queue: Queued[] = [];
  inFlight = 0;
  /** Where its attempts go, or null until the endpoint’s row has been read. What is known of failures and times belongs to this URL. */
  url: string | null = null;
  operatorId: string | null = null;
  /** Attempts that failed in a row, which is the endpoint's health: those at test events do not count. */
  failures = 0;
  /** The same with those at test events, which need permits like any other. */
  #failedInRow = 0;
  failingSince: number | null = null;
  /** A success has ended a time in which it only failed, and none has failed since: what waits for it comes forward. */
  recovering = false;
  /** When the next slice of that may come forward; in milliseconds since 1970. */
  forwardAt = 0;
  /** When something is due next, as far as is known; in milliseconds since 1970. */
  nextDue = Number.POSITIVE_INFINITY;
  /** The earliest retry among those that this process has scheduled. */
  nextRetry = Number.POSITIVE_INFINITY;
  /** How long attempts have taken lately, in milliseconds. */
  #took: number | null = null;
  /** Nothing is due from before, as far as is known. */
  #floor = 0;
  /** What became known of this since the last read began. */
  #earlier = Number.POSITIVE_INFINITY;
  /** Counts what was heard about the endpoint, so that a read that began before does not overrule it. */
  heard = 0;
  /** Counts how often what had been read was declared out of date. */
  rechecks = 0;

  constructor(endpointNumber: number) {
    this.endpointNumber = endpointNumber;
  }

  get failing(): boolean {
    return this.#failedInRow >= webhookLimits.webhookFailuresInRow;
  }

  get slow(): boolean {
    return this.#took !== null && this.#took > webhookLimits.webhookSlow;
  }

  /** The pool from which its attempts take their permits. */
  get pool(): AttemptPool {
    return this.failing || this.slow ? 'slow' : 'all';
  }

  /** How many attempts may be in flight. */
  get limit(): number {
    return this.failing ? 1 : webhookLimits.webhookAttemptsInFlight;
  }

  /** Takes over what the endpoint’s row says, when it is first read and whenever the endpoint has another URL. */
  adopt({ url, operatorId, failuresInRow, failingSince }: EndpointAtRead): void {
    if (this.url === url) return;
    this.url = url;
    this.operatorId = operatorId;
    this.failures = failuresInRow;
    this.#failedInRow = failuresInRow;
    this.failingSince = failingSince;
    this.recovering = false;
    this.#took = null;
  }

  /** How many more deliveries are worth reading if so many endpoints have some due, or 0 until there is room for a good part of them. */
  room(ready: number): number {
    const { least, most } = prefetchedByOne;
    const prefetched = this.failing ? 0 : Math.min(most, Math.max(least, Math.floor(prefetchedByAll / Math.max(1, ready))));
    const capacity = this.limit + prefetched;
    const room = capacity - this.queue.length - this.inFlight;
    return room * 2 >= capacity ? room : 0;
  }

  /** Something may be due since then. */
  lookFrom(dueAt: number): void {
    this.#floor = Math.min(this.#floor, dueAt);
    this.#earlier = Math.min(this.#earlier, dueAt);
  }

  /** A read begins. Returns from when on it looks. */
  look(): number {
    this.#earlier = Number.POSITIVE_INFINITY;
    return this.#floor;
  }

  /** A read has found nothing from before. What it could not know of stays. */
  looked(from: number): void {
    this.#floor = Math.min(from, this.#earlier);
  }

  /** An attempt has ended, however it did, after so many milliseconds. */
  took(milliseconds: number): void {
    this.#took = this.#took === null ? milliseconds : this.#took + lastCounts * (milliseconds - this.#took);
  }

  succeeded(): void {
    this.recovering ||= this.failing;
    this.failures = 0;
    this.#failedInRow = 0;
    this.failingSince = null;
  }

  failed(startedAt: number): void {
    this.failedTest();
    this.failures += 1;
    this.failingSince ??= startedAt;
  }

  /** An attempt at a test event has failed. */
  failedTest(): void {
    this.recovering = false;
    this.#failedInRow += 1;
  }
}
