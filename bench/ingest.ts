import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../server/database/embeddedPostgres.ts';
import { migrateDatabase } from '../server/database/migrate.ts';
import { limits } from '../server/domain/shared/limits.ts';
import { measureIngest, sharesPerOrder } from './ingestLoad.ts';

/**
 * `node dist/bench/ingest.js`: measures ingest at size on an embedded PostgreSQL of its own. INGEST_ORDERS and INGEST_PARALLEL change the
 * sizes.
 */
const orders = Number(process.env['INGEST_ORDERS'] ?? 100_000);
const parallel = Number(process.env['INGEST_PARALLEL'] ?? 4);
const clients = 100;

/** Every so manieth integration has an endpoint that subscribes to everything. */
const loads = [
  { subscribed: 0, whose: 'none' },
  { subscribed: 3, whose: 'every third integration has one' },
  { subscribed: 1, whose: 'every integration has one' },
];

/** A migrated database of its own, so that no load meets the rows of the one before. */
async function newDatabase(url: string, name: string): Promise<string> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  await db.query(`create database ${name}`);
  await db.end();
  const own = new URL(url);
  own.pathname = `/${name}`;
  await migrateDatabase(own.href);
  return own.href;
}

const folder = await mkdtemp(path.join('/tmp', 'operator-integration-bench-'));
await chmod(folder, 0o755);
try {
  const quiet = { info: () => {}, warn: () => {}, error: (message: string) => console.error(message) };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
  try {
    console.log(`${orders} orders in batches of ${limits.upsertBatch}, ${parallel} at a time, ${clients} integrations`);
    const rates: number[] = [];
    for (const { subscribed, whose } of loads) {
      const databaseUrl = await newDatabase(postgres.url, `ingest_${subscribed}`);
      const { created, updated, failures, faults } = await measureIngest({ databaseUrl, orders, clients, parallel, subscribed });
      rates.push(updated);
      console.log(`webhook endpoints: ${whose}`);
      console.log(`  new, not shared:                   ${created.toFixed(0)} upserts/s`);
      console.log(
        `  changed, ${sharesPerOrder} shares each:              ${updated.toFixed(0)} upserts/s, ${(updated * sharesPerOrder).toFixed(0)} feed entries/s, ${(updated / (rates[0] ?? 1)).toFixed(2)} of the first`,
      );
      console.log(`  batches sent again: ${failures.length}; feeds and deliveries: ${faults.length === 0 ? 'consistent' : 'INCONSISTENT'}`);
      for (const problem of [...new Set(failures), ...faults]) console.error(`  ${problem}`);
      if (faults.length > 0 || failures.some((failure) => failure.includes('deadlock'))) process.exitCode = 1;
    }
  } finally {
    await postgres.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
