import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readlinkSync } from 'node:fs';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, getCACertificates, setDefaultCACertificates, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openCluster, superuser } from '../../server/database/databaseCluster.ts';
import { findFreePort } from '../../server/database/freePort.ts';
import { locatePostgresBinaries } from '../../server/database/postgresBinaries.ts';
import { findPostgresUser } from '../../server/database/postgresUser.ts';
import { spawnPostmaster, type Postmaster } from '../../server/database/spawnPostmaster.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { serveTls, settingOf, writeOnServer } from '../support/database/serveTls.ts';
import { newKey, type PortalClient, type CertificateData } from '../support/clients/portalClient.ts';
import { startMailServer } from '../support/clients/mailServer.ts';
import { registerByMail } from '../support/clients/registerByMail.ts';
import { initializeOtherVersion } from '../support/run/otherVersion.ts';
import { PageBlocks } from '../support/run/pageBlocks.ts';
import { packPresent, releaseOf, standInForNpm } from '../support/run/releaseArchive.ts';
import { createRunFolder } from '../support/run/runFolders.ts';
import { Shell } from '../support/run/Shell.ts';
import { until } from '../support/run/until.ts';

const [operating, install, keys, recovery, administration, webhooks] = [
  'docs/operating.md',
  ...['install', 'keys', 'recovery', 'administration', 'webhooks'].map((page) => `docs/operating/${page}.md`),
] as [string, string, string, string, string, string];
/** That of one machine has a test of its own. */
const pages = new PageBlocks([operating, ...globSync('docs/operating/*.md').filter((page) => !page.endsWith('/one-machine.md'))]);

/** Blocks that cannot run here, by how they begin, with the reason. What they name is looked at below. */
const notRun: Readonly<Record<string, string>> = {
  '[databases]': 'PgBouncer is not among the packages; it is a file for it, without commands of ours',
  'create role oi_owner': 'createRoles.sh does the same with more, and a server takes it only once',
  "alter role oi_portal password '…'": 'createRoles.sh has given the roles their passwords',
};

/** The newest PostgreSQL that is installed with its client programs, or else the server of the packages, to which no pg_dump may be at hand. */
const programs =
  process.env['TEST_POSTGRES'] ??
  globSync('/usr/lib/postgresql/*/bin')
    .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))
    .find((folder) => existsSync(join(folder, 'pg_dump')) && existsSync(join(folder, 'initdb')));
const commands = ['bash', 'psql', 'openssl', 'curl', 'tar', 'sha256sum'].filter(
  (command) => spawnSync(command, ['--version']).error !== undefined,
);
const onServers = commands.length === 0 ? test : test.skip;

let folder: string;
/** The link to the folder of the release that runs. */
let program: string;
let release: string;
let shell: Shell;
let postmaster: Postmaster;
let mails: Awaited<ReturnType<typeof startMailServer>>;
let proxy: Server;
let portalUrl: string;
let ports: Record<'database' | 'portal' | 'machineApi' | 'portalMetrics' | 'machineMetrics' | 'workersMetrics', number>;
let owner: PortalClient;
let server: pg.Client;
const trusted = getCACertificates('default');

