import path from 'node:path';
import type { Child } from './programs/childProcess.ts';
import type { LoadTask, ReadAnswer, RunAnswer, Target } from './programs/loadGenerator.ts';
import { alternate, type Contender, type Effort, median, ratioOf, type Result } from './measure.ts';
import { answerKey } from './programs/servers.ts';
import { integrations, type World } from './world.ts';

const connections = 8;
const pageTarget = 0.2;
const answerTarget = 0.75;
const settings = [
  { clients: 1, processes: 1 },
  { clients: integrations, processes: 1 },
  { clients: 1, processes: 2 },
  { clients: integrations, processes: 2 },
] as const;

type Page = { readonly target: Target; readonly etag: string; readonly file: string; readonly digest: string };

/**
 * Compares uncached pages of 500 records from /v1/sync with a bare node:https mutual-TLS server that sends the same bytes; and, for the
 * record, with the naive path.
 */
export async function measurePages(world: World, effort: Effort): Promise<Result[]> {
  const load = await startLoad(world);
  const services = [await world.startServer('serviceServer'), await world.startServer('serviceServer')];
  const pages = await readPages(world, load, services[0] ?? 0);
  const answers = Object.fromEntries(pages.map(({ target, file }) => [answerKey(String(target.identity), target.path), file]));
  const bares = [await world.startServer('bareServer', answers), await world.startServer('bareServer', answers)];
  const naives = [await world.startServer('naiveServer')];
  for (const port of [...bares, ...services]) await compareBytes(load, port, pages);
  for (const port of naives) await compareBytes(load, port, pages.slice(0, 10));

  const results: Result[] = [];
  for (const { clients, processes } of settings) {
    const targets = pages.filter((page) => page.target.identity < clients).map((page) => page.target);
    const withNaive = clients === 1 && processes === 1;
    const { bare, service, naive } = await alternate(
      {
        bare: contender(load, bares.slice(0, processes), targets),
        service: contender(load, services.slice(0, processes), targets),
        naive: withNaive ? contender(load, naives, targets) : () => Promise.resolve(0),
      },
      effort,
    );
    const bytes = median(targets.map((target) => target.bytes ?? 0)).toLocaleString('en');
    results.push({
      section: 'pages',
      name: `page of 500 / bare TLS, ${settingText(clients, processes)}`,
      ratio: ratioOf(service, bare),
      target: { atLeast: pageTarget },
      figures: `${perSecond(service)} of ${bytes} bytes, bare ${perSecond(bare)}`,
    });
    if (withNaive) {
      results.push({
        section: 'pages',
        name: `page of 500 / the naive ORM path, ${settingText(clients, processes)}`,
        ratio: ratioOf(service, naive),
        target: null,
        figures: `naive ${perSecond(naive)}`,
      });
    }
  }
  results.push(...(await measureCodings(load, services[0] ?? 0, pages, effort)));
  return results;
}

/** Compares compressed pages with the same pages as they are, for one integration and one process: what compressing takes, and what it saves. */
async function measureCodings(load: Child, port: number, pages: readonly Page[], effort: Effort): Promise<Result[]> {
  const plain = pages.filter(({ target }) => target.identity === 0);
  const inCoding = (acceptEncoding: 'gzip' | 'zstd') => plain.map(({ target }) => ({ ...target, bytes: null, acceptEncoding }));
  const rates = await alternate(
    {
      plain: contender(
        load,
        [port],
        plain.map(({ target }) => target),
      ),
      gzip: contender(load, [port], inCoding('gzip')),
      zstd: contender(load, [port], inCoding('zstd')),
    },
    effort,
  );
  const results: Result[] = [];
  for (const coding of ['gzip', 'zstd'] as const) {
    const sizes: number[] = [];
    for (const [index, target] of inCoding(coding).entries()) {
      const answer = await load.ask<ReadAnswer>({ kind: 'read', port, target, file: null } satisfies LoadTask);
      if (answer.digest !== plain[index]?.digest) throw new Error(`In ${coding}, ${target.path} is another page.`);
      sizes.push(answer.sentBytes);
    }
    results.push({
      section: 'pages',
      name: `page of 500 in ${coding} / as it is, ${settingText(1, 1)}`,
      ratio: ratioOf(rates[coding], rates.plain),
      target: null,
      figures: `${perSecond(rates[coding])} of ${median(sizes).toLocaleString('en')} bytes, as it is ${perSecond(rates.plain)}`,
    });
  }
  return results;
}

