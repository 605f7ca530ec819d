import { limits } from '../../server/domain/shared/limits.ts';
import type { Query } from '../../server/domain/shared/query.ts';
import { readWindowsOver } from '../../server/domain/webhook/delivery/dueDeliveries.ts';
import { unsentResult } from '../../server/domain/webhook/delivery/deliveryResult.ts';
import { judgeDelivery } from '../../server/domain/webhook/delivery/dueDelivery.ts';
import { countWaiting, findHeld, releaseHeld } from '../../server/domain/webhook/delivery/storeResults.ts';
import { webhookOldestDue, webhookWaiting } from '../../server/platform/metrics.ts';
import type { LeaderConnection } from './connections.ts';
import { type PumpParts, WebhookPump } from './WebhookPump.ts';

/** Metrics count no further. */
const countedUpTo = 100_000;
/** Slices that one pass releases or ends; the rest follows with the next pass. */
const slicesPerPass = 50;

export type SessionParts = Omit<PumpParts, 'query' | 'onFailure'> & {
  readonly connection: LeaderConnection;
  /** For what waits for locks. */
  readonly write: Query;
};

/** What a process does while it leads: the pump, and what keeps deliveries from waiting for ever. */
export class PumpSession {
  readonly #parts: SessionParts;
  readonly #pump: WebhookPump;
  readonly #failure = Promise.withResolvers<unknown>();
  /** A pass that is under way, and whether another one is wanted after it. */
  #pass: Promise<void> | undefined;
  #again = false;
  #anyHeld = true;
  #stopping = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#pump = new WebhookPump({ ...parts, query: parts.connection.query, onFailure: this.#failure.resolve });
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
    if (this.#stopping) return this.#pass ?? Promise.resolve();
    this.#again = this.#pass !== undefined;
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
  }

  /** Ends well: attempts under way end and their results are stored. Nothing begins any more, whatever is heard meanwhile. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#pump.stop();
    await this.#pass;
    await this.#parts.writer.flush();
  }

  /** Ends at once. Attempts under way are to be interrupted by the caller. */
  abandon(): void {
    this.#pump.abandon();
  }

  /** Counts what waits, for the metrics. */
  async count(): Promise<void> {
    const { held, dead } = await countWaiting(this.#parts.write, countedUpTo);
    webhookWaiting.set({ state: 'held' }, held);
    webhookWaiting.set({ state: 'dead' }, dead);
  }

  #hear(channel: string, payload: string): void {
    const endpointNos = payload === '' ? [] : payload.split(',').map(Number);
    if (channel === 'webhook_recheck') this.#pump.recheck(payload === '' ? 'all' : endpointNos);
    else this.#pump.wake(endpointNos);
    if (payload === '' || this.#anyHeld) void this.pass();
  }

  async #passes(): Promise<void> {
    do {
      this.#again = false;
      await this.#release();
      await this.#endWindows();
      const oldest = await this.#pump.sweep();
      webhookOldestDue.set({ endpoint: 'well' }, oldest.well / 1_000);
      webhookOldestDue.set({ endpoint: 'failing' }, oldest.failing / 1_000);
    } while (this.#again && !this.#stopping);
  }

  /** Also heals what was written as held at the moment at which its reason ended. */
  async #release(): Promise<void> {
    const { connection, write, clock } = this.#parts;
    const held = await findHeld(connection.query);
    this.#anyHeld = held.length > 0;
    let slices = slicesPerPass;
    for (const { endpointNo, reason, releasable } of held) {
      if (!releasable) continue;
      let released: number = limits.webhookSlice;
      while (released === limits.webhookSlice && slices > 0 && !this.#stopping) {
        released = await releaseHeld(write, { endpointNo, reason, now: clock.now().getTime(), slice: limits.webhookSlice });
        slices -= 1;
      }
      this.#pump.wake([endpointNo]);
    }
  }

  /** Ends deliveries that nobody attempts, for instance because their endpoint is paused. */
  async #endWindows(): Promise<void> {
    const { connection, writer, hand, clock } = this.#parts;
    for (let slices = slicesPerPass; slices > 0 && !this.#stopping; slices -= 1) {
      const now = clock.now().getTime();
      const over = await readWindowsOver(connection.query, { now, inHand: hand.all(), slice: limits.webhookSlice });
      for (const delivery of over) {
        const verdict = judgeDelivery(delivery, now);
        if (verdict.does === 'attempt' || !hand.take(delivery.endpointNo, delivery.no)) continue;
        writer.push(unsentResult(delivery, verdict, now));
      }
      if (over.length < limits.webhookSlice) return;
      await writer.flush();
    }
  }
}