beforeAll(async () => {
  if (commands.length > 0) return;
  folder = await createRunFolder();
  const names = ['database', 'portal', 'machineApi', 'portalMetrics', 'machineMetrics', 'workersMetrics'] as const;
  ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await findFreePort()] as const))) as typeof ports;
  program = join(folder, 'opt/operator-integration-service');
  await mkdir(join(folder, 'opt'));
  const packed = packPresent(join(folder, 'given'));
  const tls = await ensureDevelopmentTls(join(folder, 'tls'), ['localhost', '127.0.0.1']);
  const password = await startDatabase(tls);
  mails = await startMailServer(0, undefined, undefined, { cert: tls.certPem, key: tls.keyPem });
  // The proxy that the pages ask for in front of the portal.
  proxy = createServer({ cert: tls.certPem, key: tls.keyPem }, (socket) => {
    const inside = connect(ports.portal, '127.0.0.1');
    socket.pipe(inside).pipe(socket);
    for (const end of [socket, inside]) end.on('error', () => void [socket.destroy(), inside.destroy()]);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  portalUrl = `https://localhost:${(proxy.address() as AddressInfo).port}`;
  setDefaultCACertificates([...trusted, tls.caPem]);
  release = releaseOf(await packed);
  await standInForNpm(join(folder, 'bin'));
  shell = new Shell({
    cwd: join(folder, 'given'),
    folder,
    env: {
      PATH: [join(folder, 'bin'), ...(programs === undefined ? [] : [programs]), process.env['PATH'] ?? ''].join(':'),
      PGPASSWORD: password,
      NODE_EXTRA_CA_CERTS: join(folder, 'tls/ca.pem'),
    },
  });
  await mkdir(join(folder, 'archive'));
});

