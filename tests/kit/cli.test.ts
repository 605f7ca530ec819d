import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer as createPlain } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exitCodes, main } from '../../kit/src/cli/main.ts';
import { version } from '../../kit/src/client/version.ts';
import { issueCertificate } from '../../server/domain/certificate/issueCertificate.ts';
import { Sharing } from '../support/feed/sharing.ts';
import type { TestCertificate, TestClient } from '../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';

const day = 24 * 60 * 60 * 1000;

let world: MachineWorld;
let other: MachineWorld;
let portalUrl: string;
beforeAll(async () => {
  [world, other] = await Promise.all([openWorld({ machine: true }), openWorld({ machine: true })]);
  const keys = createPlain((_request, response) => response.end('{"keys":[]}'));
  await once(keys.listen(0, '127.0.0.1'), 'listening');
  world.onClose(() => keys.close());
  portalUrl = `http://127.0.0.1:${(keys.address() as AddressInfo).port}`;
});
afterAll(() => Promise.all([world.close(), other.close()]));

/** Runs the command line in a folder. */
async function svc(folder: string, args: readonly string[], input = '', run = main) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const surroundings = { folder, stdin: Readable.from([input]), stdout, stderr };
  const code = await run(args, surroundings, new AbortController().signal);
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), err: await text(stderr) };
}

type Pair = Pick<TestCertificate, 'certPem' | 'keyPem'>;
type Changes = { settings?: object; files?: Readonly<Record<string, string>>; without?: readonly string[] };

/** A folder as it is when everything is right, but for these changes. */
async function folderOf(pair: Pair, { settings = {}, files = {}, without = [] }: Changes = {}): Promise<string> {
  const folder = await mkdtemp(join(world.folder, 'operator-'));
  const all: Record<string, string> = {
    'svc.json': JSON.stringify({ baseUrl: `${world.machineApiUrl}/v1`, portalUrl, environment: 'sandbox', ca: 'ca.pem', ...settings }),
    'ca.pem': world.machineApiCa,
    'client.pem': pair.certPem,
    'client.key': pair.keyPem,
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    if (!without.includes(name)) await writeFile(join(folder, name), content, { mode: 0o600 });
  }
  return folder;
}

/** A server with the world’s certificate that answers like this. */
async function impostor(
  listener: Parameters<typeof createServer>[1],
  make: (listener: never) => Pick<Server, 'listen' | 'address' | 'close'> = tls,
  host = '127.0.0.1',
) {
  const server = make(listener as never);
  await once(server.listen(0, host), 'listening');
  world.onClose(() => server.close());
  return { baseUrl: `https://${host}:${(server.address() as AddressInfo).port}/v1` };
}
const tls = (listener: never) => createServer({ cert: world.tls.certPem, key: world.tls.keyPem }, listener);

const revoked = async (certificate: TestCertificate) => (await world.fixtures.revokeCertificate(certificate), certificate);
const production = (status: string) => world.backEnd({ environment: 'production', status });
const productionSettings = { settings: { environment: 'production' } };

