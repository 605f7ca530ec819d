import type { Clock } from '../../server/domain/shared/clock.ts';
import { limits } from '../../server/domain/shared/limits.ts';
import type { Query } from '../../server/domain/shared/query.ts';
import { type ReadDelivery, readDueDeliveries, readNextDue } from '../../server/domain/webhook/delivery/dueDeliveries.ts';
import { type DeliveryResult, unsentResult } from '../../server/domain/webhook/delivery/deliveryResult.ts';
import { judgeDelivery } from '../../server/domain/webhook/delivery/dueDelivery.ts';
import type { Logger } from '../../server/platform/logger.ts';
import { webhookFirstAttempt, webhookInFlight } from '../../server/platform/metrics.ts';
import type { Hand } from './Hand.ts';
import { Lane } from './Lane.ts';
import type { ResultWriter } from './ResultWriter.ts';
import type { Tally } from './Tally.ts';

/** Endpoints asked in one statement. */
const askedAtOnce = 256;
/** Results that may wait for the database before nothing more is sent. */
const resultsWaiting = 2 * limits.webhookResultsAtOnce;
/** How far before the oldest delivery that was read last something may still be due: transactions commit later than they say. */
const floorMargin = 10_000;
/** A sweep finds what a timer missed. */
const longestWait = 60_000;
/**
 * Deliveries that are queued for each place. Beyond that nothing is read that cannot be sent at once: however many endpoints are behind, what
 * is in memory stays bounded.
 */
const queuedForPlace = 2;
/** How long a delivery rests that could not even be sent, and one whose attempt the service itself ended. */
const restFor = { impossible: 5_000, interrupted: 500 };

/** An endpoint that is asked, and what was known about it when it was. */
type Place = keyof typeof limits.webhookPlaces;
type Chosen = { readonly lane: Lane; readonly room: number; readonly heard: number; readonly rechecks: number };

export type PumpParts = {
  readonly query: Query;
  readonly clock: Clock;
  readonly hand: Hand;
  readonly writer: ResultWriter;
  readonly tally: Tally;
  readonly logger: Logger;
  /** Makes one attempt, if what was read still holds when everything is ready; null if the service itself ended it. */
  readonly attempt: (delivery: ReadDelivery, mayStart: () => boolean) => Promise<DeliveryResult | null>;
  /** Called once if a read fails, because the connection that reads is the one that holds the lock. */
  readonly onFailure: (error: unknown) => void;
  /** Called for each delivery that is being held from now on. */
  readonly onHeld: (endpointNo: number) => void;
};

/**
 * Reads what is due, sends it side by side, fairly by endpoint, and hands results to the writer. There is one pump at a time, so what is in
 * hand is known here and reading writes nothing (workers/webhooks/README.md).
 */
export class WebhookPump {
  readonly #parts: PumpParts;
  readonly #lanes = new Map<number, Lane>();
  /** Lanes in which something may be due, in the order in which they are asked. */
  readonly #due = new Set<Lane>();
  /** Lanes that have something to send and wait for a place. */
  readonly #blocked = new Set<Lane>();
  readonly #queued: Record<Place, number> = { all: 0, failing: 0 };
  #inFlight = { all: 0, failing: 0 };
  #reading = false;
  #stopped = false;
  #abandoned = false;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #quiet: (() => void)[] = [];

  constructor(parts: PumpParts) {
    this.#parts = parts;
  }

