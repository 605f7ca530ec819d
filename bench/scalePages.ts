import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { BufferPool } from '../rest-api/answer/bufferPool.ts';
import { PageBody } from '../rest-api/answer/pageBody.ts';
import { type DatabaseClients, openDatabaseClients } from '../rest-api/database/databaseClients.ts';
import { changesSince } from '../server/domain/feed/changesSince.ts';
import type { CleanUps } from './CleanUps.ts';
import { createDatabase } from './createDatabase.ts';
import { alternate, type Contender, type Effort, isMet, median, ratioOf, type Result, table } from './measure.ts';
import { writePlans } from './plans.ts';
import { fillScale, layouts, sharesPerClient, type Size, sizeOf } from './scaleData.ts';
import { roleUrl } from '../server/database/roles/loginRoles.ts';

const full = { sizes: [1_000_000, 10_000_000], effort: { rounds: 7, milliseconds: 3_000 } satisfies Effort };
const quick = { sizes: [100_000, 1_000_000], effort: { rounds: 3, milliseconds: 1_000 } satisfies Effort };
const target = 0.8;
const readers = 4;
const recordsPerPage = 500;

/** Measures pages at ten times as many shared resources. With `--plans`, writes plans at both sizes instead, into `.data/plans`. */
export async function scalePages(serverUrl: string, options: ReadonlySet<string>, cleanUps: CleanUps): Promise<void> {
  const { sizes, effort } = options.has('--quick') ? quick : full;
  const plansFolder = options.has('--plans') ? path.join('.data', 'plans') : null;
  const stages: { size: Size; clients: DatabaseClients; url: string }[] = [];
  for (const shares of sizes) {
    const startedAt = performance.now();
    const url = await createDatabase(serverUrl, `scale_${shares}`);
    await fillScale(url, sizeOf(shares));
    const clients = openDatabaseClients(roleUrl(url, 'machine_api'), { 'machine-api-read': readers, 'machine-api-pages': readers });
    cleanUps.add(() => clients.close());
    stages.push({ size: sizeOf(shares), clients, url });
    console.log(`${shares.toLocaleString('en')} shared resources made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  }
  const [small, large] = stages;
  if (!small || !large) throw new Error('Two sizes are compared.');
  for (const { url } of [large, small]) await readIntoMemory(url);
  if (plansFolder !== null) {
    await writePlans(plansFolder, [small, large]);
    console.log(`The plans are in ${plansFolder}.`);
    return;
  }
  const at = `at ${large.size.shares.toLocaleString('en')} shares / at ${small.size.shares.toLocaleString('en')}`;
  const results: Result[] = [];
  for (const [layout, name, wanted] of [
    [layouts.connectionsScattered, `pages ${at}`, { atLeast: target }],
    [layouts.resourcesScattered, `the same, every resource apart`, null],
  ] as const) {
    const rates = await alternate(
      { small: pages(small.clients, small.size, layout), large: pages(large.clients, large.size, layout) },
      effort,
    );
    results.push({
      section: 'scale',
      name,
      ratio: ratioOf(rates.large, rates.small),
      target: wanted,
      figures: `${median(rates.large).toFixed(0)}/s and ${median(rates.small).toFixed(0)}/s, ${readers} readers`,
    });
  }
  console.log(
    `\nMedians of ${effort.rounds} alternating runs of ${effort.milliseconds / 1000} s; Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'CPU'}\n`,
  );
  console.log(table(results));
  if (!results.every(isMet)) process.exitCode = 1;
}

/** Warms a database up, as if it had been in use for hours. The indexes and rows of a partitioned table are those of its partitions. */
export async function readIntoMemory(databaseUrl: string): Promise<void> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  await db.query('create extension if not exists pg_prewarm');
  for (const relation of [
    'tracked_resource',
    'shared_resource',
    'shared_resource_feed',
    'tracked_resource_pkey',
    'revocation',
    'revocation_pkey',
  ]) {
    await db.query(
      `select pg_prewarm(c.oid) from pg_class c where c.relkind in ('r', 'i')
          and c.oid in (select $1::regclass union select relid from pg_partition_tree($1::regclass))`,
      [relation],
    );
  }
  await db.end();
}

/** Builds first and second pages for random clients of one layout, as /v1/sync does apart from TLS and admission. */
export function pages({ readRows }: DatabaseClients, { clients }: Size, layout: number): Contender {
  const pool = new BufferPool();
  return async (milliseconds) => {
    const startedAt = performance.now();
    let done = 0;
    await Promise.all(
      Array.from({ length: readers }, async () => {
        while (performance.now() - startedAt < milliseconds) {
          const clientNumber = 2 * Math.floor((Math.random() * clients) / 2) + (layout === layouts.resourcesScattered ? 2 : 1);
          const position = (done++ % (sharesPerClient / recordsPerPage)) * recordsPerPage;
          const body = new PageBody(pool);
          const page = await changesSince(readRows, { clientNumber, position, limit: recordsPerPage }, body);
          if (page.position !== position + recordsPerPage) throw new Error(`A page ends at ${page.position}.`);
          pool.giveBack(body.finish('cursor', page.hasMore).pooled);
        }
      }),
    );
    return (done / (performance.now() - startedAt)) * 1000;
  };
}
