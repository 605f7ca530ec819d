import { X509Certificate } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { acmePair, type AcmePlan } from '../../../server/platform/acme/AcmePlan.ts';
import { lastFailure } from '../../../server/platform/acme/lastFailure.ts';
import { startAcme, type Acme } from '../../../server/platform/acme/startAcme.ts';
import { createLogger } from '../../../server/platform/logger.ts';
import { keepServerPair } from '../../../server/platform/tls/keepServerPair.ts';
import { findFreePort } from '../../../server/database/freePort.ts';
import { MachineClient } from '../../support/clients/machineClient.ts';
import { startPebble, withPebble, type Pebble } from '../../support/clients/pebble.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { TestClock } from '../../support/world/TestClock.ts';

const day = 24 * 60 * 60 * 1_000;

let world: MachineWorld;
let pebble: Pebble;
let httpPort: number;
let plan: AcmePlan;
let lines: Record<string, unknown>[];
let clock: TestClock;
let parts: (() => unknown)[];
let stopping: AbortController;
const trusted = getCACertificates('default');

beforeAll(async () => {
  if (withPebble !== test) return;
  world = await openWorld({ machine: true });
  httpPort = await findFreePort();
  const here = ['127.0.0.1'];
  // Nothing listens on the second address.
  const zone = {
    'portal.example': here,
    'api.example': here,
    localhost: here,
    'elsewhere.example': ['127.0.0.2'],
    'refused.example': here,
  };
  pebble = await startPebble({ folder: join(world.folder, 'pebble'), httpPort, zone });
  setDefaultCACertificates([...trusted, pebble.caPem]);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await pebble?.close();
  await world?.close();
});

beforeEach(async () => {
  if (withPebble !== test) return;
  await pebble.start();
  lines = [];
  parts = [];
  clock = new TestClock();
  stopping = new AbortController();
  const dir = join(world.folder, 'acme');
  await rm(dir, { recursive: true, force: true });
  plan = {
    dir,
    server: pebble.directory,
    email: 'ops@example.com',
    names: names(),
    host: '127.0.0.1',
    port: httpPort,
    socket: undefined,
    portalUrl,
  };
});
afterEach(stopAll);

const portalUrl = 'https://portal.example';
function names(...added: readonly string[]): AcmePlan['names'] {
  const ofMachineApi = ['api.example', ...added].map((name) => [name, 'MACHINE_API_URL'] as const);
  return new Map([['portal.example', 'PORTAL_URL'], ...ofMachineApi]);
}

async function stopAll(): Promise<void> {
  stopping?.abort();
  for (const stop of (parts ?? []).splice(0).toReversed()) await stop();
}

/** Starts it as a new process would. */
async function start(change: Partial<AcmePlan> = {}, wait?: (ms: number) => Promise<void>): Promise<Acme> {
  await stopAll();
  stopping = new AbortController();
  plan = { ...plan, ...change };
  return startAcme(plan, { clock, ...around(), stopping: stopping.signal, ...(wait && { wait }) });
}

function around() {
  const write = (line: string) => void lines.push(JSON.parse(line));
  return { logger: createLogger('test', 'info', { write }), onStop: (_name: string, stop: () => unknown) => void parts.push(stop) };
}

const stored = async () => new X509Certificate(await readFile(acmePair(plan).certFile));
const events = () => lines.map(({ msg }) => msg);

withPebble('a first start gets one certificate for both names, which only the account of the service can read', async () => {
  await start();
  const { subjectAltName, issuer, validToDate } = await stored();
  expect(subjectAltName?.split(', ').toSorted()).toEqual(['DNS:api.example', 'DNS:portal.example']);
  expect(issuer).toContain('Pebble Intermediate CA');
  expect(validToDate.getTime() - Date.now()).toBeGreaterThan(89 * day);
  const files = await readdir(plan.dir);
  expect(files.toSorted()).toEqual(['account.key', new URL(plan.server).host.replace(':', '_') + '.pem']);
  const modes = await Promise.all(['.', ...files].map(async (file) => ((await stat(join(plan.dir, file))).mode & 0o777).toString(8)));
  expect(modes).toEqual(['700', '600', '600']);
  expect(events()).toEqual(['acme.issued']);
});

withPebble('a restart uses the one that is stored, and the same account', async () => {
  await start();
  const [{ serialNumber }, account] = [await stored(), await readFile(join(plan.dir, 'account.key'), 'utf8')];
  await pebble.stop();
  await start();
  expect((await stored()).serialNumber).toBe(serialNumber);
  expect(await readFile(join(plan.dir, 'account.key'), 'utf8')).toBe(account);
  expect(events()).toEqual(['acme.issued']);
});