afterAll(async () => {
  setDefaultCACertificates(trusted);
  const stop = 'kill $(cat portal.pid machine-api.pid workers.pid 2> /dev/null) 2> /dev/null || true';
  // A shell that is stuck stops nothing.
  await shell?.run(`${stop}; wait`).catch(() => spawnSync('bash', ['-c', stop], { cwd: program }));
  await shell?.close();
  await server?.end().catch(() => undefined);
  await Promise.all([mails?.close(), new Promise((resolve) => (proxy ? proxy.close(resolve) : resolve(undefined)))]);
  await postmaster?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** A server of our own that takes encrypted connections only. Resolves with the password of its administrator. */
async function startDatabase(tls: { certPem: string; keyPem: string }): Promise<string> {
  const log = { info: () => undefined, warn: () => undefined, error: (message: string) => console.error(message) };
  const user = await findPostgresUser();
  const binaries = (await initializeOtherVersion(folder, programs)) ?? (await locatePostgresBinaries(user));
  const cluster = await openCluster({ dataDir: folder, user, binaries, log });
  const settings = { fsync: 'off', full_page_writes: 'off' };
  postmaster = await spawnPostmaster({ binaries, user, cluster, port: ports.database, settings, log });
  const { password } = cluster;
  server = new pg.Client({ host: '127.0.0.1', port: ports.database, user: superuser, password, database: 'postgres' });
  await server.connect();
  const hba = await settingOf(server, 'hba_file');
  await writeOnServer(server, hba, 'hostssl all all 127.0.0.1/32 scram-sha-256');
  await serveTls(server, { ssl_cert_file: tls.certPem, ssl_key_file: tls.keyPem });
  return password;
}

const inTree = (file: string) => join(program, file);
const secret = (file: string) => join(folder, 'secrets', file);
const processLogs = async () =>
  (await Promise.all(['portal', 'machine-api', 'workers'].map((name) => readFile(inTree(`${name}.log`), 'utf8').catch(() => '')))).join('');

/** The values that the page asks for, in the place of those that stand there. */
async function giveVariables(): Promise<void> {
  await shell.run(
    pages.take(install, 'RELEASE=', {
      'operator-integration-service-1.0.0': release,
      '/opt/operator-integration-service': program,
      'db.example.com': 'localhost',
      '5432': String(ports.database),
      '/etc/operator-integration-service': join(folder, 'secrets'),
      'https://operators.example.com': portalUrl,
      'https://api.example.com': `https://localhost:${ports.machineApi}`,
    }),
  );
}

/** What somebody edits in the four files, and the files of certificates that they put beside them. */
async function editEnvironment(): Promise<void> {
  const shared =
    'APP_URL=https://app.example.com\nSUPPORT_CONTACT=support@example.com\nDRAIN_SECONDS=0\nHOST=127.0.0.1\nMETRICS_HOST=127.0.0.1\n';
  const edits = {
    portal: `${shared}TRUSTED_PROXIES=none\nPORTAL_PORT=${ports.portal}\nMETRICS_PORT=${ports.portalMetrics}\n`,
    'machine-api': `${shared}TRUSTED_BALANCERS=none\nMACHINE_API_PORT=${ports.machineApi}\nMETRICS_PORT=${ports.machineMetrics}\n`,
    workers: `${shared}METRICS_PORT=${ports.workersMetrics}\nSMTP_URL=smtps://localhost:${mails.port}\n`,
  };
  for (const [name, lines] of Object.entries(edits)) await appendFile(secret(`${name}.env`), lines);
  const tls = (file: string) => readFile(join(folder, 'tls', file));
  await writeFile(secret('database-ca.pem'), await tls('ca.pem'));
  await writeFile(secret('server.pem'), Buffer.concat([await tls('server.pem'), await tls('ca.pem')]));
  await writeFile(secret('server.key'), await tls('server.key'));
}

/** Everything up to the authorities' list. The root asks for a passphrase, which nobody is here to type. */
async function importAuthority(): Promise<void> {
  const [request = '', rest = ''] = pages.take(install, 'terminal issuing-authority-request').split(/^# … sign.*\n/m);
  await shell.run(pages.take(keys, 'openssl ecparam', { ' -aes256': '' }));
  await shell.run(request);
  const signing = pages.take(keys, 'openssl req -in issuing.csr');
  await shell.run(signing);
  await shell.run(pages.take(keys, 'cat > root.cnf'));
  await shell.run('openssl ca -config root.cnf -gencrl -crldays 90 -out root.crl');
  const imported = await shell.run(rest);
  expect(imported.words).toContain('is published');
  // The same on the page of keys, for the authority after this one.
  await shell.run(pages.take(keys, 'terminal issuing-authority-request'));
  await shell.run(signing);
  expect((await shell.run(pages.take(keys, 'cat issuing.pem root.pem'))).words).not.toBe('');
}

/** An integration of our own with its certificate, as the last sentence of the page asks for. */
async function obtainCertificate(client: PortalClient): Promise<void> {
  const { slug, clientId, commonName } = await client.createIntegration({ requestedScopes: ['orders.read', 'statistics.orders.read'] });
  await client.confirmFreshly();
  const key = newKey();
  const { data, errors } = await client.requestCertificate({ clientId, commonName }, key);
  if (!data) throw new Error(JSON.stringify(errors));
  const issued = await until('The certificate', async (): Promise<CertificateData | undefined> => {
    const found = (await client.certificates(slug)).find(({ id }) => id === data.id);
    if (found?.status === 'failed') throw new Error(`${found.failure} ${await processLogs()}`);
    return found?.status === 'issued' ? found : undefined;
  });
  await writeFile(inTree('sandbox-2026-11.pem'), await (await client.fetch(issued.bundlePath ?? '')).text());
  await writeFile(inTree('sandbox-2026-11.key'), key.export({ format: 'pem', type: 'pkcs8' }));
}

const stopAll = () => shell.run('kill $(cat portal.pid machine-api.pid workers.pid); wait');
let startAll: string;
let readyAll: string;
async function start(): Promise<void> {
  await shell.run(startAll);
  await shell.run(readyAll).catch(async (error: unknown) => {
    throw new Error(`The processes are not ready.\n${(await processLogs()).slice(-8000)}`, { cause: error });
  });
}

onServers('install.md leads from an empty PostgreSQL with TLS to the first mail, an administrator and a check of the whole', async () => {
  await giveVariables();
  expect((await shell.run(pages.take(install, 'sha256sum --check'))).out).toContain(`${release}.tar.gz: OK`);
  await shell.run(pages.take(install, 'install -d -m 700'));
  await shell.run(pages.take(install, '(\n  export OWNER_PASSWORD'));
  await shell.run(pages.take(install, 'for process in owner:migrate'));
  await editEnvironment();
  await shell.run(pages.take(install, 'with() ('));
  expect((await shell.run(pages.take(install, 'with migrate oi migrate'))).words).toMatch(/\d+ migrations in /);
  await importAuthority();
  startAll = pages.take(install, 'run() {');
  readyAll = pages.take(install, 'for port in 9464', {
    '9464 9465 9466': `${ports.portalMetrics} ${ports.machineMetrics} ${ports.workersMetrics}`,
  });
  await start();
  owner = await registerByMail({ portalUrl, mails, email: 'you@example.com' });
  expect(mails.received[0]?.from).toBe('no-reply@example.com');
  expect((await shell.run(pages.take(install, 'terminal grant-role'))).words).toContain('The account now has the role administrator.');
  await obtainCertificate(owner);
  const smoke = pages.take(operating, 'oi smoke', {
    'https://api.example.com': `https://localhost:${ports.machineApi}`,
    'https://operators.example.com': portalUrl,
  });
  const said = await shell.run(smoke);
  expect(said.out.trim().split('\n').length).toBeGreaterThan(5);
  await shell.run(`(unset NODE_EXTRA_CA_CERTS; ${smoke} --ca '${join(folder, 'tls/ca.pem')}')`);
});

onServers('each process shows its own metrics: those of webhooks are the workers’', async () => {
  const namesAt = async (port: number) => (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).includes('svc_webhook_');
  expect(await Promise.all([ports.portalMetrics, ports.machineMetrics, ports.workersMetrics].map(namesAt))).toEqual([false, false, true]);
});

onServers(
  'an upgrade: the next release is unpacked beside the present one, migrates, and takes its place, and the former one comes back',
  async () => {
    // What is packed now, under the name of a later release.
    const next = 'operator-integration-service-99.0.0';
    await shell.run(`cp -al "$(readlink -f "$PROGRAM")" "${folder}/${next}" && rm -rf "${folder}/${next}/node_modules"
tar -czf "${next}.tar.gz" -C "${folder}" "${next}" && sha256sum "${next}.tar.gz" > SHA256SUMS`);
    await shell.run(pages.take(operating, 'RELEASE=', { 'operator-integration-service-1.1.0': next }));
    expect((await shell.run(pages.take(operating, 'with migrate "${PROGRAM'))).words).toContain('There is nothing to migrate.');
    for (const [link, leadsTo] of [
      [pages.take(operating, 'FORMER='), next],
      [pages.take(operating, 'ln -sfn "$FORMER"'), release],
    ] as const) {
      await shell.run(link);
      expect(readlinkSync(program)).toBe(leadsTo);
      await stopAll();
      await start();
      // The processes that run now are of the release that the link leads to.
      const runs = await shell.run('tr "\\0" "\\n" < "/proc/$(cat workers.pid)/cmdline"');
      expect(runs.out).toContain(`/opt/${leadsTo}/dist/`);
    }
  },
);

onServers('the page on administration: feeds, months of the audit trail, and tokens', async () => {
  expect((await shell.run(pages.take(operating, 'with portal oi doctor'))).out).not.toContain('WRONG');
  await shell.run(pages.take(administration, 'count=$(terminal reset-feeds)'));
  const archive = join(folder, 'archive');
  await shell.run(pages.take(administration, 'terminal export-audit-month', { '2026-05': '2020-05', '/archive': archive }));
  expect(readdirSync(archive)).toEqual(['audit-2020-05.ndjson']);
  await shell.run(pages.take(administration, '(umask 077; terminal create-service-token'));
  expect(await readFile(inTree('order-feed.token'), 'utf8')).toMatch(/^svct_\w+\n$/);
  const outbox = pages.take(webhooks, 'select endpoint_number');
  expect((await shell.run(`psql oi -v ON_ERROR_STOP=1 <<'SQL'\n${outbox}\nSQL`)).out).toContain('next_attempt');
});

onServers('recovery.md: a copy is restored, and the service goes on from it with nothing lost', async () => {
  const backup = pages.take(operating, 'with migrate oi backup', { '$(date -u +%Y%m%d)': 'copy' });
  const restore = pages.take(recovery, 'pg_restore', { FILE: 'oi-copy.dump' });
  const counted =
    'psql -At oi -c "select (select count(*) from operator) + (select count(*) from integration) + (select count(*) from certificate)"';
  const before = (await shell.run(counted)).out;
  await stopAll();
  if (programs === undefined) {
    // Without client programs of the server's version there is no copy, and the command says so.
    expect((await shell.run(backup, 1)).words).toMatch(/pg_dump (failed|is not installed)/);
    expect(existsSync(inTree('oi-copy.dump'))).toBe(false);
  } else {
    expect((await shell.run(backup)).out).toMatch(/^[0-9a-f]{64} {2}oi-copy\.dump\n$/);
    expect((await shell.run(backup, 1)).words).toContain('oi-copy.dump exists, and a backup is never written over.');
    // The container's own copies, which need nothing of ours.
    const asOwner = 'PGUSER=oi_owner PGDATABASE=oi PGPASSWORD="$(cat "$SECRETS/oi_owner.password")"';
    const made = (await shell.run(`${asOwner} bash operations/container/backup.sh ${join(folder, 'archive')} once`)).out.trim();
    expect(existsSync(made)).toBe(true);
    expect((await shell.run(`pg_restore --list ${made}`)).out).toContain('TABLE DATA public integration');
    await shell.run(
      `PGPASSWORD=wrong ${asOwner.replace(/PGPASSWORD=.*/, '')} bash operations/container/backup.sh ${join(folder, 'archive')} once`,
      1,
    );
    expect(readdirSync(join(folder, 'archive')).filter((file) => file.endsWith('.part'))).toEqual([]);
    await shell.run('psql postgres -c "drop database oi" -c "create database oi owner oi_owner"');
    await shell.run(restore);
  }
  expect((await shell.run(counted)).out).toBe(before);
  await shell.run(pages.take(recovery, 'with migrate oi migrate'));
  await shell.run(pages.take(recovery, 'count=$(terminal reset-feeds)'));
  await shell.run(pages.take(recovery, 'terminal close-gate'));
  await start();
  await shell.run(pages.take(recovery, 'terminal open-gate'));
  await shell.run(pages.take(recovery, 'psql postgres -c'));
  await owner.signIn();
});

/** What a command shows and does not do: the count to hand back. */
const shown = async (command: string) => (await shell.run(command, 3)).out.trim();

onServers('recovery.md: lost keys are given up and replaced', async () => {
  await stopAll();
  await shell.run(pages.take(recovery, '(umask 077; openssl rand -hex 32 > "$SECRETS/master.key")'));
  const count = await shown(pages.take(recovery, 'terminal abandon-lost-keys MASTER_KEY'));
  await shell.run(pages.take(recovery, 'terminal abandon-lost-keys MASTER_KEY --count N', { '--count N': `--count ${count}` }));
  await shell.run(pages.take(recovery, '(umask 077; openssl rand -hex 32 > "$SECRETS/signing.key")'));
  const [see = '', giveUp = ''] = pages.take(recovery, 'terminal abandon-lost-keys SIGNING_KEY').split('\n');
  await shell.run(giveUp.replace('--count N', `--count ${await shown(see)}`));
  await start();
  await owner.signIn();
});

onServers('keys.md: an authority is revoked at its root, first shown and then done', async () => {
  const [revoke = '', list = '', look = '', take = ''] = pages.take(keys, 'openssl ca -config root.cnf -revoke').split('\n');
  await shell.run(`${revoke}\n${list}`);
  const count = await shown(look);
  await shell.run(take.replace('--count N', `--count ${count}`));
});

onServers('every block of the pages has run, or stands on the list of those that cannot, with its reason', () => {
  const left = pages.left.map(({ page, text }) => ({
    page,
    beginning: Object.keys(notRun).find((beginning) => text.startsWith(beginning)),
    text,
  }));
  expect(left.filter(({ beginning }) => beginning === undefined)).toEqual([]);
  expect(left.map(({ beginning }) => beginning).toSorted()).toEqual(Object.keys(notRun).toSorted());
});
