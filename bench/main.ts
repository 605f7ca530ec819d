import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../server/database/embeddedPostgres.ts';
import { migrateDatabase } from '../server/database/migrate.ts';
import { ensureDevelopmentTls } from '../server/platform/developmentTls.ts';
import { startChild, type Child } from './childProcess.ts';
import { fillCorpus } from './corpus.ts';
import type { LoadTask, ReadAnswer, RunAnswer } from './loadGenerator.ts';
import type { ServerTask } from './servers.ts';

/**
 * One page of 500 records by /v1/sync, against a bare node:https mutual-TLS server that sends the same bytes and against a naive ORM
 * path. Everything runs here, over loopback, in processes of their own; runs alternate, so that a noisy machine is noisy for all.
 */
const records = 5_000;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
const runMs = Number(process.env['BENCH_RUN_MS'] ?? 2_000);
const connections = 8;
const target = 0.15;
const names = ['bareServer', 'serviceServer', 'naiveServer'] as const;
type Name = (typeof names)[number];
type Measured = { child: Child; port: number; rates: number[]; latencies: number[]; cpu: number[] };

const folder = await mkdtemp(path.join('/tmp', 'operator-integration-bench-'));
await chmod(folder, 0o755);
const cleanUps: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  await main();
} finally {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
}

async function main(): Promise<void> {
  const quiet = { info: () => {}, warn: () => {}, error: (message: string) => console.error(message) };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
  cleanUps.push(() => postgres.stop());
  await migrateDatabase(postgres.url);
  const { certPem, keyPem, authorityPems, clientNo } = await fillCorpus(postgres.url, records);
  const tls = await ensureDevelopmentTls(path.join(folder, 'tls'));
  const identity = { certPem, keyPem, caPem: tls.caPem };
  const load = start('loadGenerator');
  const task = {
    kind: 'start',
    databaseUrl: postgres.url,
    cursorKeyHex: randomBytes(32).toString('hex'),
    clientNo,
    tls,
    authorityPems,
    answers: {},
  } as const satisfies ServerTask;

  const service = await measured('serviceServer', task);
  const pages = await walkFeed(load, service.port, identity);
  const bare = await measured('bareServer', { ...task, answers: Object.fromEntries(pages.map((page) => [page.path, page.file])) });
  const naive = await measured('naiveServer', task);
  const servers: Record<Name, Measured> = { bareServer: bare, serviceServer: service, naiveServer: naive };
  await compareBytes(load, servers, pages, identity);

  const run = {
    kind: 'run',
    identity,
    paths: pages.map((page) => page.path),
    bytes: pages.map((page) => page.bytes),
    connections,
  } as const;
  for (const name of names) await load.ask({ ...run, port: servers[name].port, milliseconds: 1_500 } satisfies LoadTask);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) await measure(load, servers[name], { ...run, port: servers[name].port, milliseconds: runMs });
  }
  report(servers, pages);
}

function start(name: string): Child {
  const child = startChild(name);
  cleanUps.push(() => child.stop());
  return child;
}

async function measured(name: Name, task: ServerTask): Promise<Measured> {
  const child = start(name);
  return { child, port: await child.ask<number>(task), rates: [], latencies: [], cpu: [] };
}

type PageFile = { path: string; file: string; bytes: number; digest: string };

/** Follows the feed to its end; the full pages are what is measured. */
async function walkFeed(load: Child, port: number, identity: LoadTask['identity']): Promise<PageFile[]> {
  const pages: PageFile[] = [];
  for (let requestPath = '/v1/sync', more = true; more;) {
    const file = path.join(folder, `page-${pages.length}.json`);
    const answer = await load.ask<ReadAnswer>({ kind: 'read', identity, port, path: requestPath, file } satisfies LoadTask);
    pages.push({ path: requestPath, file, bytes: answer.bytes, digest: answer.digest });
    requestPath = `/v1/sync?updated_since=${answer.nextCursor}`;
    more = answer.hasMore;
  }
  if (pages.length !== records / 500) throw new Error(`${pages.length} pages instead of ${records / 500}`);
  return pages;
}

async function compareBytes(
  load: Child,
  servers: Record<Name, Measured>,
  pages: readonly PageFile[],
  identity: LoadTask['identity'],
): Promise<void> {
  for (const name of names) {
    for (const page of pages) {
      const answer = await load.ask<ReadAnswer>({
        kind: 'read',
        identity,
        port: servers[name].port,
        path: page.path,
        file: null,
      } satisfies LoadTask);
      if (answer.digest !== page.digest) throw new Error(`${name} sends other bytes for ${page.path}`);
    }
  }
}

async function measure(load: Child, server: Measured, task: LoadTask): Promise<void> {
  const before = await server.child.ask<number>({ kind: 'cpu' } satisfies ServerTask);
  const result = await load.ask<RunAnswer>(task);
  const after = await server.child.ask<number>({ kind: 'cpu' } satisfies ServerTask);
  server.rates.push(result.requestsPerSecond);
  server.latencies.push(result.medianMs);
  server.cpu.push((after - before) / result.requests);
}

function report(servers: Record<Name, Measured>, pages: readonly PageFile[]): void {
  const bytes = median(pages.map((page) => page.bytes));
  const labels: Record<Name, string> = { bareServer: 'bare node:https', serviceServer: '/v1/sync', naiveServer: 'naive ORM path' };
  const base = { rate: median(servers.bareServer.rates), cpu: median(servers.bareServer.cpu) };
  console.log(
    `\nOne page of 500 records (${bytes.toLocaleString('en')} bytes) over mutual TLS, ${pages.length} pages in turn, ${connections} connections,`,
  );
  console.log(
    `medians of ${rounds} alternating runs of ${runMs / 1000} s; Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'CPU'}; same bytes from all three.\n`,
  );
  console.log('                     requests/s   of bare   lowest…highest   latency ms   server CPU ms/request   of bare');
  for (const name of names) {
    const { rates, latencies, cpu } = servers[name];
    const ratios = rates.map((rate, index) => rate / (servers.bareServer.rates[index] ?? rate));
    console.log(
      [
        labels[name].padEnd(18),
        median(rates).toFixed(1).padStart(12),
        (median(rates) / base.rate).toFixed(3).padStart(9),
        `${Math.min(...ratios).toFixed(3)}…${Math.max(...ratios).toFixed(3)}`.padStart(16),
        median(latencies).toFixed(1).padStart(12),
        median(cpu).toFixed(2).padStart(23),
        (base.cpu / median(cpu)).toFixed(3).padStart(9),
      ].join(' '),
    );
  }
  const ratio = median(servers.serviceServer.rates) / base.rate;
  const gain = median(servers.serviceServer.rates) / median(servers.naiveServer.rates);
  console.log(
    `\n/v1/sync reaches ${ratio.toFixed(3)} of the bare server (target: at least ${target}) and ${gain.toFixed(1)} times the naive path.\n`,
  );
  if (ratio < target) process.exitCode = 1;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
