import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:https';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { findFreePort } from '../../server/database/freePort.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { startMailServer } from '../support/clients/mailServer.ts';
import type { PortalClient } from '../support/clients/portalClient.ts';
import { registerByMail } from '../support/clients/registerByMail.ts';
import { PageBlocks } from '../support/run/pageBlocks.ts';
import { packPresent, releaseOf, standInForNpm } from '../support/run/releaseArchive.ts';
import { createRunFolder } from '../support/run/runFolders.ts';
import { Shell } from '../support/run/Shell.ts';
import { until } from '../support/run/until.ts';

const page = 'docs/operating/one-machine.md';
const pages = new PageBlocks([page]);

/** Blocks that cannot run here, by how they begin, with the reason. */
const notRun: Readonly<Record<string, string>> = {
  'apt-get update': 'it fetches packages and makes an account; here the service runs as the account of the test',
  'cp "$PROGRAM"/operations': 'no systemd runs here; tests/platform/operations.test.ts looks at the units',
};

const commands = ['bash', 'openssl', 'curl', 'tar', 'sha256sum', 'runuser'].filter(
  (command) => spawnSync(command, ['--version']).error !== undefined,
);
// The commands of the page are root's.
const onServers = commands.length === 0 && process.getuid?.() === 0 ? test : test.skip;

let folder: string;
let shell: Shell;
let mails: Awaited<ReturnType<typeof startMailServer>>;
let ports: Record<'portal' | 'machineApi' | 'metrics', number>;
let portalUrl: string;
let release: string;
let variables: string;
let owner: PortalClient;
const trusted = getCACertificates('default');
const inFolder = (path: string) => join(folder, path);

beforeAll(async () => {
  if (onServers !== test) return;
  folder = await createRunFolder();
  const names = ['portal', 'machineApi', 'metrics'] as const;
  ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await findFreePort()] as const))) as typeof ports;
  portalUrl = `https://localhost:${ports.portal}`;
  const [tls, archive] = await Promise.all([ensureDevelopmentTls(inFolder('tls'), ['localhost']), packPresent(folder)]);
  release = releaseOf(archive);
  await standInForNpm(inFolder('bin'));
  setDefaultCACertificates([...trusted, tls.caPem]);
  mails = await startMailServer(0);
  // Where an administrator happens to be, a library of ours must not find anything to run.
  await writeFile(inFolder('.graphile-workerrc.js'), `require('node:fs').writeFileSync(${JSON.stringify(inFolder('was-run'))}, '')`);
  shell = openShell();
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await shell?.run('systemctl stop || true').catch(() => undefined);
  await shell?.close();
  await mails?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

function openShell(held: readonly number[] = []): Shell {
  const env = { PATH: `${inFolder('bin')}:${process.env['PATH'] ?? ''}` };
  return new Shell({ cwd: folder, folder, env, held });
}

/** A socket that listens and that nobody here takes connections from. */
async function listening(port: number): Promise<Server & { readonly _handle: { readonly fd: number } }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server as Server & { readonly _handle: { readonly fd: number } };
}

/** A shell that does what systemd does: it holds the sockets all the time, and starts and stops the service. */
async function systemd(): Promise<Shell> {
  const sockets = [await listening(ports.portal), await listening(ports.machineApi)];
  const opened = openShell(sockets.map(({ _handle }) => _handle.fd));
  await opened.run(variables);
  await opened.run(`
systemctl() {
  if [ "$1" = daemon-reload ]; then return; fi
  if [ "$1" != start ] && [ -e service.pid ]; then kill "$(cat service.pid)"; wait; rm service.pid; fi
  if [ "$1" != stop ]; then
    PROGRAM="$PROGRAM" ETC="$ETC" sh -c 'echo $$ > service.pid
      LISTEN_PID=$$ LISTEN_FDS=2 LISTEN_FDNAMES=portal:machine-api exec "$PROGRAM/dist/oi" --settings "$ETC/oi.env" start' >> service.log 2>&1 &
  fi
}`);
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.close(resolve))));
  return opened;
}

/** What another program that renews certificates does with a pair for this machine. */
async function putCertificate(pair: string): Promise<void> {
  await ensureDevelopmentTls(inFolder(pair), ['localhost']);
  await mkdir(inFolder('etc/tls'), { recursive: true });
  await copyFile(inFolder(`${pair}/server.pem`), inFolder('etc/tls/fullchain.pem'));
  await copyFile(inFolder(`${pair}/server.key`), inFolder('etc/tls/privkey.pem'));
}

