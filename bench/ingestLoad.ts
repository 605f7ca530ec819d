import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { createOrm } from '../server/database/orm.ts';
import { limits } from '../server/domain/shared/limits.ts';
import { allScopes, scopeBits } from '../server/domain/shared/scopes.ts';
import { sql } from '../server/domain/shared/sql.ts';
import { seededRandom } from '../server/domain/sandbox/generator/seededRandom.ts';
import type { OrderData } from '../server/domain/tracking/allowlist.ts';
import type { UpsertInput } from '../server/domain/tracking/judgeUpserts.ts';
import { webhookEventTypes } from '../server/domain/outbox/eventTypes.ts';
import { soleKey } from '../server/domain/shared/keySet.ts';
import { upsertTrackedResources } from '../server/domain/tracking/upsertTrackedResources.ts';
import { createBenchClient } from './corpus.ts';

export const sharesPerOrder = 3;
const ordersPerConnection = 2;
/** The shares of an order are this many clients apart. */
const stride = 11;

export type IngestTask = {
  readonly databaseUrl: string;
  readonly orders: number;
  /** More than twice the stride. */
  readonly clients: number;
  readonly batch?: number;
  /** How many batches run at the same time. */
  readonly parallel: number;
  /** Every so manieth client has a webhook endpoint that subscribes to everything; 0: none has. */
  readonly subscribed?: number;
};

/** Upserts a second while the orders are new, and while each changes for three shares; then what is wrong with the feeds afterwards. */
export type IngestResult = {
  readonly created: number;
  readonly updated: number;
  readonly failures: readonly string[];
  readonly faults: readonly string[];
};

export const benchActor = {
  type: 'service_token',
  tokenId: 'svt_bench',
  environment: 'sandbox',
  ip: '127.0.0.1',
  requestId: 'req_bench',
} as const;

/** Hands in this many orders, shares each with three clients, and hands in a change to every one, in random batches. */
export async function measureIngest({
  databaseUrl,
  orders,
  clients,
  batch = limits.upsertBatch,
  parallel,
  subscribed = 0,
}: IngestTask): Promise<IngestResult> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  const orm = await createOrm(databaseUrl, { poolMax: parallel });
  try {
    for (let index = 0; index < clients; index += 1) await createBenchClient(db, index);
    if (subscribed > 0) await db.query(subscribeSql, [subscribed, webhookEventTypes]);
    const lookupKeys = soleKey(randomBytes(32));
    const failures: string[] = [];
    const handIn = async (resources: readonly UpsertInput[]): Promise<number> => {
      const batches = Array.from({ length: Math.ceil(resources.length / batch) }, (_, index) =>
        resources.slice(index * batch, (index + 1) * batch),
      );
      const began = performance.now();
      const sender = async (): Promise<void> => {
        for (let next = batches.pop(); next; next = batches.pop()) {
          const sent = upsertTrackedResources(orm.em.fork(), { actor: benchActor, lookupKeys, resources: next, now: new Date() });
          const lost = next;
          await sent.catch((error: unknown) => {
            failures.push(String(error));
            // A batch may be sent again, as by the tooling.
            if (failures.length < 10) batches.push(lost);
          });
        }
      };
      await Promise.all(Array.from({ length: parallel }, sender));
      return resources.length / ((performance.now() - began) / 1_000);
    };

    // Opens all connections at once, before anything keeps this process busy.
    await Promise.all(Array.from({ length: parallel }, () => sql(orm.em.fork(), 'select pg_sleep(0.05)')));
    const random = seededRandom('ingest');
    const keys = random.shuffled(Array.from({ length: orders }, (_, index) => index));
    const created = await handIn(keys.map((key) => order(key, '1', 'in_production')));
    await shareAll(db);
    await db.query('vacuum analyze');
    const updated = await handIn(random.shuffled(keys).map((key) => order(key, '2', 'in_transit')));
    return { created, updated, failures, faults: await findFaults(db) };
  } finally {
    await orm.close(true);
    await db.end();
  }
}

