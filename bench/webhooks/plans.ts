import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../server/database/embeddedPostgres.ts';
import { migrateDatabase } from '../../server/database/migrate.ts';
import type { Query } from '../../server/domain/shared/query.ts';
import { comeForward } from '../../server/domain/webhook/attempt/comeForward.ts';
import { readDueDeliveries, readNextDue, readWindowsOver } from '../../server/domain/webhook/delivery/dueDeliveries.ts';
import { addToChart, storeHealth } from '../../server/domain/webhook/delivery/endpointHealth.ts';
import { countWaiting, findHeld, releaseHeld, storeResults } from '../../server/domain/webhook/delivery/storeResults.ts';
import { settingsOf } from '../../server/database/connection/connectionUses.ts';
import { CleanUps } from '../CleanUps.ts';
import { fillCorpus } from '../corpus.ts';
import { createEndpoints } from './endpoints.ts';

const clients = 334;
const sharesPerClient = 30;
const endpointCount = 1_000;

/**
 * Writes the plans of every statement of the pump at 10,000,000 deliveries into `.data/plans/webhooks`, and prints their times. Needs about
 * 10 GB. Returns the names of those that read a whole table.
 */
export async function writeWebhookPlans(quick: boolean): Promise<string[]> {
  const folder = await mkdtemp(path.join('/tmp', 'operator-integration-plans-'));
  await chmod(folder, 0o755);
  const cleanUps = new CleanUps();
  cleanUps.add(() => rm(folder, { recursive: true, force: true }));
  try {
    return await explainIn(folder, cleanUps, quick ? 1_000_000 : 10_000_000);
  } finally {
    await cleanUps.run();
  }
}

async function explainIn(folder: string, cleanUps: CleanUps, deliveries: number): Promise<string[]> {
  const quiet = { info: () => {}, warn: () => {}, error: (message: string) => console.error(message) };
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    max_wal_size: '4GB',
    autovacuum: 'off',
    shared_buffers: '1GB',
    maintenance_work_mem: '512MB',
  };
  const starting = startEmbeddedPostgres({ dataDir: folder, log: quiet, settings });
  cleanUps.add(async () => (await starting).stop());
  const { url } = await starting;
  await migrateDatabase(url);
  const { identities } = await fillCorpus(
    url,
    Array.from({ length: clients }, () => sharesPerClient),
  );
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  const hosts = Array.from({ length: endpointCount }, (_, index) => `plan-${index}.hooks.test`);
  await createEndpoints(
    db,
    identities.map(({ clientNumber }) => clientNumber),
    hosts,
    'full_payload',
  );
  const began = performance.now();
  await fill(db, deliveries);
  console.log(`${deliveries.toLocaleString('en')} deliveries made in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  const faults = await explainAll(db);
  await db.end();
  return faults;
}

/** Of a hundred: 92 delivered, 3 dead, 2 discarded, 2 pending (half of them due) and 1 held. Each event has ten deliveries. */
async function fill(db: pg.Client, deliveries: number): Promise<void> {
  const indexes = await db.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
      where tablename in ('webhook_delivery', 'webhook_event', 'webhook_attempt') and indexname not like '%pkey' and indexname not like '%_id_key'`,
  );
  for (const { name } of indexes.rows) await db.query(`drop index ${name}`);
  await db.query(
    `insert into webhook_event (id, client_number, type, occurred_at, expires_at, connection_id, resource_id, resource_type)
     select 'evt_' || lpad(to_hex(n), 26, '0'), s.client_number, 'resource.updated', now() - n * interval '100 milliseconds', now() + interval '20 hours',
            s.connection_id, s.id, s.type
       from generate_series(1, $1::int / 10) n
       join (select *, row_number() over (order by client_number, id) - 1 as place from shared_resource) s on s.place = n % $2::int`,
    [deliveries, clients * sharesPerClient],
  );
  await db.query(
    `insert into webhook_delivery (id, endpoint_number, event_id, type, state, attempts, next_attempt_at, window_ends_at, created_at, connection_id, resource_id, reason, finished_at)
     select 'dlv_' || lpad(to_hex(n), 26, '0'), p.number, e.id, e.type, x.state, 1, now() + (50 - n / 100 % 100) * interval '1 minute',
            now() + interval '20 hours', now() - n * interval '10 milliseconds', e.connection_id, e.resource_id,
            case x.state when 'held' then 'endpoint_not_active' when 'dead' then 'terminal_status' when 'discarded' then 'access_revoked' end,
            case when x.state not in ('pending', 'held') then now() end
       from generate_series(1, $1::int) n
      cross join lateral (select case when n % 100 < 92 then 'delivered' when n % 100 < 95 then 'dead' when n % 100 < 97 then 'discarded' when n % 100 < 99 then 'pending' else 'held' end as state) x
       join webhook_event e on e.id = 'evt_' || lpad(to_hex(1 + n % ($1::int / 10)), 26, '0')
       join lateral (select number from webhook_endpoint where client_number = e.client_number order by number offset n % 3 limit 1) p on true`,
    [deliveries],
  );
  await db.query(
    `insert into webhook_attempt (delivery_number, number, endpoint_number, started_at, total_us, status, key_id)
     select number, 1, endpoint_number, created_at, 1000, 204, 'k' from webhook_delivery where state <> 'held'`,
  );
  for (const { definition } of indexes.rows) await db.query(definition);
  await db.query('vacuum analyze');
}