/** What is broken, the check that says so, and a word of its next step. */
const broken: readonly (readonly [what: string, check: string, next: RegExp, make: (pair: Pair) => Promise<string>])[] = [
  ['no settings', 'settings', /svc init/, (pair) => folderOf(pair, { without: ['svc.json'] })],
  ['settings that are no JSON', 'settings', /svc init/, (pair) => folderOf(pair, { files: { 'svc.json': '{' } })],
  ['an address without TLS', 'settings', /https/, (pair) => folderOf(pair, { settings: { baseUrl: 'http://127.0.0.1/v1' } })],
  ['an authority that is not there', 'settings', /`ca`/, (pair) => folderOf(pair, { without: ['ca.pem'] })],
  ['no certificate', 'certificate', /Save certificate and key/, (pair) => folderOf(pair, { without: ['client.pem'] })],
  ['no key', 'certificate', /Save certificate and key/, (pair) => folderOf(pair, { without: ['client.key'] })],
  ['an empty certificate', 'certificate', /whole bundle/, (pair) => folderOf(pair, { files: { 'client.pem': '' } })],
  ['a damaged certificate', 'certificate', /belong together/, (pair) => folderOf({ ...pair, certPem: pair.certPem.replace('MII', 'MIX') })],
  ['a key that is none', 'certificate', /unencrypted key/, (pair) => folderOf({ ...pair, keyPem: 'x' })],
  [
    'another key',
    'certificate',
    /the key that the request was made with/,
    async (pair) => folderOf({ ...pair, keyPem: (await world.backEnd()).certificate.keyPem }),
  ],
  [
    'a chain of others',
    'certificate',
    /whole bundle/,
    async (pair) => folderOf({ ...pair, certPem: pair.certPem + (await world.backEnd()).certificate.certPem }),
  ],
  ['the other environment', 'certificate', /this client and environment/, (pair) => folderOf(pair, productionSettings)],
  [
    'a package that is none',
    'certificate',
    /belong together/,
    (pair) => folderOf(pair, { settings: { pfx: 'client.pem', passphraseFile: 'client.key' } }),
  ],
  [
    'a key that others can read',
    'key',
    /chmod 600/,
    async (pair) => {
      const folder = await folderOf(pair);
      await chmod(join(folder, 'client.key'), 0o644);
      return folder;
    },
  ],
  ['a certificate that has ended', 'dates', /new certificate/, async () => folderOf(await dated(-90, -1))],
  ['a certificate that has not begun', 'dates', /clock/, async () => folderOf(await dated(1, 90))],
  ['a certificate that ends soon', 'dates', /svc renew/, async () => folderOf(await dated(-80, 5))],
  ['a name that nobody knows', 'name', /baseUrl/, (pair) => folderOf(pair, { settings: { baseUrl: 'https://machine.invalid/v1' } })],
  [
    'a port where nothing listens',
    'connection',
    /Nothing listens/,
    (pair) => folderOf(pair, { settings: { baseUrl: 'https://127.0.0.1:1/v1' } }),
  ],
  ['another authority', 'connection', /`ca`/, (pair) => folderOf(pair, { files: { 'ca.pem': other.machineApiCa } })],
  ['no authority named', 'connection', /`ca`/, (pair) => folderOf(pair, { settings: { ca: undefined } })],
  [
    'an address that the server’s certificate does not name',
    'connection',
    /another name/,
    async (pair) => folderOf(pair, { settings: await impostor((_request, response) => response.end(), tls, '127.0.0.2') }),
  ],
  [
    'a port without TLS',
    'connection',
    /does not speak TLS/,
    async (pair) => folderOf(pair, { settings: await impostor((_request, response) => response.end(), createPlain as never) }),
  ],
  [
    'a proxy that closes the connection',
    'connection',
    /CONNECT/,
    async (pair) => folderOf(pair, { settings: await impostor((request) => request.socket.destroy()) }),
  ],
  [
    'a proxy that answers by itself',
    'access',
    /CONNECT/,
    async (pair) => folderOf(pair, { settings: await impostor((_request, response) => response.writeHead(407).end('<h1>Proxy</h1>')) }),
  ],
  [
    'a proxy that opens TLS',
    'access',
    /Present the client certificate/,
    async (pair) =>
      folderOf(pair, {
        settings: await impostor((_request, response) =>
          response
            .writeHead(401, { 'content-type': 'application/problem+json' })
            .end('{"code":"client_certificate_required","status":401,"detail":"None was presented.","request_id":"req_1"}'),
        ),
      }),
  ],
  [
    'a clock that is wrong',
    'clock',
    /NTP/,
    async (pair) =>
      folderOf(pair, {
        settings: await impostor((_request, response) =>
          response.writeHead(500, { date: new Date(Date.now() - 600_000).toUTCString() }).end(),
        ),
      }),
  ],
  [
    'a certificate whose overlap with a newer one ends earlier than itself',
    'overlap',
    /newer certificate/,
    async () => {
      const { certificate } = await world.backEnd();
      await world.rows('update certificate set usable_until = $2 where id = $1', [certificate.id, new Date(Date.now() + 2 * day)]);
      return folderOf(certificate);
    },
  ],
  ['a revoked certificate', 'access', /other certificate/, async () => folderOf(await revoked((await world.backEnd()).certificate))],
  ['a certificate of another installation', 'access', /issued by this service/, async () => folderOf((await other.backEnd()).certificate)],
  [
    'a certificate that is not on record',
    'access',
    /not on record/,
    async () => {
      const { certificate } = await world.backEnd();
      await world.rows('delete from certificate where id = $1', [certificate.id]);
      return folderOf(certificate);
    },
  ],
  [
    'a certificate whose overlap has ended',
    'access',
    /new certificate/,
    async () => {
      const { certificate } = await world.backEnd();
      await world.rows('update certificate set usable_until = $2 where id = $1', [certificate.id, new Date(Date.now() - 1000)]);
      return folderOf(certificate);
    },
  ],
  [
    'an integration that is not active',
    'access',
    /review and activation/,
    async () => folderOf((await production('approved')).certificate, productionSettings),
  ],
  [
    'an integration that is suspended',
    'access',
    /stopped/,
    async () => folderOf((await production('suspended')).certificate, productionSettings),
  ],
  [
    'an integration that is retired',
    'access',
    /Create a new one/,
    async () => folderOf((await world.backEnd({ status: 'retired' })).certificate),
  ],
  ['a closed gate', 'production gate', /Wait until/, async () => folderOf((await production('active')).certificate, productionSettings)],
  [
    'scopes that the client does not have',
    'scopes',
    /scopes of the integration/,
    async () => folderOf((await world.backEnd({ scopes: ['orders.read'] })).certificate, { settings: { scopes: ['vehicles.read'] } }),
  ],
  [
    'a quota that is used up',
    'quotas',
    /share its quotas/,
    async () => {
      const { client, certificate, machine } = await world.backEnd();
      await world.fixtures.override(client, 'requests_per_minute', 2);
      await machine.call('/v1/capabilities');
      return folderOf(certificate);
    },
  ],
  [
    'a portal that cannot be reached',
    'webhook keys',
    /portalUrl/,
    (pair) => folderOf(pair, { settings: { portalUrl: 'http://127.0.0.1:1' } }),
  ],
];

