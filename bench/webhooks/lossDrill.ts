import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Received } from '../programs/webhookReceiver.ts';
import type { Child } from '../programs/childProcess.ts';
import { DrillWorld } from './drillWorld.ts';
import { type BenchEndpoint, createDeliveries, createEndpoints } from './endpoints.ts';

const workers = 3;
const receivers = 50;
const killedEvery = 4_000;

/** Events to receivers that fail at random, while a worker is killed every few seconds, and PostgreSQL once. Returns what was lost or sent twice at once. */
export async function runLossDrill(quick: boolean): Promise<string[]> {
  const { events, seconds } = quick ? { events: 2_000, seconds: 15 } : { events: 20_000, seconds: 120 };
  const hosts = Array.from({ length: receivers }, (_, index) => `flaky-${index}.hooks.test`);
  const world = await DrillWorld.open({ shares: hosts.map(() => 10), hosts, speed: 120 });
  try {
    const db = await world.connect();
    const endpoints = await createEndpoints(db, world.clients, hosts, 'full_payload');
    const running = await Promise.all(Array.from({ length: workers }, () => world.startWorker()));
    const ends = Date.now() + seconds * 1_000;
    const killing = killWorkers(world, running, ends);
    await db.end();
    const outage = delay((seconds * 1_000) / 2).then(() => world.killPostgres());
    await storeAll(world, endpoints, events, ends);
    const [kills] = await Promise.all([killing, outage]);
    const last = await world.connect();
    await settled(last, world);
    const faults = await judge(world, last, events, kills);
    await last.end();
    for (const worker of running) await worker.stop();
    return faults;
  } finally {
    await world.close();
  }
}

/** Kills one worker after the other, and starts another one for it. Returns how many were killed. */
async function killWorkers(world: DrillWorld, running: Child[], ends: number): Promise<number> {
  let kills = 0;
  for (; Date.now() < ends; kills += 1) {
    await delay(killedEvery);
    const victim = kills % workers;
    await running[victim]?.kill();
    running[victim] = await world.startWorker();
  }
  return kills;
}

/** Stores the events evenly over the time, also while the database comes and goes: a batch that fails is stored again. */
async function storeAll(world: DrillWorld, endpoints: readonly BenchEndpoint[], events: number, ends: number): Promise<void> {
  const batch = 100;
  const pause = (ends - Date.now()) / (events / batch);
  let db: pg.Client | undefined;
  for (let stored = 0; stored < events;) {
    try {
      db ??= await world.connect();
      await createDeliveries(db, endpoints, batch);
      stored += batch;
      await delay(pause);
    } catch {
      // It may have been committed without an answer; the judge counts what there is.
      db = undefined;
      await delay(200);
    }
  }
  await db?.end();
}

/** Waits until nothing is pending any more, or nothing has changed for four minutes. */
async function settled(db: pg.Client, world: DrillWorld): Promise<void> {
  let last = '';
  for (let quiet = 0; quiet < 240; quiet += 1) {
    const { rows } = await db.query<{ pending: number; attempts: number }>(
      `select count(*)::int as pending, coalesce(sum(attempts), 0)::int as attempts from webhook_delivery where state = 'pending'`,
    );
    if (rows[0]?.pending === 0) return;
    const present = JSON.stringify(rows[0]);
    if (present !== last) quiet = 0;
    last = present;
    await delay(1_000);
  }
  console.log(`  at ${world.now().toISOString()} of the workers, something is still pending`);
}

async function judge(world: DrillWorld, db: pg.Client, events: number, kills: number): Promise<string[]> {
  const faults: string[] = [];
  const received = await world.received();
  const committed = await world.committed();
  const { rows } = await db.query<{ state: string; reason: string | null; host: string; event_id: string }>(
    `select d.state, d.reason, split_part(p.url, '/', 3) as host, d.event_id from webhook_delivery d join webhook_endpoint p on p.number = d.endpoint_number`,
  );
  const states = Map.groupBy(rows, ({ state }) => state);
  for (const { state, reason, host, event_id } of rows) {
    if (state === 'delivered' && !committed.has(`${host} ${event_id}`))
      faults.push(`${event_id} is delivered, but its receiver has not committed it`);
    if (state !== 'delivered' && state !== 'dead') faults.push(`${event_id} is ${state} (${reason})`);
  }
  if (rows.length < events) faults.push(`only ${rows.length} of ${events} deliveries were stored`);
  const overlaps = overlapsOf(received);
  if (overlaps > 0) faults.push(`${overlaps} attempts overlapped another one of the same delivery`);
  const repeated = received.filter(({ status }) => status === 204).length - committed.size;
  console.log(
    `  ${rows.length} deliveries, ${received.length} attempts, ${kills} workers and PostgreSQL killed: ${states.get('delivered')?.length ?? 0} delivered, ` +
      `${states.get('dead')?.length ?? 0} dead letters; ${repeated} commits repeated under the same event ID, ${overlaps} overlaps`,
  );
  return faults.slice(0, 20);
}

/** Attempts that arrived before an earlier one of the same delivery had ended, or its sender had gone. */
function overlapsOf(received: readonly Received[]): number {
  let overlaps = 0;
  for (const attempts of Map.groupBy(received, ({ host, eventId }) => `${host} ${eventId}`).values()) {
    const inOrder = attempts.toSorted((one, other) => one.arrivedAt - other.arrivedAt);
    for (const [index, attempt] of inOrder.entries()) {
      const before = inOrder[index - 1];
      if (before && attempt.arrivedAt < before.endedAt) overlaps += 1;
    }
  }
  return overlaps;
}
