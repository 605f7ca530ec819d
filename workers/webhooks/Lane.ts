import { limits } from '../../server/domain/shared/limits.ts';
import type { ReadDelivery } from '../../server/domain/webhook/delivery/dueDeliveries.ts';

/** A delivery that waits to be sent, when it was read, by the process’s own clock, and the places for which it is counted. */
export type Queued = { readonly delivery: ReadDelivery; readonly readAt: number; readonly place: keyof typeof limits.webhookPlaces };

/** How many deliveries of all endpoints together wait to be sent; each gets an equal part, within bounds. */
const prefetchedByAll = 512;
const prefetchedByOne = { least: 8, most: 120 };

/** What the pump knows about one endpoint. The rules of fairness are here (docs/specification.md, “Delivery”). */
export class Lane {
  readonly endpointNo: number;
  readonly queue: Queued[] = [];
  inFlight = 0;
  /** Attempts that failed in a row, or null until the endpoint’s row has been read. */
  failures: number | null = null;
  failingSince: number | null = null;
  /** When something is due next, as far as is known; in milliseconds since 1970. */
  nextDue = Number.POSITIVE_INFINITY;
  /** The earliest retry among those that this process has scheduled. */
  nextRetry = Number.POSITIVE_INFINITY;
  /** Nothing is due from before, as far as is known. */
  #floor = 0;
  /** What became known of this since the last read began. */
  #earlier = Number.POSITIVE_INFINITY;
  /** Counts what was heard about the endpoint, so that a read that began before does not overrule it. */
  heard = 0;
  /** Counts how often what had been read was declared out of date. */
  rechecks = 0;

  constructor(endpointNo: number) {
    this.endpointNo = endpointNo;
  }

  get failing(): boolean {
    return (this.failures ?? 0) >= limits.webhookFailuresInRow;
  }

  /** How many attempts may be in flight. */
  get limit(): number {
    return this.failing ? 1 : limits.webhookAttemptsInFlight;
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

  succeeded(): void {
    this.failures = 0;
    this.failingSince = null;
  }

  failed(startedAt: number): void {
    this.failures = (this.failures ?? 0) + 1;
    this.failingSince ??= startedAt;
  }
}