/** A certificate that is on record, with these days from today. */
async function dated(from: number, to: number): Promise<TestCertificate> {
  const client = await world.fixtures.client();
  const at = (days: number) => new Date(Date.now() + days * day);
  return world.fixtures.certificate(world.authority, client, { notBefore: at(from), notAfter: at(to) });
}

test('svc doctor tells apart at least twenty-five things that can be broken', () => {
  expect(broken.length).toBeGreaterThanOrEqual(25);
});

test.each(broken)('svc doctor: %s is found by “%s”, with its next step', async (_what, check, next, make) => {
  const { certificate } = await world.backEnd();
  const { code, out } = await svc(await make(certificate), ['doctor', '--json']);
  expect(code).toBe(exitCodes.found);
  const found = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { check: string; ok: boolean; next?: string });
  expect(found.filter(({ ok }) => !ok).map((each) => each.check)).toContain(check);
  expect(found.find((each) => each.check === check && !each.ok)?.next).toMatch(next);
});

test('svc doctor finds nothing wrong where all is right', async () => {
  const { certificate } = await world.backEnd();
  const { code, out } = await svc(await folderOf(certificate), ['doctor']);
  expect(out).not.toContain('WRONG');
  expect([code, out.match(/^ok /gm)?.length]).toEqual([exitCodes.done, 11]);
});

