import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { createOrm, type Orm } from '../server/database/orm.ts';
import { limits } from '../server/domain/shared/limits.ts';
import { soleKey } from '../server/domain/shared/keySet.ts';
import { project } from '../server/domain/tracking/project.ts';
import type { OrderData } from '../server/domain/tracking/allowlist.ts';
import { upsertTrackedResources } from '../server/domain/tracking/upsertTrackedResources.ts';
import type { CleanUps } from './CleanUps.ts';
import { createDatabase } from './createDatabase.ts';
import { benchActor, order } from './ingestLoad.ts';
import { clientsPerResource, fillScale, sizeOf } from './scaleData.ts';

const parallel = 4;
const parts = 5;
const tables = ['shared_resource', 'tracked_resource', 'client_feed'] as const;
type Table = (typeof tables)[number];

/** Back to PostgreSQL's own thresholds for vacuum. */
const vacuumedLate = tables
  .map((table) => `alter table ${table} reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)`)
  .join(';');

/** Changes of random orders at 10 million shares: rate, share of HOT updates and growth, first without the tables' settings, then with them. */
export async function scaleIngest(serverUrl: string, options: ReadonlySet<string>, cleanUps: CleanUps): Promise<void> {
  const shares = options.has('--quick') ? 1_000_000 : 10_000_000;
  const seconds = options.has('--quick') ? 30 : 150;
  for (const [name, settings] of [
    ['late', vacuumedLate],
    ['own', ''],
  ] as const) {
    const url = await createDatabase(serverUrl, `ingest_${name}`);
    const db = new pg.Client({ connectionString: url });
    await db.connect();
    cleanUps.add(() => db.end());
    if (settings) await db.query(settings);
    const startedAt = performance.now();
    const key = randomBytes(32);
    await fillScale(url, sizeOf(shares), ordersSql(key));
    console.log(
      `\n${name} thresholds of vacuum: ${shares.toLocaleString('en')} shares made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
    );
    const before = await figuresOf(db);
    const rates = await changeOrders(url, key, Math.floor(shares / clientsPerResource), seconds);
    console.log(
      `upserts/s in ${rates.length} parts of the ${seconds} s: ${rates.map((rate) => rate.toFixed(0)).join(', ')}, three shares each`,
    );
    report(before, await figuresOf(db));
  }
}

/** SQL: orders under the keys that the order-tracking service's own would get, all with the same snapshot. */
export function ordersSql(key: Buffer): (count: number) => string {
  const { data } = order(0, '1', 'in_production');
  const { core, shipping } = project('order', data as OrderData);
  const pad = (byte: number) =>
    `'\\x${Buffer.from(Buffer.concat([key, Buffer.alloc(32)]).map((each) => each ^ byte)).toString('hex')}'::bytea`;
  // HMAC-SHA-256 (RFC 2104).
  const lookup = (text: string) => `sha256(${pad(0x5c)} || sha256(${pad(0x36)} || convert_to(${text}, 'utf8')))`;
  return (count) => `
    insert into tracked_resource (environment, type, source_key, source_version, user_ref, core, shipping, history_complete)
    select 'sandbox', 'order', ${lookup(`'["source","sandbox","order","order-' || n || '"]'`)}, 1, ${lookup(`'["user","sandbox","user-' || n % 50000 || '"]'`)},
           ${pg.escapeLiteral(core)}, ${pg.escapeLiteral(shipping ?? '')}, true from generate_series(0, ${count - 1}) n`;
}

/** Hands in a batch of changes of random orders, and another with each call. Returns how many there were. */
export function orderChanges(orm: Orm, key: Buffer, orders: number): () => Promise<number> {
  const versions = new Uint16Array(orders).fill(1);
  return async () => {
    const keys = new Set<number>();
    while (keys.size < limits.upsertBatch) keys.add(Math.floor(Math.random() * orders));
    const resources = [...keys].map((each) => {
      const version = (versions[each] ?? 0) + 1;
      versions[each] = version;
      return order(each, String(version), version % 2 === 0 ? 'in_transit' : 'in_production');
    });
    const batch = { actor: benchActor, lookupKeys: soleKey(key), resources, now: new Date() };
    return (await upsertTrackedResources(orm.em.fork(), batch)).updated;
  };
}

/** Hands in changes of orders at random, each batch with others. Returns the changes a second, in parts of the time. */
async function changeOrders(url: string, key: Buffer, orders: number, seconds: number): Promise<number[]> {
  const orm = await createOrm(url, { poolMax: parallel });
  const done = Array.from({ length: parts }, () => 0);
  const change = orderChanges(orm, key, orders);
  const startedAt = performance.now();
  const part = () => Math.floor(((performance.now() - startedAt) / 1000 / seconds) * parts);
  const sender = async (): Promise<void> => {
    while (part() < parts) {
      const updated = await change();
      const index = Math.min(part(), parts - 1);
      done[index] = (done[index] ?? 0) + updated;
    }
  };
  await Promise.all(Array.from({ length: parallel }, sender));
  await orm.close(true);
  return done.map((count) => count / (seconds / parts));
}

type Figures = Readonly<Record<Table, { updates: number; hot: number; dead: number; vacuums: number; heap: number; indexes: number }>>;

async function figuresOf(db: pg.Client): Promise<Figures> {
  await db.query('select pg_stat_force_next_flush(), pg_sleep(1.5)');
  const { rows } = await db.query(
    `select relname, n_tup_upd::float8 as updates, n_tup_hot_upd::float8 as hot, n_dead_tup::float8 as dead, autovacuum_count::float8 as vacuums,
            pg_table_size(relid)::float8 as heap, pg_indexes_size(relid)::float8 as indexes from pg_stat_user_tables where relname = any ($1)`,
    [tables],
  );
  return Object.fromEntries(rows.map(({ relname, ...figures }) => [relname, figures])) as Figures;
}

function report(before: Figures, after: Figures): void {
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  for (const table of tables) {
    const [a, b] = [before[table], after[table]];
    const updates = b.updates - a.updates;
    console.log(
      `${table}: ${updates.toLocaleString('en')} updates, ${((100 * (b.hot - a.hot)) / updates).toFixed(1)} % HOT, ${b.dead.toLocaleString('en')} dead, vacuumed ${b.vacuums - a.vacuums} times; ` +
        `heap ${mb(a.heap)} + ${mb(b.heap - a.heap)}, indexes ${mb(a.indexes)} + ${mb(b.indexes - a.indexes)}`,
    );
  }
}
