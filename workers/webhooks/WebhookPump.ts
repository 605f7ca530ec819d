import type { Clock } from '../../server/domain/shared/clock.ts';
import { webhookLimits } from '../../server/domain/outbox/webhookLimits.ts';
import type { Query } from '../../server/domain/shared/query.ts';
import { type ReadDelivery, readDueDeliveries, readNextDue } from '../../server/domain/webhook/delivery/dueDeliveries.ts';
import { type DeliveryResult, impossibleResult, unsentResult } from '../../server/domain/webhook/delivery/deliveryResult.ts';
import { judgeDelivery } from '../../server/domain/webhook/delivery/dueDelivery.ts';
import type { Logger } from '../../server/platform/logger.ts';
import { DueQueue } from './DueQueue.ts';
import { askedOf, type Chosen, chooseLanes } from './chooseLanes.ts';
import type { ClaimedDeliveries } from './ClaimedDeliveries.ts';
import type { Lane, AttemptPool } from './Lane.ts';
import { AttemptSemaphore } from './AttemptSemaphore.ts';
import type { ResultWriter } from './ResultWriter.ts';
import type { DeliveryCounters } from './DeliveryCounters.ts';
import { webhookFirstAttempt } from './webhookMetrics.ts';

/** How far before the oldest delivery that was read last something may still be due: transactions commit later than they say. */
const floorMargin = 10_000;
/** How long a delivery rests whose attempt the service itself ended. */
const interruptedRests = 500;
/** How often to look whether deliveries can be signed again. */
const signingAskedEvery = 1_000;

export type PumpParts = {
  readonly query: Query;
  readonly clock: Clock;
  /** Milliseconds that pass whatever the clock says. */
  readonly elapsed?: () => number;
  readonly claimed: ClaimedDeliveries;
  readonly writer: ResultWriter;
  readonly counters: DeliveryCounters;
  readonly logger: Logger;
  /** Whether deliveries can be signed; nothing is read before. Rejects once this process should leave them to another one. */
  readonly ready: () => Promise<boolean>;
  /** Makes one attempt, if what was read still holds when everything is ready; null if the service itself ended it. */
  readonly attempt: (delivery: ReadDelivery, mayStart: () => boolean) => Promise<DeliveryResult | null>;
  /** Called once if a read fails, because the connection that reads is the one that holds the lock, or if nothing can be signed. */
  readonly onFailure: (error: unknown) => void;
  /** Called for each delivery that is being held from now on. */
  readonly onHeld: (endpointNumber: number) => void;
  /** Called when an endpoint that only failed has taken something. */
  readonly onRecovered: () => void;
};

/**
 * Reads what is due, sends it side by side, fairly by endpoint, and hands results to the writer. There is one pump at a time, so what is
 * claimed is known here and reading writes nothing (workers/webhooks/README.md).
 */
export class WebhookPump {
  readonly #parts: PumpParts;
  readonly #elapsed: () => number;
  readonly #dueQueue: DueQueue;
  readonly #semaphore = new AttemptSemaphore();
  /** Lanes that have something to send and wait for a permit. */
  readonly #blocked = new Set<Lane>();
  #reading = false;
  #signingAsked: NodeJS.Timeout | undefined;
  #stopped = false;
  #abandoned = false;
  #quiet: (() => void)[] = [];

  constructor(parts: PumpParts) {
    this.#parts = parts;
    this.#elapsed = parts.elapsed ?? (() => performance.now());
    this.#dueQueue = new DueQueue({ clock: parts.clock, onDue: () => this.#kick() });
  }

