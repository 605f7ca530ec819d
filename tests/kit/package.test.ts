import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exitCodes } from '../../kit/src/cli/main.ts';
import { version } from '../../kit/src/client/version.ts';
import { pairInFiles } from '../support/kit/kitClient.ts';
import { unsaid } from '../support/words/unsaid.ts';
import { openWorld } from '../support/world/openWorld.ts';

const manifest = JSON.parse(readFileSync('kit/package.json', 'utf8')) as { version: string; dependencies?: object };
const tarball = resolve(`dist/packages/svc-operator-kit-${manifest.version}.tgz`);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-kit-'));
});
afterAll(() => rm(folder, { recursive: true }));

function run(command: string, args: readonly string[], cwd = folder): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  return stdout;
}

/** Programs of the oldest supported version that this machine has beside its own. */
const oldest = ['/usr/bin/node', '/usr/local/bin/node'].filter((node) =>
  (spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '').startsWith('v20.'),
);

test('the package is small, needs nothing else, and says its own version', () => {
  expect(readFileSync(tarball).length).toBeLessThanOrEqual(60_000);
  expect(run('tar', ['-xzOf', tarball, 'package/LICENSE'])).toBe(readFileSync('kit/LICENSE', 'utf8'));
  expect(manifest.dependencies).toBeUndefined();
  expect(version).toBe(manifest.version);
  expect(unsaid('kit/CHANGELOG.md', `## ${manifest.version}, `)).toEqual([]);
  expect(readFileSync('kit/README.md', 'utf8')).toContain(`svc-operator-kit-${manifest.version}.tgz`);
});

/** Lines of the sources in a folder, without blank ones and comments. */
function linesOf(root: string, isCounted: (file: string) => boolean): number {
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts') && isCounted(file));
  const texts = sources.map((file) => readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[^]*?\*\/|^ *\/\/.*$/gm, ''));
  return texts.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '').length;
}

test('its sources are as short as was promised: library and command line have 1,500 lines each, the reference back end 400 and 40 for PostgreSQL', () => {
  const isCli = (file: string) => file.startsWith('cli/');
  const isGenerated = (file: string) => file.startsWith('contract/');
  expect(linesOf('kit/src', (file) => !isCli(file) && !isGenerated(file))).toBeLessThanOrEqual(1_500);
  expect(linesOf('kit/src', isCli)).toBeLessThanOrEqual(1_500);
  expect(linesOf('kit/reference', (file) => file !== 'postgres.ts')).toBeLessThanOrEqual(400);
  expect(linesOf('kit/reference', (file) => file === 'postgres.ts')).toBeLessThanOrEqual(40);
});

test('packing it again gives the same bytes, also of a version that was released', async () => {
  await mkdir(join(folder, 'again'));
  run('npm', ['pack', resolve('dist/svc-operator-kit'), '--pack-destination', join(folder, 'again'), '--silent']);
  expect(readFileSync(join(folder, 'again', `svc-operator-kit-${manifest.version}.tgz`)).equals(readFileSync(tarball))).toBe(true);
});

