import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findFreePort } from '../../server/database/freePort.ts';
import { startMailServer } from '../support/clients/mailServer.ts';
import { startPebble, withPebble, type Pebble } from '../support/clients/pebble.ts';
import { PageBlocks } from '../support/run/pageBlocks.ts';
import { createRunFolder } from '../support/run/runFolders.ts';
import { Shell } from '../support/run/Shell.ts';
import { until } from '../support/run/until.ts';

const page = 'docs/operating/one-machine.md';
const oi = `${resolve('dist/oi')} --settings oi.env`;

let folder: string;
let mails: Awaited<ReturnType<typeof startMailServer>>;
let pebble: Pebble;
let shell: Shell;
let ports: Record<'portal' | 'machineApi' | 'metrics' | 'http', number>;
let serial: string;
const inFolder = (path: string) => join(folder, path);

beforeAll(async () => {
  if (withPebble !== test) return;
  folder = await createRunFolder();
  const names = ['portal', 'machineApi', 'metrics', 'http'] as const;
  ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await findFreePort()] as const))) as typeof ports;
  mails = await startMailServer(0);
  pebble = await startPebble({ folder: inFolder('pebble'), httpPort: ports.http, zone: { localhost: ['127.0.0.1'] } });
  await mkdir(inFolder('etc'));
  for (const [name, digits] of [
    ['master', 'ab'],
    ['signing', 'cd'],
  ] as const)
    await writeFile(inFolder(`etc/${name}.key`), digits.repeat(32));
  shell = openShell();
  await writeSettings();
});
afterAll(async () => {
  await shell?.run('stop').catch(() => undefined);
  await shell?.close();
  await pebble?.close();
  await mails?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

function openShell(held: readonly number[] = []): Shell {
  const env = { PATH: process.env['PATH'] ?? '', NODE_EXTRA_CA_CERTS: inFolder('pebble/ca.pem') };
  return new Shell({ cwd: folder, folder, env, held });
}

/** The settings of the page, but for this machine and its authority. */
async function writeSettings(): Promise<void> {
  const pages = new PageBlocks([page]);
  await shell.run(
    pages.take(page, 'RELEASE=', {
      '/etc/operator-integration-service': inFolder('etc'),
      '/var/lib/operator-integration-service': inFolder('data'),
      '/var/backups/operator-integration-service': inFolder('backups'),
      'https://operators.example.com': `https://localhost:${ports.portal}`,
      'https://api.example.com:8443': `https://localhost:${ports.machineApi}`,
      'smtps://user:password@mail.example.com': `smtp://127.0.0.1:${mails.port}`,
    }),
  );
  await shell.run(
    pages.take(page, '(umask 027; cat', {
      '$ETC/oi.env': 'oi.env',
      ' && chgrp "$ACCOUNT" "oi.env"': '',
      'HOST=0.0.0.0': 'HOST=127.0.0.1',
      'PORTAL_PORT=443': `PORTAL_PORT=${ports.portal}`,
      'MACHINE_API_PORT=8443': `MACHINE_API_PORT=${ports.machineApi}\nMETRICS_PORT=${ports.metrics}`,
      'ACME_AGREE_TO_TERMS=true': `ACME_AGREE_TO_TERMS=true\nACME_SERVER=${pebble.directory}\nACME_HTTP_PORT=${ports.http}`,
    }),
  );
  await mkdir(inFolder('etc/acme'), { mode: 0o700 });
}

/** A socket that listens and that nobody here takes connections from. */
async function listening(port: number): Promise<Server & { readonly _handle: { readonly fd: number } }> {
  const server = createServer();
  await new Promise<void>((heard) => server.listen(port, '127.0.0.1', heard));
  return server as Server & { readonly _handle: { readonly fd: number } };
}

/** A shell that holds all three sockets, as systemd does, and starts and stops the service. */
async function systemd(): Promise<Shell> {
  const sockets = await Promise.all([ports.portal, ports.machineApi, ports.http].map(listening));
  const opened = openShell(sockets.map(({ _handle }) => _handle.fd));
  await opened.run(`
start() {
  sh -c 'echo $$ > service.pid
    LISTEN_PID=$$ LISTEN_FDS=3 LISTEN_FDNAMES=portal:machine-api:http exec ${oi} start' >> service.log 2>&1 &
}
stop() { if [ -e service.pid ]; then kill "$(cat service.pid)"; wait; rm service.pid; fi; }`);
  await Promise.all(sockets.map((socket) => new Promise((closed) => socket.close(closed))));
  return opened;
}

function answerOf(url: string): Promise<{ status: number | undefined; location: string | undefined } | undefined> {
  return new Promise((answered) => {
    get(url, (response) => {
      response.resume();
      answered({ status: response.statusCode, location: response.headers.location });
    }).once('error', () => answered(undefined));
  });
}

async function ready(): Promise<void> {
  await until('The service', async () => ((await answerOf(`http://127.0.0.1:${ports.metrics}/readyz`))?.status === 200 ? true : undefined));
}

/** The number of the certificate that a new connection is shown, which has to come from the authority and be for the name. */
function shownAt(port: number, ca: string): Promise<string> {
  return new Promise((seen, refused) => {
    const socket = connect({ host: 'localhost', servername: 'localhost', port, ca }, () => {
      seen(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', refused);
  });
}

type Said = {
  readonly findings: readonly { readonly check: string; readonly severity: string; readonly words: string; readonly remedy: string }[];
  readonly skipped: readonly { readonly check: string; readonly reason: string }[];
};
const doctor = async () => JSON.parse((await shell.run(`${oi} doctor --json || true`)).out) as Said;
const wrongIn = ({ findings }: Said) => findings.filter(({ severity }) => severity === 'wrong');

withPebble('with the settings of the page, the first start gets a certificate, and both servers show it', async () => {
  const before = await doctor();
  expect(wrongIn(before)).toEqual([]);
  expect(before.skipped).toContainEqual({ check: 'certificates', reason: 'there is none yet; the service gets one when it starts' });
  await shell.close();
  shell = await systemd();
  await shell.run('start');
  await ready();
  const root = await pebble.rootPem();
  serial = await shownAt(ports.portal, root);
  expect(await shownAt(ports.machineApi, root)).toBe(serial);
  expect(await answerOf(`http://localhost:${ports.http}/docs`)).toEqual({
    status: 308,
    location: `https://localhost:${ports.portal}/docs`,
  });
  expect((await doctor()).findings.filter(({ check }) => check === 'acme' || check === 'certificates')).toEqual([]);
});

withPebble('a restart uses it, also while the authority is away', async () => {
  const root = await pebble.rootPem();
  await shell.run('stop');
  await pebble.stop();
  await shell.run('start');
  await ready();
  expect(await shownAt(ports.portal, root)).toBe(serial);
  expect((await readFile(inFolder('service.log'), 'utf8')).match(/"msg":"acme\.\w+"/g)).toEqual(['"msg":"acme.issued"']);
});

withPebble('without one, and without the authority, the start ends with the variable and what to do, and so does the doctor', async () => {
  await shell.run('stop');
  await rm(inFolder(`etc/acme/${new URL(pebble.directory).host.replace(':', '_')}.pem`));
  await shell.run('start; wait');
  const remedy = 'See that ACME_SERVER is the URL of the authority’s directory';
  expect(await readFile(inFolder('service.log'), 'utf8')).toMatch(
    new RegExp(`^ACME_SERVER: localhost:\\d+ cannot be reached \\(ECONNREFUSED\\)\\. ${remedy}`, 'm'),
  );
  expect(wrongIn(await doctor())).toContainEqual({
    check: 'acme',
    severity: 'wrong',
    words: expect.stringMatching(/^ACME_SERVER: localhost:\d+ cannot be reached \(ECONNREFUSED\), once; the next attempt is not before 20/),
    remedy: expect.stringContaining(remedy),
  });
});

withPebble('a stop while the next start waits is no failed start', async () => {
  const before = (await readFile(inFolder('service.log'), 'utf8')).length;
  const said = async () => (await readFile(inFolder('service.log'), 'utf8')).slice(before);
  await shell.run('start');
  await until('The wait', async () => ((await said()).includes('"msg":"acme.waits"') ? true : undefined));
  await shell.run('stop');
  expect((await said()).match(/"msg":"process\.\w+"/g)).toEqual(['"msg":"process.stopping"', '"msg":"process.stopped"']);
  expect(await said()).toContain('"exitCode":0');
});