/** Compares answers that cost little beyond admission with the same server answering directly after admission. */
export async function measureAnswers(world: World, effort: Effort): Promise<Result[]> {
  const load = await startLoad(world);
  const services = [await world.startServer('serviceServer'), await world.startServer('serviceServer')];
  const admissions = [await world.startServer('admissionServer'), await world.startServer('admissionServer')];
  const pages = await readPages(world, load, services[0] ?? 0);

  const results: Result[] = [];
  for (const { clients, processes } of settings) {
    const asked = pages.filter((page) => page.target.identity < clients);
    const unchanged = asked.map(({ target, etag }) => ({ ...target, status: 304, bytes: 0, ifNoneMatch: etag }));
    const capabilities = asked.map(({ target }) => ({ ...target, path: '/v1/capabilities', bytes: null }));
    const alone = asked.map(({ target }) => ({ ...target, status: 204, bytes: 0 }));
    const ports = services.slice(0, processes);
    const rates = await alternate(
      {
        alone: contender(load, admissions.slice(0, processes), alone),
        unchanged: contender(load, ports, unchanged),
        capabilities: contender(load, ports, capabilities),
      },
      effort,
    );
    for (const [name, measured] of [
      ['304', rates.unchanged],
      ['capabilities', rates.capabilities],
    ] as const) {
      results.push({
        section: 'answers',
        name: `${name} / admission alone, ${settingText(clients, processes)}`,
        ratio: ratioOf(measured, rates.alone),
        target: { atLeast: answerTarget },
        figures: `${perSecond(measured)}, admission alone ${perSecond(rates.alone)}`,
      });
    }
  }
  return results;
}

async function startLoad(world: World): Promise<Child> {
  const load = world.start('loadGenerator');
  await load.ask({ kind: 'identities', caPem: world.caPem, identities: world.identities } satisfies LoadTask);
  return load;
}

function contender(load: Child, ports: readonly number[], targets: readonly Target[]): Contender {
  return async (milliseconds) => {
    const answer = await load.ask<RunAnswer>({ kind: 'run', ports, targets, connections, milliseconds } satisfies LoadTask);
    return answer.requestsPerSecond;
  };
}

/** Reads the first client's whole feed and the first page of each other client. Only full pages are measured. */
async function readPages(world: World, load: Child, port: number): Promise<Page[]> {
  const pages: Page[] = [];
  for (const identity of world.identities.keys()) {
    for (let requestPath = '/v1/sync', more = true; more;) {
      const target = { identity, path: requestPath, status: 200, bytes: null };
      const file = path.join(world.folder, `page-${pages.length}.json`);
      const answer = await load.ask<ReadAnswer>({ kind: 'read', port, target, file } satisfies LoadTask);
      if (answer.bytes < 700_000) throw new Error(`A page of ${answer.bytes} bytes is not what is to be measured.`);
      pages.push({ target: { ...target, bytes: answer.bytes }, etag: answer.etag, file, digest: answer.digest });
      requestPath = `/v1/sync?updated_since=${answer.nextCursor}`;
      more = answer.hasMore;
    }
  }
  return pages;
}

async function compareBytes(load: Child, port: number, pages: readonly Page[]): Promise<void> {
  for (const { target, digest } of pages) {
    const answer = await load.ask<ReadAnswer>({ kind: 'read', port, target, file: null } satisfies LoadTask);
    if (answer.digest !== digest) throw new Error(`Port ${port} sends other bytes for ${target.path}`);
  }
}

function settingText(clients: number, processes: number): string {
  return `${clients} ${clients === 1 ? 'integration' : 'integrations'}, ${processes} ${processes === 1 ? 'process' : 'processes'}`;
}

function perSecond(rates: readonly number[]): string {
  return `${median(rates).toFixed(0)}/s`;
}
