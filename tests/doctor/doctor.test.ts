import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProcessRole } from '../../server/config/config.ts';
import { findFreePort } from '../../server/database/freePort.ts';
import { examine } from '../../server/doctor/examine.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { listen } from '../../server/platform/listen.ts';
import { startMailServer } from '../support/clients/mailServer.ts';
import { openDatabaseProxy } from '../support/run/databaseProxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/run/testDatabase.ts';
import { openWorld } from '../support/world/openWorld.ts';
import type { World } from '../support/world/World.ts';

const day = 24 * 60 * 60 * 1_000;

let world: World;
let empty: TestDatabase;
let old: Awaited<ReturnType<typeof openDatabaseProxy>>;
let mails: Awaited<ReturnType<typeof startMailServer>>;
let busy: Server;
let busyPort: number;
let sound: Record<'service' | 'portal' | 'machine-api' | 'workers', Record<string, string>>;
const file = (name: string) => join(world.folder, name);

beforeAll(async () => {
  world = await openWorld();
  empty = await createTestDatabase({ migrated: false });
  old = await openDatabaseProxy({
    answers: (bytes) => Buffer.from(bytes.toString('latin1').replace(/(?<!\d)1\d00\d\d(?!\d)/, '140020'), 'latin1'),
  });
  mails = await startMailServer(0);
  busy = createServer();
  busyPort = await listen(busy, { host: '127.0.0.1', port: 0, variables: { host: 'HOST', port: 'PORT' } });
  await ensureDevelopmentTls(file('tls'), ['api.example.com']);
  await ensureDevelopmentTls(file('bare'), ['api.example.com']);
  await ensureDevelopmentTls(file('other'), ['other.example.com']);
  await ensureDevelopmentTls(file('old'), ['api.example.com'], new Date(Date.now() - 400 * day));
  await ensureDevelopmentTls(file('ending'), ['api.example.com'], new Date(Date.now() - 390 * day));
  await ensureDevelopmentTls(file('future'), ['api.example.com'], new Date(Date.now() + 9 * day));
  const chain = await Promise.all(['server.pem', 'ca.pem'].map((name) => readFile(file(`tls/${name}`), 'utf8')));
  await writeFile(file('tls/server.pem'), chain.join(''));
  await writeFile(file('master.key'), 'ab'.repeat(32));
  await writeFile(file('short.key'), 'ab');
  const [portal, machineApi, metrics] = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  const every = {
    NODE_ENV: 'production',
    MASTER_KEY_FILE: file('master.key'),
    PORTAL_URL: 'https://portal.example.com',
    SUPPORT_CONTACT: 'support@example.com',
    PORTAL_PORT: String(portal),
    MACHINE_API_PORT: String(machineApi),
    METRICS_PORT: String(metrics),
    DATA_DIR: file('data'),
  };
  const portals = { MACHINE_API_URL: 'https://api.example.com', APP_URL: 'https://app.example.com', TRUSTED_PROXIES: 'none' };
  const machines = { TRUSTED_BALANCERS: 'none', ...pair('tls') };
  const jobs = {
    MACHINE_API_URL: 'https://api.example.com',
    SIGNING_KEY: 'cd'.repeat(32),
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'no-reply@example.com',
  };
  sound = {
    service: { ...every, ...portals, ...machines, ...jobs },
    portal: { ...every, ...portals, DATABASE_URL: world.urls.portal },
    'machine-api': { ...every, ...machines, MACHINE_API_URL: 'https://api.example.com', DATABASE_URL: world.urls.machineApi },
    workers: { ...every, ...jobs, DATABASE_URL: world.urls.workers },
  };
});
afterAll(async () => {
  await Promise.all([mails?.close(), old?.close(), empty?.drop(), new Promise((resolve) => busy.close(resolve))]);
  await world?.close();
});

function pair(folder: string, variables = 'MACHINE_TLS') {
  return { [`${variables}_CERT_FILE`]: file(`${folder}/server.pem`), [`${variables}_KEY_FILE`]: file(`${folder}/server.key`) };
}

/** What this machine is like has no part in these tests. */
const ofTheMachine = new Set(['disk', 'open files', 'clock']);

async function findingsOf(role: ProcessRole, env: Readonly<Record<string, string>>, clock = world.clock) {
  const { findings } = await examine({ role, env, clock });
  return findings.filter(({ check }) => !ofTheMachine.has(check));
}

type Case = readonly [
  name: string,
  role: keyof typeof sound,
  change: () => Readonly<Record<string, string>>,
  expected: { readonly check: string; readonly severity?: string; readonly words: RegExp; readonly remedy: RegExp },
];