  /** Something of these endpoints may be due now. */
  wake(endpointNos: readonly number[]): void {
    if (this.#stopped) return;
    const now = this.#now();
    for (const endpointNo of endpointNos) {
      const lane = this.#lane(endpointNo);
      lane.heard += 1;
      lane.nextDue = Math.min(lane.nextDue, now);
      this.#due.add(lane);
    }
    this.#kick();
  }

  /** What was read of these endpoints, or of all, may no longer be true: what has not been sent is read again. */
  recheck(endpointNos: readonly number[] | 'all'): void {
    if (this.#stopped) return;
    const lanes = endpointNos === 'all' ? [...this.#lanes.values()] : endpointNos.map((endpointNo) => this.#lane(endpointNo));
    for (const lane of lanes) {
      lane.rechecks += 1;
      for (const queued of lane.queue.splice(0)) {
        this.#queued[queued.place] -= 1;
        this.#giveBack(lane, queued.delivery);
      }
      this.#blocked.delete(lane);
    }
    this.wake(lanes.map(({ endpointNo }) => endpointNo));
  }

  /** Results have been stored, so what waited for that goes on. */
  resume(): void {
    if (this.#stopped) return;
    const blocked = [...this.#blocked];
    this.#blocked.clear();
    for (const lane of blocked) this.#send(lane);
    this.#kick();
  }

  /** Looks at every endpoint, which heals whatever was not heard. Returns how long something has been due, by whether it only fails. */
  async sweep(): Promise<{ well: number; failing: number }> {
    const heard = new Map([...this.#lanes.values()].map((lane) => [lane, lane.heard]));
    const next = await readNextDue(this.#parts.query);
    const now = this.#now();
    const oldest = { well: 0, failing: 0 };
    if (this.#stopped) return oldest;
    const seen = new Set<Lane>();
    for (const { endpointNo, dueAt } of next) {
      const lane = this.#lane(endpointNo);
      seen.add(lane);
      lane.lookFrom(0);
      lane.nextDue = Math.min(lane.nextDue, dueAt);
      const kind = lane.failing ? 'failing' : 'well';
      oldest[kind] = Math.max(oldest[kind], now - dueAt);
      if (lane.nextDue <= now) {
        lane.heard += 1;
        this.#due.add(lane);
      } else this.#setTimer(lane.nextDue);
    }
    // Endpoints that have nothing left are forgotten; their failures are in their rows. One that is just being asked is not.
    for (const lane of this.#lanes.values()) {
      const idle = lane.queue.length === 0 && lane.inFlight === 0 && !this.#due.has(lane);
      if (idle && !seen.has(lane) && heard.get(lane) === lane.heard) this.#lanes.delete(lane.endpointNo);
    }
    this.#kick();
    return oldest;
  }

  /** Resolves as soon as nothing is due any more, or this has been stopped, and no attempt is under way. */
  quiet(): Promise<void> {
    return new Promise((resolve) => {
      this.#quiet.push(resolve);
      this.#kick();
    });
  }

  /** Reads and sends nothing more. Resolves when the attempts under way have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#dropQueues();
    await this.quiet();
  }

  /** Ends at once, because another process may have become the leader: what was read or is under way counts for nothing. */
  abandon(): void {
    this.#stopped = true;
    this.#abandoned = true;
    clearTimeout(this.#timer);
    this.#dropQueues();
  }

  #dropQueues(): void {
    for (const lane of this.#lanes.values()) {
      for (const { delivery } of lane.queue.splice(0)) this.#parts.hand.release(lane.endpointNo, delivery.no);
    }
    this.#queued.all = 0;
    this.#queued.failing = 0;
    this.#blocked.clear();
    this.#due.clear();
  }

  #now(): number {
    return this.#parts.clock.now().getTime();
  }

  #lane(endpointNo: number): Lane {
    let lane = this.#lanes.get(endpointNo);
    if (!lane) this.#lanes.set(endpointNo, (lane = new Lane(endpointNo)));
    return lane;
  }

  #kick(): void {
    if (!this.#reading && !this.#stopped) {
      const asked = this.#choose();
      if (asked.length > 0) void this.#read(asked);
    }
    if (this.#quiet.length > 0 && this.#isQuiet()) for (const resolve of this.#quiet.splice(0)) resolve();
  }

  #isQuiet(): boolean {
    const nothingWaits = this.#stopped || (this.#due.size === 0 && this.#blocked.size === 0);
    return nothingWaits && !this.#reading && this.#inFlight.all + this.#inFlight.failing === 0;
  }

  /** The next endpoints with something due and room for it; they go to the end of the line. */
  #choose(): Chosen[] {
    if (this.#parts.writer.waiting >= resultsWaiting) return [];
    const chosen: Chosen[] = [];
    const left = { all: this.#left('all'), failing: this.#left('failing') };
    for (const lane of this.#due) {
      if (
        chosen.length === askedAtOnce ||
        (left.all.queue <= 0 && left.all.places <= 0 && left.failing.queue <= 0 && left.failing.places <= 0)
      )
        break;
      const of = left[placeOf(lane)];
      // A lane that has nothing queued is asked for what can be sent at once, even if others have queued all that may be.
      const atOnce = lane.queue.length === 0 ? Math.min(lane.limit - lane.inFlight, of.places) : 0;
      const room = Math.min(lane.room(this.#due.size), Math.max(of.queue, atOnce));
      if (room <= 0) continue;
      of.queue -= room;
      of.places -= Math.min(room, atOnce);
      chosen.push({ lane, room, heard: lane.heard, rechecks: lane.rechecks });
    }
    // Only now, because a set visits again what is put back while it is walked through.
    for (const { lane } of chosen) {
      this.#due.delete(lane);
      this.#due.add(lane);
    }
    return chosen;
  }

  #left(place: Place): { queue: number; places: number } {
    const most = limits.webhookPlaces[place];
    return { queue: queuedForPlace * most - this.#queued[place], places: most - this.#inFlight[place] };
  }

  async #read(chosen: readonly Chosen[]): Promise<void> {
    const { query, hand, onFailure } = this.#parts;
    this.#reading = true;
    const now = this.#now();
    const asked = chosen.map(({ lane, room }) => ({
      endpointNo: lane.endpointNo,
      room,
      inHand: hand.of(lane.endpointNo),
      floor: lane.look(),
    }));
    let rows: ReadDelivery[];
    try {
      rows = await readDueDeliveries(query, asked, now);
    } catch (error) {
      this.#reading = false;
      if (!this.#stopped) onFailure(error);
      return;
    }
    this.#reading = false;
    if (!this.#stopped) {
      // What was declared out of date while it was being read is read again.
      const outOfDate = new Set(chosen.filter(({ lane, rechecks }) => lane.rechecks !== rechecks).map(({ lane }) => lane.endpointNo));
      const counts = this.#take(outOfDate.size === 0 ? rows : rows.filter(({ endpointNo }) => !outOfDate.has(endpointNo)), now);
      for (const { lane, room, heard } of chosen) this.#settle(lane, heard, (counts.get(lane) ?? 0) < room, now);
      for (const { lane } of chosen) this.#send(lane);
    }
    this.#kick();
  }

  /** Queues what was read, or hands over what sends nothing. Returns how many rows there were of each lane. */
  #take(rows: readonly ReadDelivery[], now: number): Map<Lane, number> {
    const { hand, writer } = this.#parts;
    const counts = new Map<Lane, number>();
    const readAt = performance.now();
    // Counted as it was when there was said to be room for it.
    const places = new Map<Lane, Place>();
    for (const delivery of rows) {
      const lane = this.#lane(delivery.endpointNo);
      const place = places.get(lane) ?? placeOf(lane);
      places.set(lane, place);
      if (lane.failures === null) {
        lane.failures = delivery.endpoint.failuresInRow;
        lane.failingSince = delivery.endpoint.failingSince;
      }
      if (!counts.has(lane)) lane.looked(delivery.dueAt - floorMargin);
      counts.set(lane, (counts.get(lane) ?? 0) + 1);
      // A result that is being stored while this is read may come back once.
      if (!hand.take(lane.endpointNo, delivery.no)) continue;
      const verdict = judgeDelivery(delivery, now);
      if (verdict.does === 'attempt') {
        lane.queue.push({ delivery, readAt, place });
        this.#queued[place] += 1;
      } else writer.push(unsentResult(delivery, verdict, now));
      if (verdict.does === 'hold') this.#parts.onHeld(lane.endpointNo);
    }
    return counts;
  }

  #settle(lane: Lane, heard: number, isAll: boolean, now: number): void {
    if (!isAll || lane.heard !== heard) return;
    lane.nextDue = lane.nextRetry;
    if (lane.nextDue <= now) {
      lane.nextRetry = Number.POSITIVE_INFINITY;
      lane.nextDue = Number.POSITIVE_INFINITY;
    }
    this.#due.delete(lane);
    this.#setTimer(lane.nextDue);
  }

  #send(lane: Lane): void {
    while (lane.queue.length > 0 && lane.inFlight < lane.limit) {
      if (this.#parts.writer.waiting >= resultsWaiting || !this.#hasPlace(lane)) {
        this.#blocked.add(lane);
        return;
      }
      const queued = lane.queue.shift();
      if (!queued) return;
      this.#queued[queued.place] -= 1;
      if (performance.now() - queued.readAt > limits.webhookReadTrusted) {
        this.#giveBack(lane, queued.delivery);
      } else {
        void this.#attempt(lane, queued.delivery);
      }
    }
  }

  #hasPlace(lane: Lane): boolean {
    const place = placeOf(lane);
    return this.#inFlight[place] < limits.webhookPlaces[place];
  }

  /**
   * A delivery leaves the hand unsent, so it is read again. A read that is under way has left it out and does not say that nothing more is
   * due, and it may have been due before anything that was read since.
   */
  #giveBack(lane: Lane, { no, dueAt }: ReadDelivery): void {
    this.#parts.hand.release(lane.endpointNo, no);
    lane.heard += 1;
    lane.lookFrom(dueAt);
    lane.nextDue = 0;
    this.#due.add(lane);
  }

  async #attempt(lane: Lane, delivery: ReadDelivery): Promise<void> {
    const { attempt, writer, tally, hand, logger } = this.#parts;
    const place = placeOf(lane);
    const { rechecks } = lane;
    lane.inFlight += 1;
    this.#inFlight[place] += 1;
    webhookInFlight.set(this.#inFlight.all + this.#inFlight.failing);
    if (delivery.attempts === 0) webhookFirstAttempt.observe(Math.max(0, this.#now() - delivery.event.occurredAt.getTime()) / 1_000);
    let result: DeliveryResult | null = null;
    let impossible = false;
    try {
      result = await attempt(delivery, () => !this.#abandoned && lane.rechecks === rechecks);
    } catch (error) {
      // Something is wrong with this delivery on our side. It stays in hand for a while, so that it is not tried again at once.
      logger.error({ err: error, delivery: delivery.no }, 'webhooks.attemptImpossible');
      impossible = true;
    }
    lane.inFlight -= 1;
    this.#inFlight[place] -= 1;
    webhookInFlight.set(this.#inFlight.all + this.#inFlight.failing);
    if (result) {
      tally.add(lane, result, this.#now());
      if (result.nextAttemptAt !== null) {
        lane.nextRetry = Math.min(lane.nextRetry, result.nextAttemptAt);
        lane.nextDue = Math.min(lane.nextDue, lane.nextRetry);
        this.#setTimer(lane.nextDue);
      }
      writer.push(result);
    } else if (impossible || !this.#stopped) {
      setTimeout(
        () => {
          this.#giveBack(lane, delivery);
          this.#kick();
        },
        impossible ? restFor.impossible : restFor.interrupted,
      ).unref();
    } else {
      hand.release(lane.endpointNo, delivery.no);
    }
    this.#next(lane);
  }

  /** A place has become free: somebody who waits for one has it first, then the lane itself goes on. */
  #next(lane: Lane): void {
    const free = this.#inFlight.all + this.#inFlight.failing;
    // Who still finds no place is added again.
    const blocked = [...this.#blocked];
    for (const other of blocked) {
      if (!this.#hasPlace(other)) continue;
      this.#blocked.delete(other);
      this.#send(other);
      // Whatever it had may have been too old to be sent.
      if (this.#inFlight.all + this.#inFlight.failing > free) break;
    }
    this.#send(lane);
    this.#kick();
  }

  #setTimer(at: number): void {
    if (at >= this.#timerAt || this.#stopped || at === Number.POSITIVE_INFINITY) return;
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
    this.#setTimer(next);
    this.#kick();
  }
}

/** The places that attempts of an endpoint take. */
function placeOf(lane: Lane): Place {
  return lane.failing ? 'failing' : 'all';
}
