import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { alternate, type Contender, type Effort, median, ratioOf, type Result } from '../measure.ts';
import type { LoadTask, ReadAnswer } from '../programs/loadGenerator.ts';
import type { World } from '../world.ts';

const run = promisify(execFile);

export const copiedFeed: readonly number[] = [50_000];

/**
 * Compares `svc sync` into a new SQLite file, as an operator starts it, with one curl that fetches the same pages, whose cursors it has been
 * told, over one connection into a file.
 */
export async function measureKit(world: World, effort: Effort): Promise<Result[]> {
  const port = await world.startServer('serviceServer');
  const baseUrl = `https://127.0.0.1:${port}/v1`;
  const [identity] = world.identities;
  if (!identity) throw new Error('There is no client.');
  const inFolder = (name: string) => path.join(world.folder, name);
  await Promise.all([
    writeFile(inFolder('client.pem'), identity.certPem),
    writeFile(inFolder('client.key'), identity.keyPem, { mode: 0o600 }),
    writeFile(inFolder('ca.pem'), world.caPem),
    writeFile(inFolder('svc.json'), JSON.stringify({ baseUrl, portalUrl: baseUrl, environment: 'sandbox', ca: 'ca.pem' })),
  ]);
  const pages = await pagesOf(world, port);
  const urls = pages.map((page) => `url = "https://127.0.0.1:${port}${page}"\n`).join('');
  await writeFile(inFolder('curl.conf'), `${urls}cert = "client.pem"\nkey = "client.key"\ncacert = "ca.pem"\nfail\nsilent\n`);

  const [resources = 0] = copiedFeed;
  let copies = 0;
  const timed =
    (command: () => readonly [program: string, ...args: string[]]): Contender =>
    async () => {
      const [program, ...args] = command();
      const startedAt = performance.now();
      await run(program, args, { cwd: world.folder, maxBuffer: 256 * 1024 * 1024 });
      return (resources / (performance.now() - startedAt)) * 1000;
    };
  const svc = path.resolve('dist/svc-operator-kit/lib/cli/svc.js');
  const rates = await alternate(
    {
      curl: timed(() => ['sh', '-c', 'curl --config curl.conf > pages.json']),
      svc: timed(() => [process.execPath, svc, 'sync', '--into', `copy-${(copies += 1)}.sqlite`]),
    },
    effort,
  );
  return [
    {
      section: 'kit',
      name: `time of svc sync of ${resources.toLocaleString('en')} resources into SQLite / of curl for its ${pages.length} pages`,
      ratio: ratioOf(rates.curl, rates.svc),
      target: { atMost: 1.5 },
      figures: `${(resources / median(rates.svc)).toFixed(1)} s, curl ${(resources / median(rates.curl)).toFixed(1)} s`,
    },
  ];
}

/** The requests that follow the feed to its end. */
async function pagesOf(world: World, port: number): Promise<string[]> {
  const load = world.start('loadGenerator');
  await load.ask({ kind: 'identities', caPem: world.caPem, identities: world.identities } satisfies LoadTask);
  const pages: string[] = [];
  for (let page = '/v1/sync', more = true; more;) {
    const target = { identity: 0, path: page, status: 200, bytes: null };
    const answer = await load.ask<ReadAnswer>({ kind: 'read', port, target, file: null } satisfies LoadTask);
    pages.push(page);
    page = `/v1/sync?updated_since=${answer.nextCursor}`;
    more = answer.hasMore;
  }
  return pages;
}