test('svc init changes of settings that are there only what is named, and writes over nothing that it cannot read', async () => {
  const folder = await mkdtemp(join(world.folder, 'settings-'));
  const read = async () => JSON.parse(await readFile(join(folder, 'svc.json'), 'utf8')) as object;
  const addresses = { baseUrl: 'https://machine.example/v1', portalUrl: 'https://portal.example' };
  const named = ['init', '--base-url', addresses.baseUrl, '--portal-url', addresses.portalUrl, '--cert', 'one.pem', '--key', 'one.key'];
  expect((await svc(folder, named)).code).toBe(exitCodes.done);
  const first = { environment: 'sandbox', cert: 'one.pem', key: 'one.key', ...addresses };
  expect(await read()).toEqual(first);
  await writeFile(join(folder, 'svc.json'), JSON.stringify({ ...first, scopes: ['orders.read'] }));
  expect((await svc(folder, ['init', '--cert', 'two.pem', '--key', 'two.key'])).code).toBe(exitCodes.done);
  expect(await read()).toEqual({ ...first, scopes: ['orders.read'], cert: 'two.pem', key: 'two.key' });
  expect(await readFile(join(folder, '.gitignore'), 'utf8')).toMatch(/^one\.key\n[^]*^two\.key\n/m);
  expect(await svc(folder, ['init', '--environment', 'staging'])).toMatchObject({ code: exitCodes.usage });
  expect(await svc(folder, [...named, '--environment', 'production'])).toMatchObject({
    code: exitCodes.usage,
    err: expect.stringContaining('The svc.json in this folder is for sandbox, and is left as it is.'),
  });
  expect(await read()).toMatchObject({ environment: 'sandbox', cert: 'two.pem' });
  await writeFile(join(folder, 'svc.json'), '{ "baseUrl":');
  expect(await svc(folder, named)).toMatchObject({
    code: exitCodes.usage,
    err: expect.stringContaining('is there already, and is no JSON'),
  });
  expect(await readFile(join(folder, 'svc.json'), 'utf8')).toBe('{ "baseUrl":');
});

test('from an empty folder to rows: init, csr, cert install, redeem, sync, deletions', async () => {
  const sharing = new Sharing(world);
  const folder = await mkdtemp(join(world.folder, 'new-'));
  await writeFile(join(folder, 'ca.pem'), world.machineApiCa);
  const settings = ['--base-url', `${world.machineApiUrl}/v1`, '--portal-url', portalUrl, '--ca', 'ca.pem'];
  expect((await svc(folder, ['init', ...settings])).code).toBe(exitCodes.done);
  expect(await readFile(join(folder, '.gitignore'), 'utf8')).toContain('client.key\n');

  const client = await world.fixtures.client();
  // Each command asks who it is first, so together they would wait for the next minute.
  await world.fixtures.override(client, 'requests_per_minute', 600);
  expect((await svc(folder, ['csr', client.commonName])).code).toBe(exitCodes.done);
  expect((await stat(join(folder, 'client.key'))).mode & 0o777).toBe(0o600);
  const key = await readFile(join(folder, 'client.key'), 'utf8');
  expect((await svc(folder, ['csr', client.commonName])).code).toBe(exitCodes.usage);
  expect(await readFile(join(folder, 'client.key'), 'utf8')).toBe(key);
  await writeFile(join(folder, 'download.pem'), await issuedFor(client, await readFile(join(folder, 'client.csr'), 'utf8')));
  expect(await svc(folder, ['cert', 'install', 'download.pem'])).toMatchObject({ code: exitCodes.done });
  const { code } = await sharing.code(client, { orders: 3, vehicles: 1 });
  const redeemed = await svc(folder, ['redeem', '--json'], `${code.slice(0, 5)} ${code.slice(5)}\n`);
  const { connection_id: connectionId, resources } = JSON.parse(redeemed.out) as { connection_id: string; resources: { id: string }[] };
  const again = await svc(folder, ['redeem'], `${code}\n`);
  expect(again.err).not.toContain(code);
  expect(again.err.match(/Ask the user for a new code/g)).toHaveLength(1);

  expect(JSON.parse((await svc(folder, ['sync', '--into', 'copy.sqlite', '--json'])).out)).toMatchObject({ upserts: 4, recovered: true });
  const copy = new DatabaseSync(join(folder, 'copy.sqlite'), { readOnly: true });
  expect(
    copy
      .prepare('select id from svc_resource order by id')
      .all()
      .map(({ id }) => id),
  ).toEqual(resources.map(({ id }) => id).sort());
  copy.close();
  const [first] = resources;
  expect(JSON.parse((await svc(folder, ['get', first?.id ?? '', '--json'])).out)).toMatchObject({
    id: first?.id,
    connection_id: connectionId,
  });
  expect((await svc(folder, ['history', first?.id ?? ''])).out).toContain('status: – → ');

  const deletionsOf = (...words: string[]) => svc(folder, ['deletions', ...words, '--into', 'copy.sqlite']);
  const revocationId = await sharing.revokeConnection(client, connectionId);
  const unknown = await deletionsOf('ack', revocationId);
  expect([unknown.code, unknown.err]).toEqual([exitCodes.usage, expect.stringContaining(`This copy knows no deletion ${revocationId}.`)]);
  await svc(folder, ['sync', '--into', 'copy.sqlite']);
  expect((await svc(folder, ['deletions', '--into', 'copy.sqlite'])).out).toContain(revocationId);
  expect((await svc(folder, ['deletions', 'ack', revocationId, '--into', 'copy.sqlite'])).out).toContain(`${revocationId} acknowledged at`);
  expect((await deletionsOf()).out).toBe('');
  expect((await deletionsOf('ack', revocationId)).out).toContain(`${revocationId} was acknowledged before, at `);
  const ended = await svc(folder, ['get', first?.id ?? '']);
  expect([ended.code, ended.err]).toEqual([exitCodes.refused, expect.stringMatching(/access_ended[^]*\n {2}deletion_deadline_at: 20/)]);
  expect(ended.err).toContain(`\n  revocation_id: ${revocationId}\n`);
  expect(ended.err.match(/Delete every copy/g)).toHaveLength(1);
  expect(JSON.parse((await svc(folder, ['get', first?.id ?? '', '--json'])).err)).toMatchObject({
    code: 'access_ended',
    revocation_id: revocationId,
    deletion_deadline_at: expect.stringMatching(/^20/),
  });
  expect((await svc(folder, ['renew'])).out).toContain('Not due');
});

