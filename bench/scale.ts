import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../server/database/embeddedPostgres.ts';
import { CleanUps } from './CleanUps.ts';
import { scaleIngest } from './scaleIngest.ts';
import { scalePages } from './scalePages.ts';
import { scaleRequestLog } from './scaleRequestLog.ts';
import { scaleShards } from './shards/scaleShards.ts';

/**
 * Measures at size, on an embedded PostgreSQL of its own below the system's temporary folder (TMPDIR):
 * `npm run bench:scale -- [pages | requestLog | ingest | shards] [--quick] [--plans]`. Needs 25 GB of disk space, or a tenth of that with --quick.
 *
 * - `pages` (or nothing): pages at 10 million shared resources beside pages at 1 million.
 * - `requestLog`: 20 million lines of seven days: pages, batches that are written and days that go, beside a table without partitions.
 * - `shards`: polls, pages and changes of orders with 10 million shares whose clients have 64 partitions, beside one table.
 * - `ingest`: changes of resources with 10 million shares: rate, HOT updates and growth, with the tables' settings and without.
 */
const subjects = { pages: scalePages, requestLog: scaleRequestLog, ingest: scaleIngest, shards: scaleShards } as const;
/** Vacuum is what is measured with ingest. Elsewhere it would only disturb. */
const settingsOf = (name: string): Record<string, string> => (name === 'ingest' ? { autovacuum_naptime: '5s' } : { autovacuum: 'off' });

const given = process.argv.slice(2);
const name = given.find((option) => !option.startsWith('--')) ?? 'pages';
const measure = Object.entries(subjects).find(([each]) => each === name)?.[1];
if (!measure) {
  console.error(`There is no subject ${name}; there are ${Object.keys(subjects).join(', ')}.`);
  process.exit(2);
}
const folder = await mkdtemp(path.join(tmpdir(), 'operator-integration-scale-'));
await chmod(folder, 0o755);
const cleanUps = new CleanUps();
cleanUps.add(() => rm(folder, { recursive: true, force: true }));
try {
  const quiet = { info: () => {}, warn: () => {}, error: (message: string) => console.error(message) };
  // For pages the most that PostgreSQL's manual recommends for a dedicated server, so that what they read of the larger database is in memory.
  const sharedBuffers = `${Math.floor((totalmem() * (name === 'pages' ? 0.4 : 0.2)) / 1024 ** 2)}MB`;
  const settings = { fsync: 'off', full_page_writes: 'off', max_wal_size: '8GB', shared_buffers: sharedBuffers, ...settingsOf(name) };
  const starting = startEmbeddedPostgres({ dataDir: folder, log: quiet, settings });
  cleanUps.add(async () => (await starting).stop());
  await measure((await starting).url, new Set(given), cleanUps);
} finally {
  await cleanUps.run();
}