describe('what is broken is named, with what to do', () => {
  const cases: readonly Case[] = [
    ['a missing address', 'portal', () => ({ PORTAL_URL: '' }), { check: 'settings', words: /^PORTAL_URL: is required/, remedy: /https:/ }],
    [
      'a misspelt name',
      'portal',
      () => ({ LOG_LEVL: 'info' }),
      { check: 'settings', words: /is LOG_LEVEL meant/, remedy: /Correct its name/ },
    ],
    [
      'a key of the wrong form',
      'portal',
      () => ({ MASTER_KEY_FILE: file('short.key') }),
      { check: 'settings', words: /^MASTER_KEY_FILE: the file must be 32 bytes/, remedy: /openssl rand -hex 32/ },
    ],
    ['a missing key', 'workers', () => ({ SIGNING_KEY: '' }), { check: 'settings', words: /^SIGNING_KEY: is required/, remedy: /openssl/ }],
    [
      'a certificate that is not there',
      'machine-api',
      () => ({ MACHINE_TLS_CERT_FILE: file('nothing.pem') }),
      { check: 'certificates', words: /^MACHINE_TLS_CERT_FILE: the file cannot be read \(ENOENT\)/, remedy: /fullchain/ },
    ],
    [
      'a key that belongs to another certificate',
      'machine-api',
      () => ({ MACHINE_TLS_KEY_FILE: file('other/server.key') }),
      { check: 'certificates', words: /^MACHINE_TLS_KEY_FILE: must be the key of/, remedy: /its key/ },
    ],
    [
      'a certificate that has ended',
      'machine-api',
      () => pair('old'),
      { check: 'certificates', words: /the certificate ended on 20/, remedy: /new one/ },
    ],
    [
      'one that ends soon',
      'machine-api',
      () => pair('ending'),
      { check: 'certificates', severity: 'warning', words: /the certificate ends on 20/, remedy: /renewed/ },
    ],
    ['one that has not begun', 'machine-api', () => pair('future'), { check: 'certificates', words: /valid only from/, remedy: /clock/ }],
    [
      'one for another host',
      'machine-api',
      () => pair('other'),
      {
        check: 'certificates',
        words: /is for other\.example\.com, and not for api\.example\.com/,
        remedy: /Get one for api\.example\.com/,
      },
    ],
    [
      'one without its chain',
      'machine-api',
      () => pair('bare'),
      { check: 'certificates', severity: 'warning', words: /no chain behind/, remedy: /fullchain/ },
    ],
    [
      'one of the portal for another host',
      'portal',
      () => pair('other', 'PORTAL_TLS'),
      { check: 'certificates', words: /^PORTAL_TLS_CERT_FILE: .* not for portal\.example\.com/, remedy: /PORTAL_URL/ },
    ],
    [
      'a key that lies beside the data',
      'service',
      () => ({ DATA_DIR: world.folder }),
      { check: 'settings', words: /^MASTER_KEY_FILE: must not lie in DATA_DIR/, remedy: /another folder/ },
    ],
    [
      'no database and no folder for one',
      'service',
      () => ({ DATA_DIR: '' }),
      { check: 'settings', words: /^DATA_DIR: is required/, remedy: /\/var\/lib/ },
    ],
    [
      'an owner of the database that may not make roles',
      'service',
      () => ({ DATABASE_URL: world.urls.workers }),
      { check: 'database', words: /its role may not make/, remedy: /createrole/ },
    ],
    [
      'a database that is not there',
      'portal',
      () => ({ DATABASE_URL: 'postgres://oi_portal:the-password@127.0.0.1:1/oi' }),
      { check: 'database', words: /^DATABASE_URL: the server cannot be reached/, remedy: /pg_hba\.conf/ },
    ],
    [
      'a password that is refused',
      'portal',
      () => ({ DATABASE_URL: world.urls.portal.replace(/:[^:@]+@/, ':wrong@') }),
      { check: 'database', words: /^DATABASE_URL: the server refuses the user/, remedy: /docs/ },
    ],
    [
      'a server that is too old',
      'portal',
      () => ({ DATABASE_URL: old.through(world.urls.portal) }),
      { check: 'database', words: /PostgreSQL 14\.20/, remedy: /needs PostgreSQL 15 or later/ },
    ],
    [
      'a database without a schema',
      'portal',
      () => ({ DATABASE_URL: empty.url }),
      { check: 'database', words: /has no schema yet/, remedy: /oi migrate/ },
    ],
    [
      'the role of another process',
      'portal',
      () => ({ DATABASE_URL: world.urls.workers }),
      { check: 'database', words: /connects as oi_workers/, remedy: /connects as oi_portal/ },
    ],
    [
      'a mail server that is not there',
      'workers',
      () => ({ SMTP_URL: 'smtp://127.0.0.1:1' }),
      { check: 'mail', words: /cannot be reached \(ESOCKET\)/, remedy: /host and port/ },
    ],
    [
      'a mail server that does not encrypt',
      'workers',
      () => ({ SMTP_URL: `smtps://127.0.0.1:${mails.port}` }),
      { check: 'mail', words: /no encrypted connection/, remedy: /Port 465/ },
    ],
    [
      'a port that is taken',
      'portal',
      () => ({ PORTAL_PORT: String(busyPort) }),
      { check: 'ports', words: /is in use/, remedy: /PORTAL_PORT/ },
    ],
    [
      'an address that this machine does not have',
      'portal',
      () => ({ HOST: '192.0.2.1' }),
      { check: 'ports', words: /no address 192\.0\.2\.1/, remedy: /HOST/ },
    ],
  ];
  test.each(cases)('%s (%s)', async (_name, role, change, { severity = 'wrong', ...expected }) => {
    const found = await findingsOf(role, { ...sound[role], ...change() });
    expect(found).toContainEqual({
      check: expected.check,
      severity,
      words: expect.stringMatching(expected.words),
      remedy: expect.stringMatching(expected.remedy),
    });
    expect(JSON.stringify(found)).not.toContain('the-password');
  });
});