/** The certificate that the service makes of a request that was uploaded. */
async function issuedFor(client: TestClient, requestPem: string): Promise<string> {
  const csr = Buffer.from(requestPem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  const { checkCsrDer } = await import('../../server/domain/certificate/csr/csrRules.ts');
  const verdict = await checkCsrDer(csr, client.commonName);
  if (!verdict.accepted) throw new Error(verdict.message);
  await world.rows("select * from place_certificate($1, 'csr', $2, $3, $4, $5, $6, null)", [
    client.number,
    csr,
    verdict.publicKeyDer,
    verdict.keyType,
    new Date(),
    client.operatorId,
  ]);
  const [row] = await world.rows<{ id: string }>('select id from certificate where client_number = $1', [client.number]);
  const issuer = {
    id: world.authority.issuerId,
    signer: world.authority.signer,
    crlDistributionUrl: 'https://crl.example.com/issuing.crl',
  };
  await issueCertificate(world.em(), { certificateId: row?.id ?? '', issuer, now: world.clock.now() });
  const [issued] = await world.rows<{ pem: string }>('select pem from certificate where id = $1', [row?.id]);
  return `${issued?.pem}${world.authority.chainPem}`;
}

test('svc new writes a back end into a folder, with the package that the portal serves, and writes over nothing', async () => {
  const { certificate } = await world.backEnd();
  const folder = await folderOf(certificate);
  // Only the package has what is copied.
  const packed = (await import(resolve('dist/svc-operator-kit/lib/cli/main.js'))) as { main: typeof main };
  const svcNew = (...words: string[]) => svc(folder, ['new', ...words], '', packed.main);
  const made = await svcNew('shop', '--json');
  expect([made.code, made.err]).toEqual([exitCodes.done, '']);
  const { files } = JSON.parse(made.out) as { files: string[] };
  expect((await readdir(join(folder, 'shop'))).sort()).toEqual(files.toSorted());
  const manifest = async (where: string) => JSON.parse(await readFile(join(folder, where, 'package.json'), 'utf8')) as object;
  expect(await manifest('shop')).toEqual({
    private: true,
    type: 'module',
    scripts: { start: 'node main.ts' },
    dependencies: { 'svc-operator-kit': `${portalUrl}/kit/svc-operator-kit-${version}.tgz` },
  });
  await writeFile(join(folder, 'shop', 'main.ts'), 'mine');
  const again = await svcNew('shop');
  expect([again.code, again.err]).toEqual([exitCodes.usage, expect.stringContaining('main.ts and')]);
  expect(await readFile(join(folder, 'shop', 'main.ts'), 'utf8')).toBe('mine');

  // Where the package was installed first, npm has written what is there.
  await mkdir(join(folder, 'own'));
  const dependencies = { 'svc-operator-kit': 'file:kit.tgz', pg: '8' };
  await writeFile(join(folder, 'own', 'package.json'), JSON.stringify({ name: 'own', scripts: { start: 'mine' }, dependencies }));
  expect((await svcNew('own')).out).toContain('README.md');
  expect(await manifest('own')).toEqual({ name: 'own', type: 'module', scripts: { start: 'mine' }, dependencies });
  expect((await svcNew()).err).toContain('The folder is missing');
});

test('svc renew --print-timer says what has a machine renew by itself, in a folder of any name', async () => {
  const { certificate } = await world.backEnd();
  const folder = join(world.folder, "100 % of Ann's $HOME");
  await symlink(await folderOf(certificate), folder);
  const { code, out } = await svc(folder, ['renew', '--print-timer', '--json']);
  const { service, timer, cron } = JSON.parse(out) as Record<'service' | 'timer' | 'cron', string>;
  expect(code).toBe(exitCodes.done);
  expect(service).toContain(`WorkingDirectory=${world.folder}/100 %% of Ann's $HOME\n`);
  expect(service).toMatch(/^ExecStart="[^"]+node" "[^"]+svc\.js" "renew"$/m);
  expect(timer).toContain('OnCalendar=hourly\n');
  // cron makes a line break of each percent sign that has no backslash before it, and hands the rest to sh.
  const [, command = ''] = /^17 \* \* \* \* (.*)$/.exec(cron) ?? [];
  expect(command.replaceAll('\\%', '')).not.toContain('%');
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replaceAll('\\%', '%').replace('/src/cli/svc.js', '/src/cli/svc.ts')]);
  expect(stdout).toContain('Not due');
  const words = (await svc(folder, ['renew', '--print-timer'])).out;
  for (const part of [service, timer, cron, 'systemctl enable --now svc-renew.timer']) expect(words).toContain(part);
  await rm(folder);
});

