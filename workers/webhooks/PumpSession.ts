import { setTimeout as delay } from 'node:timers/promises';
import { webhookLimits } from '../../server/domain/outbox/webhookLimits.ts';
import type { Query } from '../../server/domain/shared/query.ts';
import { readWindowsOver } from '../../server/domain/webhook/delivery/dueDeliveries.ts';
import { unsentResult } from '../../server/domain/webhook/delivery/deliveryResult.ts';
import { judgeDelivery } from '../../server/domain/webhook/delivery/dueDelivery.ts';
import { comeForward } from '../../server/domain/webhook/attempt/comeForward.ts';
import { countWaiting, findHeld, releaseHeld } from '../../server/domain/webhook/delivery/storeResults.ts';
import type { LeaderConnection } from './connections.ts';
import { type PumpParts, WebhookPump } from './WebhookPump.ts';
import { webhookOldestDue, webhookWaiting } from './webhookMetrics.ts';

/** Metrics count no further. */
const countedUpTo = 100_000;
/** Slices of deliveries whose window is over that one pass ends; the rest follows with the next pass. */
const slicesPerPass = 50;
/** Deliveries that one pass releases, and how long it takes for that at most, before everything else has its turn. */
const releasedPerPass = 50_000;
const releasingFor = 2_000;
/** The same for what comes forward, and how much earlier than planned a pass may come that is to bring some. */
const comingForwardFor = 2_000;
const passesDifferBy = 250;
/** What is heard leads to a pass at most so often. */
const passAtMostEvery = 1_000;
/** How often a stop tries to store the last results. */
const repeatedAfter = 200;

const highestNumber = 2 ** 31 - 1;

/** Whether this names endpoints by their numbers. Every role that may connect to the database may notify, so nothing else is looked for. */
function isListOfNumbers(payload: string): boolean {
  return /^\d{1,10}(,\d{1,10})*$/.test(payload) && payload.split(',').every((text) => Number(text) <= highestNumber);
}

type SessionParts = Omit<PumpParts, 'query' | 'onFailure' | 'onHeld' | 'onRecovered'> & {
  readonly connection: LeaderConnection;
  /** For what waits for locks. */
  readonly write: Query;
};