withPebble('at two thirds of its time it is renewed with a new key, and the machine API shows it without failing one call', async () => {
  const acme = await start({ names: new Map([['localhost', 'MACHINE_API_URL']]) });
  const before = await stored();
  const tls = await keepServerPair({ files: acmePair(plan), ...around(), everyMs: 5 });
  const api = await world.secondApi({ tls });
  const ca = await pebble.rootPem();
  const clients = { keeping: new MachineClient({ url: api.url, ca }), fresh: () => new MachineClient({ url: api.url, ca }, 1) };
  parts.push(() => clients.keeping.close());
  const answers: unknown[] = [];
  let asking = true;
  const ask = async () => {
    while (asking) {
      const fresh = clients.fresh();
      for (const client of [clients.keeping, fresh])
        answers.push(
          await client.call('/v1/sync').then(
            ({ status }) => status,
            (error: Error) => error.message,
          ),
        );
      fresh.close();
    }
  };
  const asked = ask();
  clock.advance(59 * day);
  await acme.look();
  expect((await stored()).serialNumber).toBe(before.serialNumber);
  clock.advance(2 * day);
  const shown = new Promise<void>((resolve) => tls.onChange(resolve));
  await acme.look();
  const after = await stored();
  expect(after.serialNumber).not.toBe(before.serialNumber);
  expect(after.publicKey.equals(before.publicKey)).toBe(false);
  await shown;
  const soFar = answers.length;
  while (answers.length < soFar + 20) await new Promise(setImmediate);
  asking = false;
  await asked;
  // Without a client’s certificate, which is a question as good as any.
  expect([...new Set(answers)]).toEqual([401]);
  expect(new X509Certificate(tls.certPem).serialNumber).toBe(after.serialNumber);
});

withPebble(
  'while the authority is away the former certificate stays, each attempt later than the one before, and the doctor has why',
  async () => {
    const acme = await start();
    const { serialNumber } = await stored();
    await pebble.stop();
    clock.stop().advance(61 * day);
    const attempts: number[] = [];
    for (let looks = 0; looks < 100; looks += 1) {
      await acme.look();
      const failures = lines.filter(({ msg }) => msg === 'acme.failed').length;
      if (failures > attempts.length) attempts.push(looks);
      clock.advance(60_000);
    }
    expect(attempts).toEqual([0, 1, 6, 21, 81]);
    expect((await stored()).serialNumber).toBe(serialNumber);
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      detail: `ACME_SERVER: ${new URL(plan.server).host} cannot be reached (ECONNREFUSED)`,
      remedy: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(await lastFailure(plan)).toMatchObject({ failures: 5, words: lines.at(-1)?.['detail'] });
    await pebble.start();
    clock.advance(180 * 60_000);
    await acme.look();
    expect((await stored()).serialNumber).not.toBe(serialNumber);
    expect(await lastFailure(plan)).toBeUndefined();
  },
);

withPebble.each([
  [
    'nowhere.example',
    /^MACHINE_API_URL: the authority cannot reach port 80 of nowhere\.example \(.+\)\. Open port 80 .+ the DNS leads to this/,
  ],
  ['elsewhere.example', /^MACHINE_API_URL: the authority cannot reach port 80 of elsewhere\.example \(.+\)\. Open port 80/],
  ['refused.example', /^PORTAL_URL, MACHINE_API_URL: the authority issues nothing .+refused\.example.+\)\. Correct them/],
])('a start without a certificate, for %s, ends with the variable and what to do', async (name, words) => {
  await expect(start({ names: names(name) })).rejects.toThrow(words);
  expect(lines.at(-1)).toMatchObject({ msg: 'acme.failed', failures: 1, remedy: expect.any(String) });
});