test('svc --help names every command with what it does', async () => {
  const { code, out } = await svc(world.folder, ['--help']);
  expect(code).toBe(exitCodes.done);
  for (const command of ['new DIR', 'vectors DIR', 'renew [--print-timer]']) expect(out).toContain(`\n  svc ${command} `);
});

test('svc COMMAND --help prints the lines of that command alone', async () => {
  const helpOf = async (...words: string[]) => (await svc(world.folder, [...words, '--help'])).out.match(/^ {2}svc .*$/gm);
  expect(await helpOf('renew')).toEqual([expect.stringContaining('svc renew [--print-timer]')]);
  expect(await helpOf('deletions')).toHaveLength(2);
  expect(await helpOf('webhook', 'verify')).toEqual([expect.stringContaining('{"method","url","headers","body"}')]);
});

test('svc doctor says that a Node without SQLite cannot sync, and finds nothing wrong with it', async () => {
  const { certificate } = await world.backEnd();
  const program = join(process.cwd(), 'kit/src/cli/svc.ts');
  const run = promisify(execFile)(process.execPath, ['--no-experimental-sqlite', program, 'doctor'], { cwd: await folderOf(certificate) });
  expect((await run).stdout).toMatch(
    /^note {2}Node: Node \S+ has no SQLite\.\n +Use Node 22\.13 or later, the curl commands of the portal, or the library with PostgreSQL\./,
  );
});

test('svc init names a next step only where the pair is missing, since what was pasted may go on by itself', async () => {
  const { certificate } = await world.backEnd();
  const said = async (changes: Changes) => (await svc(await folderOf(certificate, changes), ['init'])).out;
  expect(await said({})).toBe('svc.json is written. `npx svc doctor` checks it.\n');
  expect(await said({ without: ['client.key'] })).toContain(
    'Save client.pem and client.key here, or run `npx svc csr`; then `npx svc doctor` checks it.',
  );
});

