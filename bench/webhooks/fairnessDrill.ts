import { setTimeout as delay } from 'node:timers/promises';
import { DrillWorld } from './drillWorld.ts';
import { createDeliveries, createEndpoints } from './endpoints.ts';

const each = 50;
const eventsPerSecond = 200;
/** From an event to its first attempt at a receiver that answers, 99 of 100. */
const target = 5_000;

/** As many receivers that never answer as receivers that do, and one worker: how long the good ones wait. */
export async function runFairnessDrill(quick: boolean): Promise<string[]> {
  const seconds = quick ? 10 : 90;
  const hosts = [
    ...Array.from({ length: each }, (_, index) => `silent-${index}.hooks.test`),
    ...Array.from({ length: each }, (_, index) => `ok-${index}.hooks.test`),
  ];
  const world = await DrillWorld.open({ shares: hosts.map(() => 10), hosts });
  try {
    const db = await world.connect();
    const endpoints = await createEndpoints(db, world.clients, hosts, 'notification');
    const worker = await world.startWorker();
    const began = performance.now();
    const ticks = seconds * 20;
    for (let tick = 0; tick < ticks; tick += 1) {
      const first = (tick * (eventsPerSecond / 20)) % endpoints.length;
      await createDeliveries(db, [...endpoints.slice(first), ...endpoints.slice(0, first)], eventsPerSecond / 20);
      await delay(Math.max(0, began + tick * 50 - performance.now()));
    }
    await delay(5_000);
    const { rows } = await db.query<{ event_id: string; host: string; at: number }>(
      `select d.event_id, split_part(p.url, '/', 3) as host, date_part('epoch', d.created_at) * 1000 as at
         from webhook_delivery d join webhook_endpoint p on p.number = d.endpoint_number where p.url like 'https://ok-%'`,
    );
    const received = await world.received();
    const first = new Map<string, number>();
    for (const { host, eventId, arrivedAt } of received) {
      const key = `${host} ${eventId}`;
      first.set(key, Math.min(first.get(key) ?? Number.POSITIVE_INFINITY, arrivedAt));
    }
    const waits = rows.map(({ event_id, host, at }) => (first.get(`${host} ${event_id}`) ?? Number.POSITIVE_INFINITY) - at);
    const sorted = waits.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    const missing = waits.filter((wait) => wait === Number.POSITIVE_INFINITY).length;
    console.log(
      `  ${rows.length} events to ${each} receivers that answer, beside ${each} that never do, in ${seconds} s: first attempt after ` +
        `p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, at most ${at(1).toFixed(0)} ms; ${missing} without one`,
    );
    await db.end();
    await worker.kill();
    return at(0.99) <= target && missing === 0 ? [] : [`p99 is ${at(0.99)} ms, ${missing} events had no attempt`];
  } finally {
    await world.close();
  }
}