/** The number of the certificate that a new connection is shown. */
function shownAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: 'localhost', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

const log = () => readFile(inFolder('service.log'), 'utf8').catch(() => '');
const doctor = async () =>
  JSON.parse((await shell.run('oi doctor --json || true')).out) as {
    findings: { severity: string; words: string }[];
    skipped: { check: string }[];
  };
let ready: string;

onServers('the page leads from an empty machine to a service over TLS, with an administrator', async () => {
  variables = pages.take(page, 'RELEASE=', {
    'operator-integration-service-1.0.0': release,
    '/opt/operator-integration-service': inFolder('program'),
    '/etc/operator-integration-service': inFolder('etc'),
    '/var/lib/operator-integration-service': inFolder('data'),
    '/var/backups/operator-integration-service': inFolder('backups'),
    'ACCOUNT=operator-integration': 'ACCOUNT=root',
    'https://operators.example.com': portalUrl,
    'https://api.example.com:8443': `https://localhost:${ports.machineApi}`,
    'smtps://user:password@mail.example.com': `smtp://127.0.0.1:${mails.port}`,
  });
  await shell.run(variables);
  expect((await shell.run(pages.take(page, 'sha256sum --check'))).out).toContain(`${release}.tar.gz: OK`);
  await shell.run(pages.take(page, 'install -d'));
  await putCertificate('tls');
  await shell.run(
    pages.take(page, '(umask 027; cat', {
      'HOST=0.0.0.0': 'HOST=127.0.0.1',
      'PORTAL_PORT=443': `PORTAL_PORT=${ports.portal}`,
      'MACHINE_API_PORT=8443': `MACHINE_API_PORT=${ports.machineApi}\nMETRICS_PORT=${ports.metrics}`,
      // certificateByAcme.test.ts has it by these.
      'ACME_DIR=$ETC/acme\nACME_AGREE_TO_TERMS=true': ['PORTAL', 'MACHINE']
        .map((name) => `${name}_TLS_CERT_FILE=$ETC/tls/fullchain.pem\n${name}_TLS_KEY_FILE=$ETC/tls/privkey.pem`)
        .join('\n'),
    }),
  );
  const looked = await shell.run(pages.take(page, 'printf', { '/usr/local/bin': inFolder('bin') }));
  expect(looked.out).toContain('not seen  database: the embedded database runs only while the service does');
  expect(looked.out).not.toContain('WRONG');
  await shell.close();
  shell = await systemd();
  await shell.run('systemctl start');
  ready = pages.take(page, 'curl -fs --retry', { '9464': String(ports.metrics) });
  await shell.run(ready);
  owner = await registerByMail({ portalUrl, mails, email: 'you@example.com' });
  // Nothing stands in front of it, so it has to know itself who calls.
  expect(await rows('select distinct host(ip) as ip from portal_session')).toEqual([{ ip: '127.0.0.1' }]);
  expect((await shell.run(pages.take(page, 'oi admin grant-role'))).words).toContain('The account now has the role administrator.');
  // The workers are still at it.
  const lists = async () => ((await doctor()).findings.some(({ words }) => words.includes('revocation list')) ? undefined : true);
  await until('The revocation lists', lists);
  const { findings, skipped } = await doctor();
  expect(findings.filter(({ severity }) => severity === 'wrong')).toEqual([]);
  expect(skipped.map(({ check }) => check).filter((check) => check !== 'clock')).toEqual([]);
});

onServers('renewed certificates are shown on both ports by the same process', async () => {
  const pid = await readFile(inFolder('service.pid'), 'utf8');
  const before = await shownAt(ports.portal);
  expect(await shownAt(ports.machineApi)).toBe(before);
  await putCertificate('renewed');
  for (const port of [ports.portal, ports.machineApi]) {
    await until('The renewed certificate', async () => ((await shownAt(port)) === before ? undefined : true));
  }
  await putCertificate('tls');
  await until('The former certificate', async () => ((await shownAt(ports.portal)) === before ? true : undefined));
  expect(await readFile(inFolder('service.pid'), 'utf8')).toBe(pid);
  expect(await log()).toContain('"msg":"tls.renewed"');
});