test('svc renew says where renewal is switched on if the service has it off', async () => {
  const { code, err } = await svc(await folderOf(await dated(-80, 5)), ['renew']);
  expect([code, err]).toEqual([exitCodes.refused, expect.stringContaining(`${portalUrl}, on the page Certificates`)]);
});

test('a refusal for a missing scope names the scopes, and where one is missing', async () => {
  const { client, certificate } = await world.backEnd({ scopes: ['vehicles.read'] });
  await world.fixtures.share(client, await world.fixtures.connection(client), 1);
  const folder = await folderOf(certificate);
  const args = ['get', 'ord_00000000000000000000000000'];
  expect((await svc(folder, args)).err).toMatch(/scope_required[^]*\n {2}required_scopes: \["orders.read"\]\n {2}missing_in: client\n/);
  expect(JSON.parse((await svc(folder, [...args, '--json'])).err)).toMatchObject({
    required_scopes: ['orders.read'],
    missing_in: 'client',
  });
});

test('svc sync counts one resource as one', async () => {
  const { client, certificate } = await world.backEnd();
  await world.fixtures.share(client, await world.fixtures.connection(client), 1);
  expect((await svc(await folderOf(certificate), ['sync', '--into', 'copy.sqlite'])).out).toMatch(/^1 resource new or changed/);
});

const delivery = { method: 'POST', url: 'https://hooks.example/svc', headers: {}, body: '{}' };
test.each([
  [['webhook', 'verify', 'none.json'], 'There is no file none.json.'],
  [['webhook', 'verify', 'ca.pem'], 'The file is no JSON.'],
  [['webhook', 'verify', 'file'], '“url”, “headers” or “body” is missing', null],
  [['webhook', 'verify', 'file'], '“url”, “headers” or “body” is missing', { ...delivery, body: {} }],
  [['webhook', 'verify', 'file'], '“url” begins neither', { ...delivery, url: 'http://hooks.example/svc' }],
  [['webhook', 'verify', 'file'], '“received_at” is no time', { ...delivery, received_at: 'now' }],
  [['cert', 'install', 'none.pem'], 'There is no file none.pem.'],
  [['deletions', '--into', 'none.sqlite'], 'There is no file none.sqlite.'],
  [['sync', '--into', 'ca.pem'], 'ca.pem cannot be opened: file is not a database.'],
])('svc %j is refused for its file with “%s” and the next step, and makes none', async (args, words, content: unknown = '') => {
  const { certificate } = await world.backEnd();
  const folder = await folderOf(certificate, { files: { file: JSON.stringify(content) } });
  const before = await readdir(folder);
  const { code, err } = await svc(folder, args);
  expect([code, err]).toEqual([exitCodes.usage, expect.stringContaining(words)]);
  if (args[0] === 'webhook') expect(err).toContain('{"method","url","headers","body"}');
  expect(await readdir(folder)).toEqual(before);
});

test.each(['https://hooks.example/svc', 'http://localhost:8080/webhooks', 'http://[::1]'])(
  'svc webhook verify judges what is signed for %s',
  async (url) => {
    const { certificate } = await world.backEnd();
    const folder = await folderOf(certificate, { files: { 'delivery.json': JSON.stringify({ ...delivery, url }) } });
    expect(await svc(folder, ['webhook', 'verify', 'delivery.json'])).toMatchObject({ code: exitCodes.found, out: '401: not signed\n' });
  },
);

test.each([
  [['nothing'], exitCodes.usage, 'There is no command'],
  [['get'], exitCodes.usage, 'The ID'],
  [['sync'], exitCodes.usage, '--into'],
  [['sync', '--code', '1'], exitCodes.usage, '--code'],
  [['get', 'ord_00000000000000000000000000'], exitCodes.refused, 'not_found'],
])('svc %j ends with %i and says why', async (args, code, words) => {
  const { certificate } = await world.backEnd();
  const folder = await folderOf(certificate);
  const answer = await svc(folder, args);
  expect([answer.code, answer.out]).toEqual([code, '']);
  expect(answer.err).toContain(words);
});