async function explainAll(db: pg.Client): Promise<string[]> {
  const faults: string[] = [];
  await mkdir(path.join('.data', 'plans', 'webhooks'), { recursive: true });
  for (const [name, value] of Object.entries(settingsOf('webhook-results'))) await db.query(`set ${name} = '${value}'`);
  await db.query('set statement_timeout = 0');
  const { rows: endpoints } = await db.query<{ number: number }>(
    'select distinct endpoint_number as number from webhook_delivery where state = $1 limit 256',
    ['pending'],
  );
  const numbers = endpoints.map(({ number }) => number);
  const { rows: pending } = await db.query<{ number: string; endpoint_number: number }>(
    `select number, endpoint_number from webhook_delivery where state = 'pending' order by number limit 500`,
  );
  const now = Date.now();
  const asked = (count: number) =>
    numbers.slice(0, count).map((endpointNumber) => ({ endpointNumber, room: 8, claimed: [1, 2, 3], floor: 0 }));
  const calls: Record<string, (query: Query) => Promise<unknown>> = {
    'read 20 endpoints × 8': (query) => readDueDeliveries(query, asked(20), now),
    'read 256 endpoints × 8': (query) => readDueDeliveries(query, asked(256), now),
    sweep: (query) => readNextDue(query),
    'windows over, none': (query) => readWindowsOver(query, { now, claimed: [], slice: 1_000 }),
    'windows over, a slice of 1,000': (query) => readWindowsOver(query, { now: now + 21 * 3_600_000, claimed: [], slice: 1_000 }),
    held: (query) => findHeld(query),
    'release a slice of 1,000': (query) =>
      releaseHeld(query, { endpointNumber: numbers[0] ?? 0, reason: 'endpoint_not_active', now, slice: 1_000 }),
    'bring a slice of 100 forward': (query) => comeForward(query, { endpointNumber: numbers[0] ?? 0, now }),
    'counts up to 100,000': (query) => countWaiting(query, 100_000),
    'store 500 results': (query) =>
      storeResults(
        query,
        pending.map(({ number, endpoint_number }) => ({
          number: Number(number),
          endpointNumber: endpoint_number,
          action: 'completeDelivery',
          attempts: 2,
          reason: null,
          nextAttemptAt: null,
          waitAsked: false,
          finishedAt: now,
          attempt: {
            url: 'https://a.hooks.test/webhooks',
            payloadMode: 'notification',
            revision: null,
            bodySha256: 'A'.repeat(44),
            startedAt: now,
            dnsUs: null,
            connectUs: null,
            tlsUs: null,
            firstByteUs: 500,
            totalUs: 900,
            address: '127.0.0.1',
            status: 204,
            error: null,
            response: null,
            keyId: 'k',
          },
        })),
      ),
    'health of 100 endpoints': (query) =>
      storeHealth(
        query,
        numbers.slice(0, 100).map((endpointNumber) => ({
          endpointNumber,
          url: 'https://plan.hooks.test/',
          failuresInRow: 1,
          failingSince: now,
          lastSuccessAt: null,
          notedAt: now,
        })),
      ),
    'chart of 100 endpoints': (query) =>
      addToChart(
        query,
        numbers.slice(0, 100).map((endpointNumber) => ({ endpointNumber, hour: 0, outcome: 'delivered', count: 1, durations: [1] })),
      ),
  };
  for (const [name, call] of Object.entries(calls)) {
    let plan = '';
    const explaining: Query = async <Row>(text: string, parameters: readonly unknown[]) => {
      await db.query('begin');
      // The first time is not recorded, because a plan that reads everything from disk says more about the disk.
      for (let time = 0; time < 2; time += 1) {
        const { rows } = await db.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`, [...parameters]);
        plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        await db.query('rollback; begin');
      }
      await db.query('rollback');
      return [] as Row[];
    };
    await call(explaining);
    const [, milliseconds = ''] = /Execution Time: ([\d.]+) ms/.exec(plan) ?? [];
    const [buffers = ''] = /Buffers: [^\n]*/.exec(plan) ?? [];
    console.log(`  ${name.padEnd(34)} ${milliseconds.padStart(9)} ms  ${buffers}`);
    if (/Seq Scan on (?!service_gate)/.test(plan)) faults.push(`${name} reads a whole table`);
    await writeFile(path.join('.data', 'plans', 'webhooks', `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.txt`), `${plan}\n`);
  }
  return faults;
}