test('it is installed without a network and runs on the oldest Node and ours, with a clear sentence on older ones and in a browser', async () => {
  const operator = join(folder, 'operator');
  await mkdir(operator);
  writeFileSync(join(operator, 'package.json'), '{"type":"module"}');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], operator);
  writeFileSync(
    join(operator, 'first.js'),
    `import { OperatorClient, pemFiles } from 'svc-operator-kit';
     import { memoryFeed } from 'svc-operator-kit/memory';
     import { postgresFeed } from 'svc-operator-kit/postgres';
     import { sqliteFeed } from 'svc-operator-kit/sqlite';
     import { WebhookReceiver } from 'svc-operator-kit/webhook';
     const client = new OperatorClient({
       baseUrl: 'https://127.0.0.1:1/v1', credentials: pemFiles({ cert: 'none', key: 'none' }), expect: { environment: 'sandbox' },
     });
     const { code } = await client.sync(memoryFeed()).catch((error) => error);
     console.log(code, typeof postgresFeed, typeof sqliteFeed, typeof WebhookReceiver);`,
  );
  for (const node of [process.execPath, ...oldest]) {
    expect(run(node, ['first.js'], operator)).toBe('credentials_unusable function function function\n');
    expect(run(node, ['node_modules/.bin/svc', '--version'], operator)).toBe(`${version}\n`);
  }
  const older = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '18.20.8' })`;
  for (const program of ['first.js', 'node_modules/.bin/svc']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', older, program, '--version'], {
      cwd: operator,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('svc-operator-kit needs Node 20.10 or later; this is Node 18.20.8.');
  }
  const browser = spawnSync(process.execPath, ['--conditions=browser', 'first.js'], { cwd: operator, encoding: 'utf8' });
  expect(browser.stderr).toContain('runs in Node only');
});

test('what is installed syncs with the service, on the oldest Node and ours', async () => {
  const world = await openWorld({ machine: true });
  try {
    const { client, certificate } = await world.backEnd();
    await world.fixtures.share(client, await world.fixtures.connection(client), 620);
    const operator = join(folder, 'operator');
    const settings = { ...(await pairInFiles(world, certificate)), baseUrl: `${world.machineApiUrl}/v1`, ca: world.machineApiCa };
    writeFileSync(
      join(operator, 'sync.js'),
      `import { OperatorClient, pemFiles } from 'svc-operator-kit';
       import { Memory, memoryFeed } from 'svc-operator-kit/memory';
       const { baseUrl, ca, ...pair } = ${JSON.stringify(settings)};
       const client = new OperatorClient({ baseUrl, ca, credentials: pemFiles(pair), expect: { environment: 'sandbox' } });
       const memory = new Memory();
       const { upserts, pages } = await client.sync(memoryFeed({}, memory));
       client.close();
       console.log(upserts, pages, memory.resources.size);`,
    );
    for (const node of [process.execPath, ...oldest]) {
      const { stdout, stderr } = await promisify(execFile)(node, ['sync.js'], { cwd: operator });
      expect([stdout, stderr]).toEqual(['620 2 620\n', '']);
    }
  } finally {
    await world.close();
  }
});

test('it carries the vectors whole, and a back end whose types fit it', () => {
  const operator = join(folder, 'operator');
  const svc = (...args: string[]) => run(process.execPath, ['node_modules/.bin/svc', ...args], operator);
  expect(svc('vectors', 'vectors')).toContain('deliveries.json, requests.json, syncs.json');
  for (const file of readdirSync('kit/vectors')) {
    expect(readFileSync(join(operator, 'vectors', file), 'utf8')).toBe(readFileSync(`kit/vectors/${file}`, 'utf8'));
  }
  // Where one of them is there already, none is written.
  expect(spawnSync(process.execPath, ['node_modules/.bin/svc', 'vectors', 'vectors'], { cwd: operator }).status).toBe(exitCodes.usage);
  svc('new', '.');
  mkdirSync(join(operator, 'node_modules/@types'));
  for (const name of ['pg', '@types/pg']) symlinkSync(resolve('node_modules', name), join(operator, 'node_modules', name));
  expect(compiled(operator, 'main.ts', 'postgres.ts', '--skipLibCheck', 'true')).toBe('');
});

/** What the compiler says of programs in an operator’s folder. */
function compiled(operator: string, ...files: string[]): string {
  const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023', '--strict', '--noEmit', '--types', 'node'];
  const stripped = ['--erasableSyntaxOnly', '--allowImportingTsExtensions', '--typeRoots', resolve('node_modules/@types')];
  return run(process.execPath, [resolve('node_modules/typescript-native/bin/tsc'), ...options, ...stripped, ...files], operator);
}

test('its types fit an operator’s strict program', async () => {
  const operator = join(folder, 'types');
  await mkdir(operator);
  writeFileSync(join(operator, 'package.json'), '{"type":"module"}');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], operator);
  writeFileSync(
    join(operator, 'program.ts'),
    `import { OperatorClient, pemFiles, type Order } from 'svc-operator-kit';
     import { sqliteFeed } from 'svc-operator-kit/sqlite';
     import { remoteKeys, WebhookReceiver } from 'svc-operator-kit/webhook';
     import { createServer } from 'node:http';
     import { DatabaseSync } from 'node:sqlite';
     const client = new OperatorClient({
       baseUrl: 'https://machine.example/v1', credentials: pemFiles({ cert: 'a', key: 'b' }), expect: { environment: 'sandbox' },
     });
     const database: DatabaseSync = new DatabaseSync(':memory:');
     const feed = sqliteFeed(database, { upserted: (tx: DatabaseSync, snapshot) => void tx.prepare(snapshot.id) });
     for (const deletion of feed.dueDeletions()) feed.markDeleted(deletion);
     const order: Order = (await client.order('ord_1')).value;
     // A status of a later version is no error.
     const status: string = order.status;
     const later: Order['status'] = 'lost_at_sea';
     const maybe: Order | null = (await client.order('ord_1', { etag: 'x' })).value;
     const receiver = new WebhookReceiver({
       url: 'https://operator.example/hooks', freshnessSeconds: 300, once: feed.commitEvent, keys: remoteKeys('https://portal.example'),
       expect: { environment: 'sandbox', source: 'https://machine.example' },
     });
     createServer(receiver.handler(() => client.sync(feed)));
     console.log(status, later, maybe, order);`,
  );
  // What the guide has operators write.
  const [, snippet = ''] = /^## With the kit\n[^]*?```ts\n([^]*?)```/m.exec(readFileSync('docs/guides/webhooks.md', 'utf8')) ?? [];
  writeFileSync(join(operator, 'guide.ts'), snippet);
  expect(compiled(operator, '--skipLibCheck', 'false', 'program.ts', 'guide.ts')).toBe('');
});