onServers('a restart refuses and cuts off nobody: those who connect meanwhile wait a moment', async () => {
  const keeping = new Agent({ keepAlive: true, maxSockets: 1 });
  let asking = true;
  let longest = 0;
  const answers: (number | string)[] = [];
  const ask = (agent: Agent | false) =>
    new Promise<void>((resolve) => {
      const startedAt = performance.now();
      const end = (answer: number | string) => {
        longest = Math.max(longest, performance.now() - startedAt);
        answers.push(answer);
        resolve();
      };
      // Without a certificate, which is a question for the machine API as good as any.
      get({ host: 'localhost', port: ports.machineApi, path: '/v1/sync', agent }, (response) =>
        response.resume().once('end', () => end(response.statusCode ?? 0)),
      ).once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    });
  const client = async (agent: Agent | false) => {
    while (asking) {
      await ask(agent);
      await delay(50);
    }
  };
  const clients = [client(false), client(keeping)];
  await shell.run(pages.take(page, 'systemctl restart'));
  await shell.run(ready);
  asking = false;
  await Promise.all(clients);
  keeping.destroy();
  process.stdout.write(`The longest wait during a restart was ${(longest / 1000).toFixed(1)} s.\n`);
  expect(answers.filter((answer) => answer !== 401 && answer !== 429)).toEqual([]);
  expect(answers.length).toBeGreaterThan(20);
});

async function rows(text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: (await readFile(inFolder('data/database-url'), 'utf8')).trim() });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** What people have done, table by table; counters and sessions go on by themselves. */
function recorded(): Promise<unknown[]> {
  const tables = ['operator', 'passkey', 'audit_entry', 'certificate_authority', 'key_ring_entry', 'webhook_signing_key', 'migration'];
  // But for what a restore itself does.
  const digest = (table: string) =>
    `select '${table}' as name, count(*), md5(string_agg(j, ',' order by j)) from ${table} t, lateral (select (to_jsonb(t) - 'crl_number')::text as j) as j
     where (to_jsonb(t)->>'action') is null or to_jsonb(t)->>'action' not in ('feed.reset', 'production_gate.closed')`;
  return rows(tables.map(digest).join(' union all '));
}

onServers('a backup is restored, and nothing that was done before it is lost', async () => {
  await shell.run('oi admin open-gate --reason "Operators may begin."');
  const before = await recorded();
  const taken = (await shell.run(pages.take(page, 'oi backup'))).out.trim();
  expect(taken).toMatch(/backups\/backup-\d{8}T\d{6}Z$/);
  await registerByMail({ portalUrl, mails, email: 'later@example.com' });
  await shell.run(pages.take(page, 'systemctl stop'));
  await shell.run(ready);
  expect(await recorded()).toEqual(before);
  // Until somebody has looked at what the restore took back, it harms nobody.
  expect(
    await rows(`select (select production_data_enabled from service_gate) as gate,
      (select count(*)::int from portal_session where ended_at is null) as sessions,
      (select array_agg(action order by action) from audit_entry where action in ('feed.reset', 'production_gate.closed')) as did`),
  ).toEqual([{ gate: false, sessions: 0, did: ['feed.reset', 'production_gate.closed'] }]);
  await owner.signIn();
  expect((await shell.run('oi doctor --json')).out).not.toContain('"wrong"');
  const { words } = await shell.run(`
    for name in one two; do openssl rand -hex 32 > $name.key; chmod 644 $name.key; done
    (set -a; DATA_DIR="$PWD/elsewhere" MASTER_KEY_FILE="$PWD/one.key" SIGNING_KEY_FILE="$PWD/two.key"; set +a
     "$PROGRAM/dist/oi" --settings "$ETC/oi.env" restore '${taken}')`);
  expect(words.match(/The service will not start with the keys that are set now.*under the key/g)).toHaveLength(2);
});

onServers('no command runs what lies in the folder in which it is called', () => {
  expect(existsSync(inFolder('was-run'))).toBe(false);
});

onServers('every block of the page has run, or stands on the list of those that cannot, with its reason', () => {
  const beginnings = pages.left.map(({ text }) => Object.keys(notRun).find((beginning) => text.startsWith(beginning)) ?? text);
  expect(beginnings.toSorted()).toEqual(Object.keys(notRun).toSorted());
});