test('all of several mistakes in the settings are named at once', async () => {
  const found = await findingsOf('service', {
    ...sound.service,
    PORTAL_PORT: 'x',
    APP_URL: '',
    LOG_LEVL: 'info',
    MAIL_FROM: '',
  });
  expect(found.map(({ words }) => words.split(':')[0])).toEqual(['PORTAL_PORT', 'LOG_LEVL', 'MAIL_FROM', 'APP_URL']);
  const later = await findingsOf('service', { ...sound.service, MASTER_KEY_FILE: file('short.key'), MAIL_FROM: 'a@b.test', APP_URL: '' });
  expect(later.map(({ words }) => words.split(':')[0])).toEqual(['MASTER_KEY_FILE', 'APP_URL', 'MAIL_FROM']);
});

test('nothing is wrong with a sound set-up, but for authorities, which are named until there are some, and lists', async () => {
  const first = await findingsOf('portal', sound.portal);
  expect(first).toEqual([expect.objectContaining({ check: 'authorities', words: expect.stringContaining('no issuing authority') })]);
  const { issuerId } = await world.fixtures.authorities();
  expect((await findingsOf('portal', sound.portal)).map(({ words }) => words).toSorted()).toEqual([
    'The revocation list of the issuing authority has not been published yet',
    'The revocation list of the root has not been published yet',
  ]);
  await world.rows(
    `insert into certificate_revocation_list (authority_id, number, this_update, next_update, etag, der, revoked)
     select id, 1, now() - interval '1 day', now() + interval '6 days', 'x', '\\x00', 0 from certificate_authority`,
  );
  for (const role of ['portal', 'workers', 'machine-api'] as const) expect(await findingsOf(role, sound[role])).toEqual([]);
  const { findings, skipped } = await examine({ role: 'service', env: sound.service, clock: world.clock });
  expect(findings.filter(({ check }) => !ofTheMachine.has(check))).toEqual([]);
  expect(skipped.map(({ check }) => check)).toEqual(expect.arrayContaining(['database', 'authorities', 'queue']));
  await world.rows(`update certificate_revocation_list set next_update = now() - interval '1 hour' where authority_id = $1`, [issuerId]);
  expect((await findingsOf('portal', sound.portal)).map(({ words }) => words)).toEqual([
    expect.stringMatching(/^The revocation list of the issuing authority ended on /),
  ]);
});

test('a clock that differs from that of the database is told', async () => {
  const ahead = { now: () => new Date(Date.now() + 5_000) };
  const { findings } = await examine({ role: 'machine-api', env: sound['machine-api'], clock: ahead });
  expect(findings).toContainEqual(expect.objectContaining({ words: expect.stringContaining('more than a second apart') }));
});

test('jobs that nobody begins, and those that have failed, are told', async () => {
  await world.rows(`select graphile_worker.add_job('publishCrls', run_at => now() - interval '20 minutes')`);
  await world.rows(`select graphile_worker.add_job('sendMail', run_at => now() - interval '1 minute')`);
  await world.rows(
    `update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'x'
      where task_id = (select id from graphile_worker._private_tasks where identifier = 'sendMail')`,
  );
  const found = await findingsOf('workers', sound.workers);
  expect(found.map(({ severity, words }) => [severity, words])).toEqual([
    ['wrong', 'A job (publishCrls) has been waiting for 20 minutes'],
    ['warning', '1 jobs have failed and are not tried again by themselves'],
  ]);
});

const program = fileURLToPath(new URL('../../dist/server/oi.js', import.meta.url));
async function doctor(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, 'doctor', ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, said };
}

test('the program says it in words, or as JSON, and by its exit code', async () => {
  const broken = await doctor(['machine-api'], { NODE_ENV: 'production', PORTAL_URL: 'http://portal.example.com' });
  expect(broken.code).toBe(1);
  expect(broken.said).toContain('WRONG    settings\n  DATABASE_URL: is required in production');
  expect(broken.said).toContain('  → Write none, or the addresses of your balancers');
  expect(broken.said).toContain('not seen  database: it needs valid settings');
  const json = await doctor(['--json', 'machine-api'], sound['machine-api']);
  expect({ code: json.code, ...(JSON.parse(json.said) as object) }).toMatchObject({ code: 0, version: expect.any(String) });
  expect(await doctor(['worker'], {})).toEqual({ code: 2, said: expect.stringContaining('Is workers meant?') });
});
