import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../../server/config/config.ts';
import { checkConfiguredServer } from '../../server/database/checkConfiguredServer.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { listen } from '../../server/platform/listen.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { readServerPair } from '../../server/platform/tls/serverPair.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-variables-'));
  for (const name of ['own', 'other']) await ensureDevelopmentTls(join(folder, name));
  await writeFile(join(folder, 'text'), 'content-secret');
  await writeFile(join(folder, 'broken.pem'), `${await readFile(join(folder, 'own/server.pem'), 'utf8')}-----BEGIN CERTIFICATE-----\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const variables = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
const bound = async (host: string, port = 0) => {
  const server = createServer();
  return { port: await listen(server, { host, port, variables }), server };
};

test.each([
  ['192.0.2.1', 'This machine has no address 192.0.2.1. Set METRICS_HOST to one that it has.'],
  ['nowhere.invalid', 'There is no address for the name nowhere.invalid. Set METRICS_HOST to an address of this machine.'],
])('a host that a server cannot listen on, %s, is told with its variable', async (host, words) => {
  await expect(bound(host)).rejects.toThrow(words);
});

test('so is a port that is in use', async () => {
  const { port, server } = await bound('127.0.0.1');
  await expect(bound('127.0.0.1', port)).rejects.toThrow(`Port ${port} is in use.`);
  await expect(bound('127.0.0.1', port)).rejects.toThrow('METRICS_PORT');
  server.close();
});

const tlsOf = (certFile: string, keyFile: string) =>
  readServerPair({
    certFile: join(folder, certFile),
    keyFile: join(folder, keyFile),
    variables: { cert: 'MACHINE_TLS_CERT_FILE', key: 'MACHINE_TLS_KEY_FILE' },
  });

test.each([
  ['missing', 'own/server.key', 'MACHINE_TLS_CERT_FILE: the file cannot be read (ENOENT)'],
  ['own', 'own/server.key', 'MACHINE_TLS_CERT_FILE: the file cannot be read (EISDIR)'],
  ['text', 'own/server.key', 'MACHINE_TLS_CERT_FILE: must be a certificate in PEM'],
  ['broken.pem', 'own/server.key', 'MACHINE_TLS_CERT_FILE: must be a certificate in PEM, with its chain behind it'],
  ['own/server.pem', 'missing', 'MACHINE_TLS_KEY_FILE: the file cannot be read (ENOENT)'],
  ['own/server.pem', 'text', 'MACHINE_TLS_KEY_FILE: must be a private key in PEM'],
  ['own/server.pem', 'other/server.key', 'MACHINE_TLS_KEY_FILE: must be the key of the certificate in MACHINE_TLS_CERT_FILE'],
])('a file of the server certificate that cannot be used is told with its variable: %s, %s', async (certFile, keyFile, words) => {
  await expect(tlsOf(certFile, keyFile)).rejects.toThrow(words);
});

test('a certificate with its key is taken', async () => {
  expect(await tlsOf('own/server.pem', 'own/server.key')).toEqual({
    certPem: expect.stringContaining('BEGIN CERTIFICATE'),
    keyPem: expect.stringContaining('BEGIN PRIVATE KEY'),
  });
});

test('one file with both is a pair at each moment, however often it is renewed', async () => {
  const both = join(folder, 'both.pem');
  const read = (pair: string) => Promise.all(['pem', 'key'].map((kind) => readFile(join(folder, pair, `server.${kind}`), 'utf8')));
  const pems = (await Promise.all(['own', 'other'].map(read))).map((parts) => parts.join(''));
  await writeFile(both, pems[0] ?? '');
  let reading = true;
  const renewals = (async () => {
    for (let count = 0; reading; count += 1) {
      await writeFile(`${both}.new`, pems[count % 2] ?? '');
      await rename(`${both}.new`, both);
    }
  })();
  try {
    for (let count = 0; count < 200; count += 1) await tlsOf('both.pem', 'both.pem');
  } finally {
    reading = false;
    await renewals;
  }
});

test.each([
  ['nowhere.invalid', /^DATABASE_URL: the server cannot be reached, or does not let anybody in now \((ENOTFOUND|EAI_AGAIN)\)$/],
  ['127.0.0.1:1', /^DATABASE_URL: the server cannot be reached, or does not let anybody in now \(ECONNREFUSED\)$/],
])('a database server that is not there, %s, is told with its variable, and without user or password', async (host, words) => {
  const config = readConfig('portal', { DATABASE_URL: `postgres://someone:the-password@${host}/database` });
  await expect(checkConfiguredServer(config, 'portal', createLogger('test', 'silent'))).rejects.toThrow(words);
});