/** What a process does while it leads: the pump, and what keeps deliveries from waiting for ever. */
export class PumpSession {
  readonly #parts: SessionParts;
  readonly #pump: WebhookPump;
  readonly #failure = Promise.withResolvers<unknown>();
  /** A pass that is under way, and what is wanted after it: everything, or only to release what belongs to the endpoints that were named. */
  #pass: Promise<void> | undefined;
  #wanted: 'all' | 'named' | undefined;
  #passedAt = Number.NEGATIVE_INFINITY;
  /** What was heard since the last pass, while the next one may not begin yet, and when everybody was heard of last. */
  #heard: { all: boolean; named: Set<number> } = { all: false, named: new Set() };
  #heardOfAllAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** Endpoints with held deliveries: as they were found last, and those that have been added since, which may not be stored yet. */
  #held = new Set<number>();
  #heldSince = new Set<number>();
  /** The endpoint whose deliveries were released last; the next one has its turn first. */
  #releasedLast = 0;
  #stopping = false;
  #abandoned = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#pump = new WebhookPump({
      ...parts,
      query: parts.connection.query,
      onFailure: this.#failure.resolve,
      onHeld: (endpointNumber) => this.#heldSince.add(endpointNumber),
      onRecovered: () => {
        // The sweep after it knows when they are due.
        this.#heard.all = true;
        this.#passSoon();
      },
    });
    parts.writer.onStored = () => this.#pump.resume();
    void parts.connection.lost.then(this.#failure.resolve);
  }

  /** Resolves with the reason if the session cannot go on. */
  get failed(): Promise<unknown> {
    return this.#failure.promise;
  }

  /** Begins to listen, and looks at everything once. */
  async start(): Promise<void> {
    await this.#parts.connection.listen((channel, payload) => this.#hear(channel, payload));
    await this.pass();
  }

  /** One pass: releases what nothing holds, ends what is over, sweeps. Passes do not overlap. */
  pass(): Promise<void> {
    return this.#begin('all');
  }

  #begin(wanted: 'all' | 'named'): Promise<void> {
    if (this.#stopping) return this.#pass ?? Promise.resolve();
    if (this.#wanted !== 'all') this.#wanted = wanted;
    this.#pass ??= this.#passes()
      .catch(this.#failure.resolve)
      .finally(() => (this.#pass = undefined));
    return this.#pass;
  }

  /** Works off everything that is due now. For tests, whose clocks stand still. */
  async workOff(): Promise<void> {
    const { writer } = this.#parts;
    await this.#release();
    await this.#endWindows();
    await this.#pump.sweep();
    await this.#pump.quiet();
    await writer.flush();
    await this.#comeForward();
  }

  /** Ends well: attempts under way end and their results are stored. Nothing begins any more, whatever is heard meanwhile. */
  async stop(): Promise<void> {
    this.#end();
    await this.#pump.stop();
    await this.#pass;
    await this.#storeAll();
  }

  /** Ends at once. Attempts under way are to be interrupted by the caller. */
  abandon(): void {
    this.#abandoned = true;
    this.#end();
    this.#pump.abandon();
  }

  #end(): void {
    this.#stopping = true;
    clearTimeout(this.#timer);
  }

  /** Counts what waits, for the metrics. */
  async count(): Promise<void> {
    const { held, dead } = await countWaiting(this.#parts.write, countedUpTo);
    webhookWaiting.set({ state: 'held' }, held);
    webhookWaiting.set({ state: 'dead' }, dead);
  }

  #hear(channel: string, payload: string): void {
    if (payload !== '' && !isListOfNumbers(payload)) return;
    const endpointNumbers = payload === '' ? [] : payload.split(',').map(Number);
    if (channel === 'webhook_recheck') this.#pump.recheck(payload === '' ? 'all' : endpointNumbers);
    else this.#pump.wake(endpointNumbers);
    if (payload === '') return this.#hearOfAll();
    for (const endpointNumber of endpointNumbers) {
      if (this.#held.has(endpointNumber) || this.#heldSince.has(endpointNumber)) this.#heard.named.add(endpointNumber);
    }
    if (this.#heard.named.size > 0) this.#passSoon();
  }

  /** A notification that names nobody is rare, so it is acted on at once, unless there was one a moment ago. */
  #hearOfAll(): void {
    const now = performance.now();
    const atOnce = now - this.#heardOfAllAt >= passAtMostEvery;
    if (!atOnce) this.#heard.all = true;
    else this.#heardOfAllAt = now;
    if (atOnce) void this.pass();
    else this.#passSoon();
  }

  /** Events go on all the time, and a pass looks at every endpoint, so what is heard meanwhile waits for a while. */
  #passSoon(): void {
    if (this.#timer || this.#stopping) return;
    const wait = this.#passedAt + passAtMostEvery - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        void this.#begin(this.#heard.all ? 'all' : 'named');
      },
      Math.max(0, wait),
    );
    this.#timer.unref();
  }

  async #passes(): Promise<void> {
    while (this.#wanted && !this.#stopping) {
      const all = this.#wanted === 'all';
      const { named } = this.#heard;
      this.#wanted = undefined;
      this.#heard = { all: false, named: new Set() };
      if (!(await this.#release(all ? undefined : named))) this.#wanted = 'all';
      await this.#comeForward();
      if (all) await this.#look();
      this.#passedAt = performance.now();
    }
  }

  async #look(): Promise<void> {
    await this.#endWindows();
    const oldest = await this.#pump.sweep();
    webhookOldestDue.set({ endpoint: 'well' }, oldest.well / 1_000);
    webhookOldestDue.set({ endpoint: 'failing' }, oldest.failing / 1_000);
  }

  /**
   * Releases what nothing holds any more, of these endpoints or of all, a slice of each in turn. Also heals what was written as held at the
   * moment at which its reason ended. Returns false if there is more.
   */
  async #release(only?: ReadonlySet<number>): Promise<boolean> {
    const { connection, write, clock } = this.#parts;
    const since = this.#heldSince;
    this.#heldSince = new Set();
    const held = await findHeld(connection.query);
    this.#held = new Set([...since, ...held.map(({ endpointNumber }) => endpointNumber)]);
    const releasable = held.filter((each) => each.releasable && (!only || only.has(each.endpointNumber)));
    let turn = [
      ...releasable.filter(({ endpointNumber }) => endpointNumber > this.#releasedLast),
      ...releasable.filter(({ endpointNumber }) => endpointNumber <= this.#releasedLast),
    ];
    const until = performance.now() + releasingFor;
    let left = releasedPerPass;
    while (turn.length > 0) {
      const more: typeof turn = [];
      for (const each of turn) {
        if (left <= 0 || this.#stopping || performance.now() > until) return false;
        const { endpointNumber, reason } = each;
        this.#releasedLast = endpointNumber;
        const one = { endpointNumber, reason, now: clock.now().getTime(), slice: webhookLimits.webhookSlice };
        const released = await this.#written(releaseHeld(write, one));
        // A lock that is held, or a database that is away, would hold up the next ones too. The next pass begins after this one.
        if (released === undefined) return true;
        left -= released;
        if (released === webhookLimits.webhookSlice) more.push(each);
        this.#pump.wake([endpointNumber]);
      }
      turn = more;
    }
    return true;
  }

  /**
   * Brings forward what waits for endpoints that take deliveries again, a slice of each in the time over which the one before was
   * scattered, until nothing waits or an attempt fails. So a receiver that has been down for a day has its deliveries within minutes, but
   * not all at once.
   */
  async #comeForward(): Promise<void> {
    const { write, clock } = this.#parts;
    const { slice, spread } = webhookLimits.webhookComeForward;
    const until = performance.now() + comingForwardFor;
    for (const lane of this.#pump.recovering().toSorted((one, other) => one.forwardAt - other.forwardAt)) {
      const now = clock.now().getTime();
      if (this.#stopping || now < lane.forwardAt || performance.now() > until) return;
      // Before the result is known, so that the next pass begins with another one.
      lane.forwardAt = now + spread - passesDifferBy;
      const brought = await this.#written(comeForward(write, { endpointNumber: lane.endpointNumber, now }));
      // A lock that is held, or a database that is away, would hold up the next ones too.
      if (brought === undefined) return;
      if (brought < slice) lane.recovering = false;
    }
  }

  /** Ends deliveries that nobody attempts, for instance because their endpoint is paused. */
  async #endWindows(): Promise<void> {
    const { connection, writer, claimed, clock } = this.#parts;
    for (let slices = slicesPerPass; slices > 0 && !this.#stopping; slices -= 1) {
      const now = clock.now().getTime();
      const over = await readWindowsOver(connection.query, { now, claimed: claimed.all(), slice: webhookLimits.webhookSlice });
      for (const delivery of over) {
        const verdict = judgeDelivery(delivery, now);
        if (verdict.does === 'attempt' || !claimed.claim(delivery.endpointNumber, delivery.number)) continue;
        writer.push(unsentResult(delivery, verdict, now));
      }
      if (over.length < webhookLimits.webhookSlice) return;
      const stored = await this.#written(writer.flush().then(() => true));
      if (!stored) return;
    }
  }

  /** What cannot be written now is left to a later pass: it says nothing about the connection that holds the lock. */
  async #written<Value>(work: Promise<Value>): Promise<Value | undefined> {
    try {
      return await work;
    } catch (error) {
      this.#parts.logger.warn({ err: error }, 'webhooks.passIncomplete');
      return undefined;
    }
  }

  /** Tries until nothing waits any more, or the session ends at once. */
  async #storeAll(): Promise<void> {
    while (!this.#abandoned && !(await this.#written(this.#parts.writer.flush().then(() => true)))) await delay(repeatedAfter);
  }
}
