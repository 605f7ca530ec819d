import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Effort, Result } from '../measure.ts';
import { allEnded, createDeliveries, type BenchEndpoint } from './endpoints.ts';

const eventsPerSecond = 200;

/** The time from an event’s commit to the start of its first attempt at 200 events a second, each in a transaction of its own; p99 in seconds. */
export async function measureFirstAttempts(db: pg.Client, { milliseconds }: Effort): Promise<Result> {
  const { rows: endpoints } = await db.query<BenchEndpoint>(
    `select number, id, client_number as "clientNumber", '' as host from webhook_endpoint where payload_mode = 'full_payload' order by number desc limit 100`,
  );
  const { rows } = await db.query<{ last: string }>('select coalesce(max(number), 0)::text as last from webhook_delivery');
  const count = Math.max(1_000, (milliseconds * 4 * eventsPerSecond) / 1_000);
  const began = performance.now();
  for (let sent = 0; sent < count; sent += 1) {
    const endpoint = endpoints[sent % endpoints.length];
    if (endpoint) await createDeliveries(db, [endpoint], 1);
    await delay(Math.max(0, began + (sent * 1_000) / eventsPerSecond - performance.now()));
  }
  const took = performance.now() - began;
  await allEnded(db);
  const { rows: spread } = await db.query<{ p50: number; p99: number; most: number }>(
    `select percentile_cont(0.5) within group (order by s) as p50, percentile_cont(0.99) within group (order by s) as p99, max(s) as most
       from (select date_part('epoch', a.started_at - d.created_at) as s from webhook_delivery d join webhook_attempt a on a.delivery_number = d.number and a.number = 1
              where d.number > $1::bigint) x`,
    [rows[0]?.last],
  );
  const { p50 = 9, p99 = 9, most = 9 } = spread[0] ?? {};
  return {
    section: 'webhooks',
    name: `seconds from an event to its first attempt, 99 of 100, at ${eventsPerSecond} events/s`,
    ratio: { median: p99, lowest: p50, highest: most },
    target: { atMost: 1 },
    figures: `${((count / took) * 1_000).toFixed(0)} events/s to ${endpoints.length} endpoints; lowest is the median, highest the latest of ${count}`,
  };
}
