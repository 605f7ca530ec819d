import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
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

const folder = await mkdtemp(path.join('/tmp', 'operator-integration-bench-'));
await chmod(folder, 0o755);
try {
  const quiet = { info: () => {}, warn: () => {}, error: (message: string) => console.error(message) };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
  try {
    await migrateDatabase(postgres.url);
    const { created, updated, failures, faults } = await measureIngest({ databaseUrl: postgres.url, orders, clients, parallel });
    console.log(`${orders} orders in batches of ${limits.upsertBatch}, ${parallel} at a time, ${clients} integrations`);
    console.log(`  new, not shared:                   ${created.toFixed(0)} upserts/s`);
    console.log(
      `  changed, ${sharesPerOrder} shares and events each:   ${updated.toFixed(0)} upserts/s, ${(updated * sharesPerOrder).toFixed(0)} feed entries/s`,
    );
    console.log(`  batches sent again: ${failures.length}; feeds: ${faults.length === 0 ? 'consistent' : 'INCONSISTENT'}`);
    for (const problem of [...new Set(failures), ...faults]) console.error(`  ${problem}`);
    process.exitCode = faults.length > 0 || failures.some((failure) => failure.includes('deadlock')) ? 1 : 0;
  } finally {
    await postgres.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