/** Does something while another program has port 80. */
async function whileTaken(work: () => Promise<void>): Promise<void> {
  const other = createServer((_request, response) => response.end('Hello'));
  await new Promise<void>((resolve) => other.listen(httpPort, '127.0.0.1', resolve));
  try {
    await work();
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
}

withPebble('so does one where something else answers on port 80', async () => {
  const words = /something else answers the authority on port 80 of .+\.example .+\. Have the DNS lead to this machine alone/;
  await whileTaken(() => expect(start({ port: 0 })).rejects.toThrow(words));
});

withPebble('the next start waits as long as an authority is left alone, and other names do not', async () => {
  await expect(start({ names: names('nowhere.example') })).rejects.toThrow();
  const failed = await lastFailure(plan);
  const waited: number[] = [];
  const wait = async (ms: number) => {
    waited.push(ms);
    clock.advance(ms);
  };
  await expect(start({}, wait)).rejects.toThrow(/^MACHINE_API_URL: the authority cannot reach/);
  expect(waited[0]).toBeGreaterThan(50_000);
  expect(lines.find(({ msg }) => msg === 'acme.waits')).toMatchObject({ detail: failed?.words, remedy: failed?.remedy });
  expect((await lastFailure(plan))?.failures).toBe(2);
  await start({ names: names() }, wait);
  expect(waited).toHaveLength(1);
});

withPebble('a certificate for former names is replaced at the start, and shown until then', async () => {
  await start();
  const { serialNumber } = await stored();
  await start({ names: names('nowhere.example') });
  expect((await stored()).serialNumber).toBe(serialNumber);
  await start({ names: names('localhost') });
  expect((await stored()).subjectAltName).toContain('localhost');
});

withPebble(
  'with a certificate, a port 80 that is taken keeps no start from going on; it is told once and looked at each minute',
  async () => {
    await start();
    await stopAll();
    const words = `Port ${httpPort} is in use`;
    let acme: Acme | undefined;
    await whileTaken(async () => {
      acme = await start();
      await acme.look();
      await acme.look();
      expect(lines.slice(1)).toEqual([
        expect.objectContaining({ msg: 'acme.failed', detail: words, remedy: expect.stringContaining('ACME_HTTP_PORT'), failures: 1 }),
      ]);
      expect(await lastFailure(plan)).toMatchObject({ failures: 1, words });
    });
    await acme?.look();
    expect((await fetch(`http://127.0.0.1:${httpPort}/docs`, { redirect: 'manual' })).status).toBe(308);
    expect(await lastFailure(plan)).toBeUndefined();
    expect(events()).toEqual(['acme.issued', 'acme.failed']);
  },
);

withPebble('without one it ends the start, with what to do, and the next does not wait', async () => {
  await whileTaken(() => expect(start()).rejects.toThrow(`Port ${httpPort} is in use. Stop the program that uses it`));
  await start();
  expect(events()).toEqual(['acme.failed', 'acme.issued']);
});

withPebble('a folder that cannot be used costs no order: it ends a start without a certificate, and no other', async () => {
  await start();
  const { serialNumber } = await stored();
  const account = join(plan.dir, 'account.key');
  // root may write into any folder, but reads no key from one.
  await rm(account);
  await mkdir(account);
  const acme = await start();
  clock.advance(61 * day);
  await acme.look();
  const words = 'ACME_DIR: the folder cannot be used (EISDIR)';
  expect(lines.slice(1)).toEqual([expect.objectContaining({ msg: 'acme.failed', detail: words, failures: 1 })]);
  await rm(acmePair(plan).certFile);
  await expect(start()).rejects.toThrow(`${words}. Make it`);
  await rm(account, { recursive: true });
  await start();
  expect((await stored()).serialNumber).not.toBe(serialNumber);
});

/** Has something in the place of the certificate, so that it can be issued and not be written. Returns what takes it away. */
async function obstruct(): Promise<() => Promise<void>> {
  const { certFile } = acmePair(plan);
  await rm(certFile, { force: true });
  await mkdir(join(certFile, 'something'), { recursive: true });
  return () => rm(certFile, { recursive: true });
}

withPebble('a certificate that could not be written is not ordered again: only the writing is repeated', async () => {
  const acme = await start();
  const free = await obstruct();
  await acme.look();
  await pebble.stop();
  clock.advance(60_000);
  await acme.look();
  expect(lines.slice(1)).toEqual([
    expect.objectContaining({ msg: 'acme.failed', detail: expect.stringMatching(/^ACME_DIR: the folder cannot be used \(E\w+\)$/) }),
  ]);
  expect((await readdir(plan.dir)).filter((file) => file.endsWith('.new'))).toEqual([]);
  await free();
  await acme.look();
  expect((await stored()).subjectAltName).toContain('portal.example');
  expect(events()).toEqual(['acme.issued', 'acme.failed', 'acme.issued']);
  expect(await lastFailure(plan)).toBeUndefined();
});

withPebble('nor does a first start, which would forget it, end because of that', async () => {
  const free = await obstruct();
  const waited: number[] = [];
  await start({}, async (ms) => {
    waited.push(ms);
    await pebble.stop();
    if (waited.length === 2) await free();
  });
  expect(waited).toEqual([60_000, 60_000]);
  expect((await stored()).subjectAltName).toContain('portal.example');
  expect(events()).toEqual(['acme.failed', 'acme.issued']);
});

withPebble('a stop while a start waits is no failed start', async () => {
  await expect(start({ names: names('nowhere.example') })).rejects.toThrow();
  const stop = async () => stopping.abort();
  const ended: unknown = await start({}, stop).catch((error: unknown) => error);
  expect(events()).toEqual(['acme.failed', 'acme.waits']);
  expect(ended).toBe(stopping.signal.reason);
});

withPebble('half a file is no certificate', async () => {
  await start();
  const whole = await readFile(acmePair(plan).certFile, 'utf8');
  await writeFile(acmePair(plan).certFile, whole.slice(0, -40));
  await start();
  expect(await readFile(acmePair(plan).certFile, 'utf8')).not.toContain(whole.slice(0, 500));
});
