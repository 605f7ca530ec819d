import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../server/platform/logger.ts';
import { attemptWith, type DeliveryParts } from '../../../workers/webhooks/makeAttempt.ts';
import { openLeaderConnection, openWriteConnections } from '../../../workers/webhooks/connections.ts';
import { ClaimedDeliveries } from '../../../workers/webhooks/ClaimedDeliveries.ts';
import { PumpSession } from '../../../workers/webhooks/PumpSession.ts';
import { ResultWriter } from '../../../workers/webhooks/ResultWriter.ts';
import { Signing } from '../../../workers/webhooks/Signing.ts';
import { DeliveryCounters } from '../../../workers/webhooks/DeliveryCounters.ts';

type DeliverDue = DeliveryParts & { readonly databaseUrl: string; readonly logger: Logger };

/** Delivers everything that is due now, once, and ends: with the same parts as `startWebhookPump`, when no other process leads. */
export async function deliverDue(options: DeliverDue): Promise<void> {
  const { databaseUrl, clock, logger } = options;
  const write = openWriteConnections(databaseUrl);
  const connection = await openLeaderConnection(databaseUrl);
  const claimed = new ClaimedDeliveries();
  const counters = new DeliveryCounters();
  const writer = new ResultWriter({ query: write.query, claimed, logger });
  try {
    while ((await connection.lead(null)) !== 'leads') await delay(50);
    const signing = new Signing(options);
    const parts = { clock, claimed, writer, counters, logger, ready: () => signing.ready(), attempt: attemptWith(options) };
    const session = new PumpSession({ ...parts, connection, write: write.query });
    const work = session.workOff().then(() => undefined);
    const failure = await Promise.race([work, session.failed]);
    if (failure !== undefined) throw failure;
    await counters.flushHealth(write.query);
    await counters.flushChart(write.query);
    await session.stop();
  } finally {
    await connection.end();
    await write.end();
  }
}
