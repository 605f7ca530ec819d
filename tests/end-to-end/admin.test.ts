import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adminCommand } from '../../server/adminCommands.ts';
import { UsageError } from '../../server/commandArguments.ts';
import { findFreePort } from '../../server/database/freePort.ts';
import { certificateAuthorities } from '../../server/domain/administration/certificateAuthorities.ts';
import { publishCrls } from '../../server/domain/certificate/crl/publication/publishCrls.ts';
import { tablesHolding } from '../support/database/everyTable.ts';
import { codesOf, type PortalClient } from '../support/clients/portalClient.ts';
import { ToolingClient } from '../support/clients/toolingClient.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { masterKeys, terminalConfig } from '../support/world/testKeys.ts';

const programs = { admin: '../../server/admin.ts', migrate: '../../server/migrate.ts', oi: '../../server/oi.ts' } as const;

let world: PortalWorld;
let folder: string;
beforeAll(async () => {
  world = await openWorld({ portal: true });
  folder = await mkdtemp(join(tmpdir(), 'svc-admin-'));
});
afterAll(async () => {
  await world?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the command as a process of its own; what it printed, and its exit code. */
const admin = (args: readonly string[], env: Record<string, string> = { DATABASE_URL: world.databaseUrl }) =>
  runProgram('admin', args, env);

async function runProgram(name: keyof typeof programs, args: readonly string[], env: Record<string, string>) {
  const program = fileURLToPath(new URL(programs[name], import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    // The program is compiled once instead of by each process.
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: folder, NODE_COMPILE_CACHE: join(folder, 'compiled'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { out: '', words: '' };
  child.stdout.on('data', (text) => (printed.out += String(text)));
  child.stderr.on('data', (text) => (printed.words += String(text)));
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { ...printed, exitCode };
}

const creation = ['create-service-token', '--name', 'Link page', '--environment', 'sandbox', '--permissions', 'catalogue.read,shares.read'];
const isGood = async (client: PortalClient) => codesOf(await client.call('catalogue')).length === 0;

describe('on the server’s terminal', () => {
  test('a token is made, printed alone on standard output, stored nowhere, and revoked', async () => {
    const { out, words, exitCode } = await admin([...creation, '--expires-in-days', '30']);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^svct_[0-9a-hjkmnp-tv-z]{52}\n$/);
    const token = out.trim();
    expect(words).not.toContain(token);
    expect(await tablesHolding(world, token)).toEqual([]);
    const tooling = new ToolingClient(world, token);
    expect(await isGood(tooling)).toBe(true);
    expect(codesOf(await tooling.call('eraseUser', { input: { user: 'x' } }))).toEqual(['FORBIDDEN']);

    const id = /svt_\w{26}/.exec(words)?.[0] ?? '';
    const [row] = await world.rows<{ days: number; created_by: null }>(
      'select extract(day from expires_at - created_at)::int as days, created_by from service_token where id = $1',
      [id],
    );
    expect(row).toEqual({ days: 30, created_by: null });
    expect(await admin(['revoke-service-token', id])).toMatchObject({
      exitCode: 0,
      out: '',
      words: expect.stringContaining(`${id} was revoked`),
    });
    expect(await isGood(tooling)).toBe(false);
    const trail = await world.rows('select actor_type, actor_id, action from audit_entry where subject_id = $1 order by id', [id]);
    expect(trail).toEqual([
      { actor_type: 'system', actor_id: 'terminal', action: 'service_token.created' },
      { actor_type: 'system', actor_id: 'terminal', action: 'service_token.revoked' },
    ]);
  });

  test('the first administrator is named, and can be replaced; both take effect with the next request', async () => {
    const operator = await world.operator('First.Admin@example.com');
    const rolesOf = async () => (await operator.viewer()).data?.roles;
    expect(codesOf(await operator.call('serviceTokens'))).toEqual(['FORBIDDEN']);
    expect(await admin(['grant-role', 'first.admin@EXAMPLE.com', 'administrator'])).toMatchObject({ exitCode: 0 });
    expect(await rolesOf()).toEqual(['administrator']);
    expect(codesOf(await operator.call('serviceTokens'))).toEqual([]);
    expect((await admin(['grant-role', operator.email, 'reviewer'])).words).toBe('The account now has the role reviewer.\n');
    expect((await admin(['grant-role', operator.email, 'reviewer'])).words).toBe('The account already has the role reviewer.\n');
    expect(await rolesOf()).toEqual(['reviewer', 'administrator']);
    expect(await admin(['withdraw-role', operator.email, 'administrator'])).toMatchObject({ exitCode: 0 });
    expect(await rolesOf()).toEqual(['reviewer']);
    expect(codesOf(await operator.call('serviceTokens'))).toEqual(['FORBIDDEN']);
    const operatorId = (await operator.viewer()).data?.operatorId;
    const trail = await world.rows<{ action: string; details: unknown }>(
      "select action, details from audit_entry where subject_id = $1 and action like 'role.%' and operator_id = $1 order by id",
      [operatorId],
    );
    expect(trail).toEqual([
      { action: 'role.granted', details: { role: 'administrator' } },
      { action: 'role.granted', details: { role: 'reviewer' } },
      { action: 'role.withdrawn', details: { role: 'administrator' } },
    ]);
  });

  test('every feed is taken a million epochs on, and every authority a million revocation lists', async () => {
    const numbers = () => world.rows<{ number: string }>('select crl_number::text as number from certificate_authority order by id');
    await publishCrls(world.em(), { keys: world.workerContext().authorityKeys, now: world.clock.now() });
    const published = (await certificateAuthorities(world.em(), world.clock.now())).map(({ crl }) => crl?.number);
    const before = (await numbers()).map(({ number }) => ({ number: String(BigInt(number) + 1_000_000n) }));
    expect(before.length).toBeGreaterThan(0);
    const [first, second] = [await world.fixtures.client(), await world.fixtures.client()];
    await world.fixtures.sql`update client_feed set epoch = 3, head = 8 where client_number = ${second.number}`;
    const untouched = await world.rows('select * from client_feed order by client_number');
    expect(await admin(['reset-feeds'])).toEqual({
      exitCode: 3,
      out: '2\n',
      words:
        'Feeds that would be reset: 2. Every cursor would be invalid, and every client would start a recovery sync.\nNothing has been done. To do it, repeat the command with --count 2 at its end.\n',
    });
    expect(await admin(['reset-feeds', '--count', '3'])).toMatchObject({
      exitCode: 1,
      out: '',
      words: expect.stringContaining('That is 2 in all, not 3. Nothing has been done.'),
    });
    expect(await world.rows('select * from client_feed order by client_number')).toEqual(untouched);
    expect(await world.rows("select 1 from audit_entry where action = 'feed.reset'")).toEqual([]);
    expect(await admin(['reset-feeds', '--count', '2'])).toEqual({ exitCode: 0, out: '', words: 'Feeds reset: 2.\n' });
    const feeds = await world.rows('select client_number, head::int, epoch from client_feed order by client_number');
    expect(feeds).toEqual([
      { client_number: first.number, head: 0, epoch: 1_000_000 },
      { client_number: second.number, head: 8, epoch: 1_000_003 },
    ]);
    expect(await numbers()).toEqual(before);
    // Administrators go on seeing the number of the list that there is.
    expect((await certificateAuthorities(world.em(), world.clock.now())).map(({ crl }) => crl?.number)).toEqual(published);
    const trail = await world.rows("select actor_id from audit_entry where action = 'feed.reset'");
    expect(trail).toEqual([{ actor_id: 'terminal' }]);
  });

  test('the database’s clock counts, whatever the terminal’s clock says: a new key waits ten minutes of it', async () => {
    const fast = `const D = Date; globalThis.Date = class extends D { constructor(...a) { a.length > 0 ? super(...a) : super(D.now() - 36e5); } }`;
    const { words, exitCode } = await admin(['rotate-key-ring', 'cursor'], {
      DATABASE_URL: world.databaseUrl,
      MASTER_KEY: masterKeys.current.toString('hex'),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fast)}`,
    });
    const [row] = await world.rows<{ minutes: number }>(
      `select extract(epoch from max(retired_at) - clock_timestamp()) / 60 as minutes from key_ring_entry where purpose = 'cursor'`,
    );
    expect([exitCode, words]).toEqual([0, expect.stringContaining('is used from')]);
    expect(Math.ceil(Number(row?.minutes))).toBe(10);
  });

  test('the database of a service that runs on the data folder is found', async () => {
    const running = await mkdtemp(join(folder, 'running-'));
    await writeFile(join(running, 'database-url'), `${world.databaseUrl}\n`);
    expect(await admin(['reset-feeds'], { DATA_DIR: running })).toMatchObject({ exitCode: 3 });
  });
});

describe('a command that cannot be done says why and changes nothing', () => {
  const everything = () => world.rows('select count(*) from audit_entry');

  test.each([
    ['no command', [], 'Give a command.'],
    ['an unknown command', ['drop-everything'], 'There is no command named drop-everything.'],
    ['a command that is misspelt', ['grant-rol'], 'There is no command named grant-rol. Is grant-role meant?'],
    ['a name of every object', ['constructor'], 'There is no command named constructor.'],
    ['an option missing', ['create-service-token', '--name', 'x'], 'needs --name, --environment and --permissions'],
    ['an unknown option', [...creation, '--forever'], '--forever'],
    ['days that are no number', [...creation, '--expires-in-days', 'many'], '--expires-in-days takes a number of days.'],
    ['an operand missing', ['grant-role', 'a@example.com'], 'grant-role takes EMAIL and ROLE.'],
    ['an operand too many', ['reset-feeds', 'now'], 'reset-feeds takes no arguments.'],
    ['a count that is none', ['reset-feeds', '--count', 'all'], 'reset-feeds ends with --count and the number that it has shown.'],
    ['a count that is not the end', ['abandon-lost-keys', '--count', '3', 'MASTER_KEY'], 'abandon-lost-keys ends with --count'],
  ])('%s: the arguments are not understood', (_what, args, words) => {
    expect(() => adminCommand(args)).toThrow(UsageError);
    expect(() => adminCommand(args)).toThrow(words);
  });

  test('wrong arguments: exit code 2 and the usage', async () => {
    const ended = await admin(['grant-role', 'a@example.com']);
    expect(ended).toMatchObject({ exitCode: 2, out: '' });
    expect(ended.words).toMatch(/^grant-role takes EMAIL and ROLE\.\n\noi admin <command>\n/);
  });

  test.each([
    [
      'an unknown permission',
      ['create-service-token', '--name', 'x', '--environment', 'sandbox', '--permissions', 'all'],
      'The permissions are: resources.write',
    ],
    [
      'an unknown environment',
      ['create-service-token', '--name', 'x', '--environment', 'test', '--permissions', 'shares.read'],
      'sandbox or production',
    ],
    ['more than a year', [...creation, '--expires-in-days', '366'], '1 to 365'],
    ['an unknown token', ['revoke-service-token', `svt_${'0'.repeat(26)}`], 'There is no such service token.'],
    ['an unknown account', ['grant-role', 'nobody@example.com', 'administrator'], 'No account has this address.'],
    ['an unknown role', ['grant-role', 'nobody@example.com', 'owner'], 'The roles are: reviewer, administrator.'],
  ])('%s: it is refused', async (_what, args, words) => {
    const before = await everything();
    await expect(adminCommand(args)(world.orm.em.fork(), world.clock.now(), terminalConfig())).rejects.toThrow(words);
    expect(await everything()).toEqual(before);
  });

  test('a refusal: exit code 1 and each broken rule', async () => {
    const wrong = ['create-service-token', '--name', 'x', '--environment', 'test', '--permissions', 'all', '--expires-in-days', '0'];
    const { exitCode, out, words } = await admin(wrong);
    expect({ exitCode, out, lines: words.trim().split('\n').length }).toEqual({ exitCode: 1, out: '', lines: 3 });
  });

  test('a service that does not run: what to do, and no password', async () => {
    expect(await admin(['reset-feeds'], {})).toMatchObject({
      exitCode: 1,
      out: '',
      words: expect.stringContaining('Start it with `npm start`'),
    });
    const stopped = await mkdtemp(join(folder, 'stopped-'));
    await writeFile(join(stopped, 'database-url'), `postgres://someone:the-password@127.0.0.1:${await findFreePort()}/database\n`);
    const ended = await admin(['reset-feeds'], { DATA_DIR: stopped });
    expect(ended).toMatchObject({ exitCode: 1, out: '', words: expect.stringContaining(`is not running with the data folder ${stopped}`) });
    expect(ended.words).not.toContain('the-password');
  });

  test('migrating needs the database of its owner, and says when there is nothing to do', async () => {
    const migrating = (env: Record<string, string>) => runProgram('migrate', [], env);
    expect(await migrating({ MIGRATION_DATABASE_URL: world.databaseUrl })).toEqual({
      exitCode: 0,
      out: '',
      words: 'There is nothing to migrate.\n',
    });
    expect(await migrating({ DATA_DIR: join(folder, 'none') })).toEqual({
      exitCode: 1,
      out: '',
      words: 'Set MIGRATION_DATABASE_URL to the database, with the role that owns its schema.\n',
    });
  });

  test('production without DATABASE_URL', async () => {
    const ended = await admin(['reset-feeds'], { NODE_ENV: 'production' });
    expect(ended).toMatchObject({ exitCode: 1, out: '', words: expect.stringContaining('or DATABASE_URL to its database.') });
  });

  test('--help prints the usage and succeeds', async () => {
    expect(await admin(['--help'])).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('create-service-token --name NAME'),
      words: '',
    });
  });
});

describe('the one program', () => {
  const oi = (...args: readonly string[]) => runProgram('oi', args, {});

  test('lists its commands, and says which version it is', async () => {
    const help = await oi('help');
    expect([help.exitCode, help.words]).toEqual([0, '']);
    for (const command of ['start', 'migrate', 'admin', 'smoke', 'backup', 'restore', 'doctor', 'version'])
      expect(help.out).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    expect(await oi('version')).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^operator-integration-service \d+\.\d+\.\d+ /) });
    expect(await oi('start', 'workers', '--version')).toMatchObject({ exitCode: 0, out: (await oi('version')).out });
  });

  test.each([
    [[], 'Give a command.\n'],
    [['strat'], 'There is no command named strat. Is start meant?\n'],
    [['constructor'], 'There is no command named constructor.\n'],
    [['start', 'machine_api'], 'There is no process named machine_api. Is machine-api meant?\n'],
    [['start', 'portal', 'workers'], 'start takes one process.\n'],
  ])('what it does not know, it does not guess: %j', async (args, words) => {
    const ended = await oi(...args);
    expect(ended).toMatchObject({ exitCode: 2, out: '' });
    expect(ended.words.startsWith(`${words}\noi [--settings FILE] <command>\n`)).toBe(true);
  });

  const asNobody = process.getuid?.() === 0 ? test : test.skip;
  asNobody('runs for a user whom the machine does not know and who has no home', async () => {
    const migrating = promisify(execFile)(fileURLToPath(new URL('../../dist/oi', import.meta.url)), ['migrate'], {
      uid: 65_532,
      gid: 65_532,
      env: { PATH: process.env['PATH'] ?? '', MIGRATION_DATABASE_URL: 'postgres://owner@127.0.0.1:1/database' },
    });
    await expect(migrating).rejects.toMatchObject({
      stderr: expect.stringMatching(/^The database of MIGRATION_DATABASE_URL cannot be reached/),
    });
  });

  test('passes on to its commands what is theirs', async () => {
    expect(await oi('admin', 'grant-role', 'a@example.com')).toMatchObject({
      exitCode: 2,
      words: expect.stringContaining('oi admin <command>'),
    });
    expect(await oi('smoke', '--help')).toMatchObject({ exitCode: 0, out: expect.stringContaining('oi smoke --api URL') });
    expect(await oi('migrate', 'now')).toMatchObject({ exitCode: 2, words: expect.stringContaining('migrate takes no arguments.') });
    expect(await oi('backup')).toMatchObject({
      exitCode: 2,
      words: expect.stringContaining('Set DATA_DIR and BACKUP_DIR to those of the service, or give FILE.'),
    });
  });
});
