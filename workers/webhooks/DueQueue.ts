import type { Clock } from '../../server/domain/shared/clock.ts';
import { Lane } from './Lane.ts';

/** A sweep finds what a timer missed. */
const longestWait = 60_000;
/** How long an endpoint that takes its time, or only fails, is remembered as such, although it has nothing left. */
const remembered = 3_600_000;

type DueQueueParts = {
  readonly clock: Clock;
  /** Called when something has become due. */
  readonly onDue: () => void;
};

/** The lanes, which of them may have something due, in the order in which they are asked, and when the next one will. */
export class DueQueue {
  readonly #parts: DueQueueParts;
  readonly #lanes = new Map<number, Lane>();
  readonly #due = new Set<Lane>();
  readonly #idleSince = new Map<Lane, number>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(parts: DueQueueParts) {
    this.#parts = parts;
  }

  get due(): ReadonlySet<Lane> {
    return this.#due;
  }

  lanes(): Lane[] {
    return [...this.#lanes.values()];
  }

  lane(endpointNumber: number): Lane {
    let lane = this.#lanes.get(endpointNumber);
    if (!lane) this.#lanes.set(endpointNumber, (lane = new Lane(endpointNumber)));
    return lane;
  }

  /** It was heard that something of this lane has been due since then. */
  hear(lane: Lane, since: number): void {
    lane.heard += 1;
    lane.nextDue = Math.min(lane.nextDue, since);
    this.#due.add(lane);
  }

  /** These lanes are just being asked, so that the others have their turn first. */
  putLast(lanes: Iterable<Lane>): void {
    for (const lane of lanes) {
      this.#due.delete(lane);
      this.#due.add(lane);
    }
  }

  /** Nothing more of this lane is due before its next retry. */
  settle(lane: Lane, now: number): void {
    lane.nextDue = lane.nextRetry;
    if (lane.nextDue <= now) {
      lane.nextRetry = Number.POSITIVE_INFINITY;
      lane.nextDue = Number.POSITIVE_INFINITY;
    }
    this.#due.delete(lane);
    this.#wakeAt(lane.nextDue);
  }

  /** A delivery of this lane is tried again then. */
  retryAt(lane: Lane, at: number): void {
    lane.nextRetry = Math.min(lane.nextRetry, at);
    lane.nextDue = Math.min(lane.nextDue, lane.nextRetry);
    this.#wakeAt(lane.nextDue);
  }

  /** How often each lane was heard of, for `sweep`. */
  heard(): ReadonlyMap<Lane, number> {
    return new Map(this.lanes().map((lane) => [lane, lane.heard]));
  }

  /**
   * Takes over when the next delivery of each endpoint is due, as it was read after `heard`. Endpoints that have nothing left are forgotten.
   * Returns how long something has been due, by whether the endpoint only fails.
   */
  sweep(next: readonly { readonly endpointNumber: number; readonly dueAt: number }[], heard: ReadonlyMap<Lane, number>) {
    const now = this.#now();
    const oldest = { well: 0, failing: 0 };
    const seen = new Set<Lane>();
    for (const { endpointNumber, dueAt } of next) {
      const lane = this.lane(endpointNumber);
      seen.add(lane);
      lane.lookFrom(0);
      lane.nextDue = Math.min(lane.nextDue, dueAt);
      const kind = lane.failing ? 'failing' : 'well';
      oldest[kind] = Math.max(oldest[kind], now - dueAt);
      if (lane.nextDue <= now) this.hear(lane, lane.nextDue);
      else this.#wakeAt(lane.nextDue);
    }
    for (const lane of this.lanes()) {
      const idle = lane.queue.length === 0 && lane.inFlight === 0 && !this.#due.has(lane) && !seen.has(lane);
      if (idle && heard.get(lane) === lane.heard) this.#forget(lane, now);
      else this.#idleSince.delete(lane);
    }
    return oldest;
  }

  /** Nothing is due any more, for good. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#due.clear();
  }

  /** How long attempts take is known here only, as are failures at test events; all others are in the endpoint’s row. */
  #forget(lane: Lane, now: number): void {
    const since = this.#idleSince.get(lane) ?? now;
    if ((lane.slow || lane.failing) && now - since < remembered) this.#idleSince.set(lane, since);
    else {
      this.#idleSince.delete(lane);
      this.#lanes.delete(lane.endpointNumber);
    }
  }

  #now(): number {
    return this.#parts.clock.now().getTime();
  }

  #wakeAt(at: number): void {
    if (at >= this.#timerAt || this.#closed || at === Number.POSITIVE_INFINITY) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => this.#onTimer(), Math.min(longestWait, Math.max(0, at - this.#now())));
    this.#timer.unref();
  }

  #onTimer(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = this.#now();
    let next = Number.POSITIVE_INFINITY;
    for (const lane of this.#lanes.values()) {
      if (lane.nextDue <= now) this.#due.add(lane);
      else next = Math.min(next, lane.nextDue);
    }
    this.#wakeAt(next);
    this.#parts.onDue();
  }
}
