import { setTimeout as delay } from 'node:timers/promises';
import { withinTime } from '../../server/database/unavailable.ts';
import { endFailing } from '../../server/domain/webhook/delivery/endpointHealth.ts';
import type { Logger } from '../../server/platform/logger.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { attemptWith, type DeliveryParts } from './makeAttempt.ts';
import { type LeaderConnection, openLeaderConnection, openWriteConnections } from './connections.ts';
import { ClaimedDeliveries } from './ClaimedDeliveries.ts';
import { PumpSession } from './PumpSession.ts';
import { ResultWriter } from './ResultWriter.ts';
import { Signing } from './Signing.ts';
import { storeLast } from './storeLast.ts';
import { DeliveryCounters } from './DeliveryCounters.ts';
import { webhookLeading } from './webhookMetrics.ts';

const sweepEvery = 5_000;
const countEvery = 60_000;
const chartEvery = 5_000;
const healthEvery = 1_000;
/** How often to try to lead, and to connect after a loss. */
const leadEvery = 500;
/** How often to say that the clock is wrong. */
const clockWarnedEvery = 60_000;
/** How long a stop waits for the last results to be stored. Attempts under way end by their own limit before. */
const storedWithin = 8_000;

type WebhookPumpOptions = DeliveryParts & {
  readonly databaseUrl: string;
  readonly logger: Logger;
  readonly transport: DeliveryParts['transport'] & { destroy(): void };
};

/**
 * Delivers webhooks until `stop`, or waits for the process that does: one leads at a time. If the database is lost, it waits for it; what was
 * under way then is interrupted and repeated. `stop` lets attempts under way end and stores their results.
 */
export function startWebhookPump(options: WebhookPumpOptions): { stop(): Promise<void> } {
  const { databaseUrl, clock, logger, transport } = options;
  const stopping = new AbortController();
  const write = openWriteConnections(databaseUrl);
  const claimed = new ClaimedDeliveries();
  const writer = new ResultWriter({ query: write.query, claimed, logger });
  const counters = new DeliveryCounters();
  const attempt = attemptWith(options);
  const signing = new Signing(options);
  const pause = () => delay(leadEvery, undefined, { signal: stopping.signal }).catch(() => {});

  const timers = [
    every(healthEvery, () => counters.flushHealth(write.query), logger),
    every(chartEvery, () => counters.flushChart(write.query), logger),
  ];

  let clockWarned = Number.NEGATIVE_INFINITY;
  /** A process that cannot sign, or has a wrong clock, leaves the lead to others. */
  async function mayLead(connection: LeaderConnection): Promise<boolean> {
    if (!(await signing.ready().catch(() => false))) return false;
    // Other clocks, as in tests and drills, do not go by the time of the database.
    const answer = await connection.lead(clock === systemClock ? Date.now() : null);
    if (answer === 'clock_differs' && performance.now() - clockWarned > clockWarnedEvery) {
      clockWarned = performance.now();
      logger.error('webhooks.clockDiffers');
    }
    // Another connection may find the new primary.
    if (answer === 'read_only') throw new Error('The database can only be read.');
    return answer === 'leads';
  }

  /** Leads once: from getting the lock to losing it, or to the stop. */
  async function lead(): Promise<void> {
    const connection = await openLeaderConnection(databaseUrl);
    try {
      while (!stopping.signal.aborted && !(await mayLead(connection))) await pause();
      if (stopping.signal.aborted) return;
      counters.forgetNoted();
      // Who led before may have been killed with this in memory.
      await endFailing(write.query).catch((error: unknown) => logger.warn({ err: error }, 'webhooks.workFailed'));
      const parts = { clock, claimed, writer, counters, logger, ready: () => signing.ready(), attempt };
      const session = new PumpSession({ ...parts, connection, write: write.query });
      webhookLeading.set(1);
      logger.info('webhooks.leading');
      const beats = [every(sweepEvery, () => session.pass(), logger), every(countEvery, () => session.count(), logger)];
      const stopped = new Promise<'stop'>((resolve) => stopping.signal.addEventListener('abort', () => resolve('stop'), { once: true }));
      try {
        await session.start();
        const reason = await Promise.race([session.failed, stopped]);
        if (reason === 'stop') {
          await withinTime(session.stop(), storedWithin + 15_000);
          return;
        }
        throw reason;
      } catch (error) {
        session.abandon();
        // Somebody else may lead by now, and would send beside us.
        transport.destroy();
        throw error;
      } finally {
        webhookLeading.set(0);
        for (const beat of beats) clearInterval(beat);
      }
    } finally {
      await connection.end();
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await lead();
      } catch (error) {
        logger.warn({ err: error }, 'webhooks.leadLost');
        await pause();
      }
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      for (const timer of timers) clearInterval(timer);
      await storeLast(
        [() => writer.flush(), () => counters.flushHealth(write.query), () => counters.flushChart(write.query)],
        storedWithin,
      ).catch((error: unknown) => logger.warn({ err: error }, 'webhooks.resultsNotStored'));
      transport.destroy();
      await write.end();
    },
  };
}

function every(milliseconds: number, work: () => Promise<void>, logger: Logger): NodeJS.Timeout {
  let busy = false;
  return setInterval(() => {
    if (busy) return;
    busy = true;
    work()
      .catch((error: unknown) => logger.warn({ err: error }, 'webhooks.workFailed'))
      .finally(() => (busy = false));
  }, milliseconds).unref();
}