/** About 1,000 bytes. The change affects both sections. */
export function order(key: number, version: string, status: 'in_production' | 'in_transit'): UpsertInput {
  const departed = status === 'in_transit';
  const data: OrderData = {
    status,
    model: 'Meridian',
    model_year: 2026,
    trim: 'All-Wheel Drive',
    market: 'DE',
    exterior: 'Glacier White',
    interior: 'Black and Oak',
    option_codes: Array.from({ length: 24 }, (_, index) => `OPT${(key * 31 + index * 7) % 1000}`),
    ordered_on: '2026-05-01',
    production: { scheduled_week: '2026-W30', started_on: '2026-07-20', ...(departed && { completed_on: '2026-07-24' }) },
    delivery_estimate: { from: '2026-12-01', to: departed ? '2026-12-12' : '2026-12-20' },
    shipping: {
      vessel: 'Northern Lantern',
      voyage: `${key % 300}W`,
      origin_port: 'CNSHA',
      destination_port: 'DEBRV',
      events: [
        { kind: 'loaded', port: 'CNSHA', at: '2026-09-01T08:00:00.000Z', estimated: !departed },
        { kind: 'departed', port: 'CNSHA', at: '2026-09-02T08:00:00.000Z', estimated: !departed },
      ],
    },
  };
  return { type: 'order', key: `order-${key}`, user: `user-${key % 50_000}`, version, historyComplete: true, data };
}

const subscribeSql = `
insert into webhook_endpoint (id, integration_id, client_number, url, payload_mode, event_types, description, status, slot, created_at, created_by,
  proven_at, first_proven_at, status_changed_at)
select 'whk_' || left(md5(k.id), 26), i.id, k.number, 'https://bench.hooks.test/events', 'notification', $2::text[], '', 'active', 1, now(), i.operator_id, now(), now(), now()
  from client k join integration i on i.id = k.integration_id where k.number % $1 = 0`;

/** Shares each pair of orders in three connections of different clients, at consecutive positions. */
async function shareAll(db: pg.Client): Promise<void> {
  const now = new Date();
  const shares = `
    select t.id as tracked_resource_id, k.number as client_number, 'con_' || left(md5(concat(t.n / ${ordersPerConnection}, '/', s)), 26) as connection_id,
           'ord_' || left(md5(concat(t.n, '-', s)), 26) as id, t.n
      from (select id, row_number() over (order by id) - 1 as n from tracked_resource) t cross join generate_series(0, ${sharesPerOrder - 1}) s
      join (select number, row_number() over (order by number) - 1 as n, count(*) over () as count from client) k
        on k.n = (t.n / ${ordersPerConnection} + s * ${stride}) % k.count`;
  await db.query(
    `insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at)
     select distinct on (connection_id) client_number, connection_id, decode(md5(connection_id), 'hex'), 1, $1::text[], false, $2::timestamptz from (${shares}) u`,
    [allScopes, now],
  );
  await db.query(
    `insert into shared_resource (client_number, id, connection_id, tracked_resource_id, type, consented, position, updated_at)
     select client_number, id, connection_id, tracked_resource_id, 'order', $1, row_number() over (partition by client_number order by n), $2 from (${shares}) u`,
    [scopeBits(...allScopes), now],
  );
  await db.query('update client_feed f set head = (select count(*) from shared_resource s where s.client_number = f.client_number)');
}

/** Counts positions beyond the head (the index refuses duplicates), shares that missed their change, and changes without an event. */
async function findFaults(db: pg.Client): Promise<string[]> {
  const { rows } = await db.query<{ fault: string }>(
    `select concat('the feed of client ', f.client_number, ' ends at ', max(s.position), ', its head is ', f.head) as fault
       from client_feed f join shared_resource s using (client_number) group by f.client_number, f.head having max(s.position) <> f.head
     union all
     select concat(count(*), ' shares are not at revision 2') from shared_resource where revision <> 2 having count(*) > 0
     union all
     select concat(count(*), ' clients have shares at old positions')
       from (select client_number from shared_resource group by client_number having min(position) <= count(*)) c having count(*) > 0
     union all
     select concat(events, ' events and ', deliveries, ' deliveries for ', shares, ' shares with an endpoint')
       from (select (select count(*) from webhook_event where type = 'resource.updated') as events,
                    (select count(*) from webhook_delivery) as deliveries,
                    (select count(*) from shared_resource join webhook_endpoint using (client_number)) as shares) c
      where (events, deliveries) <> (shares, shares)
     union all
     select concat(count(*), ' orders are not at version 2') from tracked_resource where source_version <> 2 having count(*) > 0`,
  );
  return rows.map((row) => row.fault);
}