  /** Something of these endpoints may be due now. */
  wake(endpointNumbers: readonly number[]): void {
    if (this.#stopped) return;
    const now = this.#now();
    for (const endpointNumber of endpointNumbers) this.#dueQueue.hear(this.#dueQueue.lane(endpointNumber), now);
    this.#kick();
  }

  /** What was read of these endpoints, or of all, may no longer be true: what has not been sent is read again. */
  recheck(endpointNumbers: readonly number[] | 'all'): void {
    if (this.#stopped) return;
    const lanes =
      endpointNumbers === 'all' ? this.#dueQueue.lanes() : endpointNumbers.map((endpointNumber) => this.#dueQueue.lane(endpointNumber));
    for (const lane of lanes) {
      lane.rechecks += 1;
      for (let queued = this.#semaphore.next(lane); queued; queued = this.#semaphore.next(lane)) this.#giveBack(lane, queued.delivery);
      this.#blocked.delete(lane);
    }
    this.wake(lanes.map(({ endpointNumber }) => endpointNumber));
  }

  /** Results have been stored, so what waited for that goes on. */
  resume(): void {
    if (this.#stopped) return;
    const blocked = [...this.#blocked];
    this.#blocked.clear();
    for (const lane of blocked) this.#send(lane);
    this.#kick();
  }

  /**
   * Looks at every endpoint, which heals whatever was not heard, and whatever is queued and waits for nothing. Returns how long something has
   * been due, by whether the endpoint only fails.
   */
  async sweep(): Promise<{ well: number; failing: number }> {
    const heard = this.#dueQueue.heard();
    const next = await readNextDue(this.#parts.query);
    if (this.#stopped) return { well: 0, failing: 0 };
    const oldest = this.#dueQueue.sweep(next, heard);
    for (const lane of this.#dueQueue.lanes()) this.#send(lane);
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

  /** Endpoints that take deliveries again after a time in which they only failed. */
  recovering(): Lane[] {
    return this.#dueQueue.lanes().filter((lane) => lane.recovering);
  }

  /** Reads and sends nothing more. Resolves when the attempts under way have ended. */
  async stop(): Promise<void> {
    this.#end();
    await this.quiet();
  }

  /** Ends at once, because another process may have become the leader: what was read or is under way counts for nothing. */
  abandon(): void {
    this.#abandoned = true;
    this.#end();
  }

  #end(): void {
    this.#stopped = true;
    clearTimeout(this.#signingAsked);
    for (const lane of this.#dueQueue.lanes()) {
      for (let queued = this.#semaphore.next(lane); queued; queued = this.#semaphore.next(lane))
        this.#parts.claimed.release(lane.endpointNumber, queued.delivery.number);
    }
    this.#blocked.clear();
    this.#dueQueue.close();
  }

  #now(): number {
    return this.#parts.clock.now().getTime();
  }

  #kick(): void {
    if (!this.#reading && !this.#stopped) {
      const asked = this.#choose();
      if (asked.length > 0) void this.#read(asked);
    }
    if (this.#quiet.length > 0 && this.#isQuiet()) for (const resolve of this.#quiet.splice(0)) resolve();
  }

  #isQuiet(): boolean {
    const nothingWaits = this.#stopped || (this.#dueQueue.due.size === 0 && this.#blocked.size === 0);
    return nothingWaits && !this.#reading && this.#semaphore.taken === 0;
  }

  /** The next endpoints with something due and room for it; they go to the end of the line. */
  #choose(): Chosen[] {
    if (this.#parts.writer.full) return [];
    const chosen = chooseLanes(this.#dueQueue.due, this.#semaphore);
    // Only now, because a set visits again what is put back while it is walked through.
    this.#dueQueue.putLast(chosen.map(({ lane }) => lane));
    return chosen;
  }

  /** Whether what was chosen can be signed once it has been read. Otherwise it is asked again in a while. */
  async #ready(): Promise<boolean> {
    try {
      if (await this.#parts.ready()) return true;
      this.#signingAsked ??= setTimeout(() => {
        this.#signingAsked = undefined;
        this.#kick();
      }, signingAskedEvery).unref();
    } catch (error) {
      if (!this.#stopped) this.#parts.onFailure(error);
    }
    return false;
  }

  async #read(chosen: readonly Chosen[]): Promise<void> {
    this.#reading = true;
    const rows = (await this.#ready()) && !this.#stopped ? await this.#readRows(chosen) : null;
    this.#reading = false;
    if (rows && !this.#stopped) {
      // What was declared out of date while it was being read is read again.
      const outOfDate = new Set(chosen.filter(({ lane, rechecks }) => lane.rechecks !== rechecks).map(({ lane }) => lane.endpointNumber));
      const { found, now } = rows;
      const counts = this.#take(outOfDate.size === 0 ? found : found.filter(({ endpointNumber }) => !outOfDate.has(endpointNumber)), now);
      for (const { lane, room, heard } of chosen)
        if ((counts.get(lane) ?? 0) < room && lane.heard === heard) this.#dueQueue.settle(lane, now);
      for (const { lane } of chosen) this.#send(lane);
    }
    if (rows || this.#stopped) this.#kick();
  }

  async #readRows(chosen: readonly Chosen[]): Promise<{ found: ReadDelivery[]; now: number } | null> {
    const { query, claimed, onFailure } = this.#parts;
    const now = this.#now();
    try {
      return { found: await readDueDeliveries(query, askedOf(chosen, claimed), now), now };
    } catch (error) {
      if (!this.#stopped) onFailure(error);
      return null;
    }
  }

  /** Queues what was read, or hands over what sends nothing. Returns how many rows there were of each lane. */
  #take(rows: readonly ReadDelivery[], now: number): Map<Lane, number> {
    const { claimed, writer } = this.#parts;
    const counts = new Map<Lane, number>();
    const readAt = this.#elapsed();
    // Counted as it was when there was said to be room for it.
    const pools = new Map<Lane, AttemptPool>();
    for (const delivery of rows) {
      const lane = this.#dueQueue.lane(delivery.endpointNumber);
      const pool = pools.get(lane) ?? lane.pool;
      pools.set(lane, pool);
      lane.adopt(delivery.endpoint);
      if (!counts.has(lane)) lane.looked(delivery.dueAt - floorMargin);
      counts.set(lane, (counts.get(lane) ?? 0) + 1);
      // A result that is being stored while this is read may come back once.
      if (!claimed.claim(lane.endpointNumber, delivery.number)) continue;
      const verdict = judgeDelivery(delivery, now);
      if (verdict.does === 'attempt') this.#semaphore.queue(lane, { delivery, readAt, pool });
      else writer.push(unsentResult(delivery, verdict, now));
      if (verdict.does === 'hold') this.#parts.onHeld(lane.endpointNumber);
    }
    return counts;
  }

  #send(lane: Lane): void {
    while (lane.queue.length > 0 && lane.inFlight < lane.limit) {
      if (this.#parts.writer.full || !this.#semaphore.hasPermitFor(lane)) {
        this.#blocked.add(lane);
        return;
      }
      const queued = this.#semaphore.next(lane);
      if (!queued) return;
      if (this.#elapsed() - queued.readAt > webhookLimits.webhookReadTrusted) this.#giveBack(lane, queued.delivery);
      else void this.#attempt(lane, queued.delivery);
    }
  }

  /**
   * A delivery is released unsent, so it is read again. A read that is under way has left it out and does not say that nothing more is
   * due, and it may have been due before anything that was read since.
   */
  #giveBack(lane: Lane, { number, dueAt }: ReadDelivery): void {
    this.#parts.claimed.release(lane.endpointNumber, number);
    lane.lookFrom(dueAt);
    this.#dueQueue.hear(lane, 0);
  }

  async #attempt(lane: Lane, delivery: ReadDelivery): Promise<void> {
    const { attempt, logger } = this.#parts;
    const { rechecks } = lane;
    const taken = this.#semaphore.take(lane);
    lane.inFlight += 1;
    if (delivery.attempts === 0) webhookFirstAttempt.observe(Math.max(0, this.#now() - delivery.event.occurredAt.getTime()) / 1_000);
    const mayStart = () => !this.#abandoned && lane.rechecks === rechecks;
    let result: DeliveryResult | null;
    try {
      result = await attempt(delivery, mayStart);
    } catch (error) {
      // Something is wrong with this delivery on our side. It has a result like any other, so that its owner sees it, and it ends.
      logger.error({ err: error, delivery: delivery.number }, 'webhooks.attemptImpossible');
      result = impossibleResult(delivery, this.#now());
    }
    lane.inFlight -= 1;
    this.#semaphore.free(taken);
    if (result) this.#finish(lane, delivery, result);
    else if (this.#stopped) this.#parts.claimed.release(lane.endpointNumber, delivery.number);
    else if (!mayStart()) this.#giveBack(lane, delivery);
    else this.#giveBackLater(lane, delivery);
    this.#next(lane);
  }

  #finish(lane: Lane, delivery: ReadDelivery, result: DeliveryResult): void {
    const { recovering } = lane;
    this.#parts.counters.add(lane, result, { url: delivery.endpoint.url, test: delivery.test, endedAt: this.#now() });
    // Whatever failed, and be it our own way out: what is brought forward then would only fail as well.
    if (result.attempt !== null && result.action !== 'completeDelivery') lane.recovering = false;
    if (lane.recovering && !recovering) this.#parts.onRecovered();
    if (result.nextAttemptAt !== null) this.#dueQueue.retryAt(lane, result.nextAttemptAt);
    this.#parts.writer.push(result);
  }

  #giveBackLater(lane: Lane, delivery: ReadDelivery): void {
    setTimeout(() => {
      this.#giveBack(lane, delivery);
      this.#kick();
    }, interruptedRests).unref();
  }

  /** A permit has become free: another lane that waits for one has it first, then the lane itself goes on. */
  #next(lane: Lane): void {
    const free = this.#semaphore.taken;
    // One that still finds no permit is added again.
    const blocked = [...this.#blocked];
    for (const other of blocked) {
      if (!this.#semaphore.hasPermitFor(other)) continue;
      this.#blocked.delete(other);
      this.#send(other);
      // Whatever it had may have been too old to be sent.
      if (this.#semaphore.taken > free) break;
    }
    this.#send(lane);
    this.#kick();
  }
}
