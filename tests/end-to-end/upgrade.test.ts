import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { findFreePort } from '../../server/database/freePort.ts';
import { migrationsList } from '../../migrations/migrationsList.ts';
import { urlsOf } from '../../server/database/embeddedPostgres.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { BrowserOfReleaseBefore } from '../support/clients/BrowserOfReleaseBefore.ts';
import { MachineClient } from '../support/clients/machineClient.ts';
import { newKey } from '../support/clients/portalClient.ts';
import { liftBars, startProgram, unpackPresent, unpackReleaseBefore, type RunningProgram } from '../support/run/releaseBefore.ts';
import { createTestDatabase, type TestDatabase } from '../support/run/testDatabase.ts';
import { until } from '../support/run/until.ts';
import { masterKeys, signingKeys } from '../support/world/testKeys.ts';

/** A front that leads new connections to one process after the other. Those that stand stay where they are while their process drains. */
class Front {
  readonly #server: Server;
  #port = 0;

  private constructor() {
    this.#server = createServer((socket) => {
      const inside = connect(this.#port, '127.0.0.1');
      socket.pipe(inside).pipe(socket);
      for (const end of [socket, inside]) end.on('error', () => void [socket.destroy(), inside.destroy()]);
    });
  }

  static async open(): Promise<Front> {
    const front = new Front();
    await new Promise<void>((resolve) => front.#server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  leadTo(port: number): void {
    this.#port = port;
  }

  close(): void {
    this.#server.close();
  }
}

// The machine API is ready when the workers have made authorities.
const programs = ['workers/main', 'server/main', 'rest-api/main'] as const;
type Program = (typeof programs)[number];

let folder: string;
let database: TestDatabase;
let pool: pg.Pool;
let fronts: { portal: Front; machineApi: Front };
let machineCa: string;
const running = new Map<Program, RunningProgram>();
/** The folders of both releases, each with its archive unpacked. */
const before = () => join(folder, 'before');
const present = () => join(folder, 'present');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-upgrade-'));
  // Without a schema: the release before makes it.
  database = await createTestDatabase({ migrated: false });
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  fronts = { portal: await Front.open(), machineApi: await Front.open() };
  ({ caPem: machineCa } = await ensureDevelopmentTls(join(folder, 'tls')));
  await Promise.all([unpackReleaseBefore(before()), unpackPresent(present())]);
});
afterAll(async () => {
  await Promise.all([...running.values()].map((program) => program.stop()));
  for (const front of Object.values(fronts ?? {})) front.close();
  await pool?.end();
  await database?.drop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** What `oi` of a release says on standard error; rejects unless it exits with 0. */
async function oi(release: string, command: string): Promise<string> {
  const env = { PATH: process.env['PATH'], MIGRATION_DATABASE_URL: urlsOf(database.url).owner };
  return (await promisify(execFile)(join(release, 'dist/oi'), [command], { env })).stderr;
}

/** Starts a process of a release, leads new connections to it, and then stops the one that it takes the place of. */
async function replace(program: Program, release: string): Promise<void> {
  const { portal, machineApi, workers } = urlsOf(database.url);
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const started = await startProgram(release, program, {
    DATA_DIR: folder,
    MASTER_KEY: masterKeys.current.toString('hex'),
    SIGNING_KEY: signingKeys.current.toString('hex'),
    PORTAL_URL: `http://localhost:${fronts.portal.port}`,
    MACHINE_API_URL: `https://localhost:${fronts.machineApi.port}`,
    PORTAL_PORT: String(port),
    MACHINE_API_PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DRAIN_SECONDS: '1',
    DATABASE_URL: { 'server/main': portal, 'rest-api/main': machineApi, 'workers/main': workers }[program],
  });
  const former = running.get(program);
  running.set(program, started);
  const ready = async () => ((await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).ok ? true : undefined);
  await until(`${program} of ${release}`, ready);
  if (program === 'server/main') fronts.portal.leadTo(port);
  if (program === 'rest-api/main') fronts.machineApi.leadTo(port);
  if (former) expect([program, await former.stop()]).toEqual([program, 0]);
}

/** Until the workers have done every job that is due. */
async function work(): Promise<void> {
  const due = 'select 1 from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts limit 1';
  while ((await pool.query(due)).rows.length > 0) await delay(50);
}

test('upgrade and back, between the packed release before and what is packed now: no call fails, and each serves what the other has made', async () => {
  await oi(before(), 'migrate');
  for (const program of programs) await replace(program, before());
  const owner = new BrowserOfReleaseBefore({
    portalUrl: `http://localhost:${fronts.portal.port}`,
    work,
    rows: async (text, values) => (await pool.query(text, values && [...values])).rows,
  });
  await owner.registerOperator();
  const backEnds: MachineClient[] = [];
  /** A new integration, with a certificate that the present workers sign. */
  const connectBackEnd = async () => {
    const integration = await owner.createIntegration();
    const key = newKey();
    const { bundlePath } = await owner.issuedCertificate(integration, key);
    const certPem = await (await owner.fetch(bundlePath ?? '')).text();
    const keyPem = key.export({ format: 'pem', type: 'pkcs8' }).toString();
    const backEnd = new MachineClient({ url: `https://localhost:${fronts.machineApi.port}`, ca: machineCa, certPem, keyPem });
    backEnds.push(backEnd);
    return { backEnd, slug: integration.slug };
  };
  const { backEnd, slug } = await connectBackEnd();
  await pool.query(
    `insert into quota_override (client_number, quota, value, reason, created_at)
     select number, unnest(array['requests_per_minute', 'requests_per_hour']), 1000000, 'test', now() from client`,
  );

  let calling = true;
  const answers: unknown[] = [];
  const keepAsking = async (ask: () => Promise<unknown>) => {
    while (calling) {
      answers.push(await ask().catch((error: unknown) => error));
      await delay(20);
    }
  };
  const callers = [
    keepAsking(async () => (await backEnd.call('/v1/sync')).status),
    keepAsking(async () => ((await owner.certificates(slug)).length > 0 ? 200 : 'no certificate')),
  ];
  try {
    for (const release of [present(), before()]) {
      await oi(release, 'migrate');
      await liftBars(pool);
      const { rows } = await pool.query<{ name: string }>('select name from migration');
      expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(migrationsList.map(({ name }) => name)));
      for (const program of programs) await replace(program, release);
      expect((await (await connectBackEnd()).backEnd.call('/v1/sync')).status).toBe(200);
    }
  } finally {
    calling = false;
    await Promise.all(callers);
    for (const each of backEnds) each.close();
  }
  expect(answers.filter((answer) => answer !== 200)).toEqual([]);
  expect(answers.length).toBeGreaterThan(50);
  process.stdout.write(`${answers.length} calls were answered during the upgrade and the way back.\n`);
}, 120_000);
