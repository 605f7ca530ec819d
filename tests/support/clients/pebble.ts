import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { join, resolve } from 'node:path';
import { test } from '@jest/globals';
import { findFreePort } from '../../../server/database/freePort.ts';
import { ensureDevelopmentTls } from '../../../server/platform/developmentTls.ts';
import { until } from '../run/until.ts';
import { startNameServer, type Zone } from './nameServer.ts';

/** The authority of Let’s Encrypt for tests (MPL-2.0), a module of Go that is built where Go is. */
const release = 'v2.10.3';
const program = resolve(`node_modules/.cache/pebble-${release}/pebble`);

/** Whether it is there, or could be built, once. */
function isBuilt(): boolean {
  if (existsSync(program)) return true;
  if (spawnSync('go', ['version']).status !== 0) return false;
  const env = { ...process.env, GOBIN: resolve(program, '..'), CGO_ENABLED: '0' };
  return spawnSync('go', ['install', `github.com/letsencrypt/pebble/v2/cmd/pebble@${release}`], { env, stdio: 'ignore' }).status === 0;
}

const built = isBuilt();
if (!built)
  process.stdout.write('Pebble is not here and cannot be built, which takes Go and a way to its modules: tests with it are left out.\n');

/** For tests that need Pebble. */
export const withPebble = built ? test : test.skip;

type Options = {
  readonly folder: string;
  /** Where it asks what names lead to, instead of port 80. */
  readonly httpPort: number;
  /** The names that it finds. */
  readonly zone: Zone;
};

export type Pebble = Awaited<ReturnType<typeof startPebble>>;

/** Starts Pebble on loopback addresses. It validates for real, and refuses each nonce with a chance of one to twenty, as it does by default. */
export async function startPebble({ folder, httpPort, zone }: Options) {
  await mkdir(folder, { recursive: true });
  const { caPem } = await ensureDevelopmentTls(folder);
  const [port, managementPort, tlsPort] = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  const names = await startNameServer(zone);
  const configuration = join(folder, 'pebble.json');
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: join(folder, 'server.pem'),
    privateKey: join(folder, 'server.key'),
    httpPort,
    tlsPort,
    domainBlocklist: ['refused.example'],
    keyAlgorithm: 'ecdsa',
    profiles: { default: { description: 'As long as those of Let’s Encrypt', validityPeriod: 90 * 86_400 } },
  };
  await writeFile(configuration, JSON.stringify({ pebble }));
  // No random waits, and no name that was proven before is taken without looking.
  const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_VA_ALWAYS_VALID: '0', PEBBLE_AUTHZREUSE: '0' };
  let running: ReturnType<typeof spawn> | undefined;
  const runs = () => running !== undefined && running.exitCode === null && running.signalCode === null;
  const start = async () => {
    if (runs()) return;
    running = spawn(program, ['-config', configuration, '-dnsserver', names.server], { env, stdio: 'ignore' });
    await until('Pebble', () => asked(`https://localhost:${port}/dir`, caPem));
  };
  const stop = async () => {
    if (!running || !runs()) return;
    const ended = once(running, 'exit');
    running.kill();
    await ended;
  };
  const close = async () => {
    await stop();
    await names.close();
  };
  await start().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    directory: `https://localhost:${port}/dir`,
    /** The authority of its own server. */
    caPem,
    /** The root of what it has issued since it started. */
    rootPem: () => until('The root', () => asked(`https://localhost:${managementPort}/roots/0`, caPem)),
    start,
    stop,
    close,
  };
}

function asked(url: string, ca: string): Promise<string | undefined> {
  return new Promise((answer) => {
    // RFC 8555, section 6.1, asks for the name of the program.
    get(url, { ca, agent: false, headers: { 'User-Agent': 'test' } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => answer(response.statusCode === 200 ? text : undefined));
    }).once('error', () => answer(undefined));
  });
}
