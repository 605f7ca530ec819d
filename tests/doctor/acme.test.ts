import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig, type Config } from '../../server/config/config.ts';
import { examineAcme } from '../../server/doctor/acme.ts';
import { examineCertificates } from '../../server/doctor/certificates.ts';
import { examinePorts } from '../../server/doctor/ports.ts';
import { findFreePort } from '../../server/database/freePort.ts';
import { acmePair } from '../../server/platform/acme/AcmePlan.ts';
import { forgetFailure, noteFailure } from '../../server/platform/acme/lastFailure.ts';
import { startChallengeServer } from '../../server/platform/acme/startChallengeServer.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { TestClock } from '../support/world/TestClock.ts';

const day = 24 * 60 * 60 * 1_000;

let folder: string;
let config: Config;
let clock: TestClock;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-acme-doctor-'));
  clock = new TestClock();
  const [portal, machineApi, metrics, http] = await Promise.all([findFreePort(), findFreePort(), findFreePort(), findFreePort()]);
  config = readConfig('service', {
    ACME_DIR: join(folder, 'acme'),
    ACME_AGREE_TO_TERMS: 'true',
    ACME_HTTP_PORT: String(http),
    PORTAL_PORT: String(portal),
    MACHINE_API_PORT: String(machineApi),
    METRICS_PORT: String(metrics),
    PORTAL_URL: 'https://localhost',
    MACHINE_API_URL: 'https://localhost:8443',
  });
  await mkdir(planOf().dir);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function planOf() {
  const { acme } = config;
  if (!acme) throw new Error('There is no plan.');
  return acme;
}
const place = () => ({ config, role: 'service' as const, clock });

/** A certificate as the authority issues it, with its chain and its key in one file. */
async function putCertificate(names: readonly string[] = ['localhost']): Promise<void> {
  await ensureDevelopmentTls(join(folder, 'tls'), names);
  const parts = await Promise.all(['server.pem', 'ca.pem', 'server.key'].map((file) => readFile(join(folder, 'tls', file), 'utf8')));
  await writeFile(acmePair(planOf()).certFile, parts.join(''));
}

const failure = { failures: 3, notBefore: new Date('2026-01-01T12:00:00Z'), words: 'PORTAL_URL: no', remedy: 'Do something.' };
const told = 'PORTAL_URL: no, 3 times in a row; the next attempt is not before 2026-01-01T12:00:00.000Z';

test('nothing is wrong before the first start, nor with a certificate that is renewed in time', async () => {
  expect(await examineAcme(place())).toEqual([]);
  expect(await examineCertificates(place())).toEqual({ skipped: expect.stringContaining('gets one when it starts') });
  await putCertificate();
  expect(await examineAcme(place())).toEqual([]);
  expect(await examineCertificates(place())).toEqual([]);
});

test('a failure is something to look at while the certificate lasts, and wrong when it ends soon or there is none', async () => {
  await noteFailure(planOf(), failure);
  expect(await examineAcme(place())).toEqual([{ severity: 'wrong', words: told, remedy: 'Do something.' }]);
  await putCertificate();
  expect(await examineAcme(place())).toEqual([{ severity: 'warning', words: told, remedy: 'Do something.' }]);
  clock.advance(385 * day);
  expect(await examineAcme(place())).toEqual([{ severity: 'wrong', words: told, remedy: 'Do something.' }]);
  expect(await examineCertificates(place())).toEqual([
    { severity: 'warning', words: expect.stringMatching(/^ACME_DIR: the certificate ends on 20/), remedy: expect.stringContaining('acme') },
  ]);
  await forgetFailure(planOf());
  expect(await examineAcme(place())).toEqual([]);
});

test('a folder that is not there, and a name without an address, are told with what to do', async () => {
  await rm(planOf().dir, { recursive: true });
  config = { ...config, acme: { ...planOf(), names: new Map([['nowhere.invalid', 'MACHINE_API_URL']]) } };
  expect(await examineAcme(place())).toEqual([
    { severity: 'wrong', words: 'ACME_DIR: the folder cannot be used (ENOENT)', remedy: expect.stringContaining('install -d -m 700') },
    { severity: 'warning', words: 'MACHINE_API_URL: there is no address for nowhere.invalid', remedy: expect.stringContaining('port 80') },
  ]);
});

test('a certificate for other names is told, and that it is the service’s to renew', async () => {
  await putCertificate(['other.example']);
  expect(await examineCertificates(place())).toContainEqual({
    severity: 'wrong',
    words: 'ACME_DIR: the certificate is for other.example, and not for localhost',
    remedy: 'Get one for localhost, or correct PORTAL_URL, MACHINE_API_URL.',
  });
});

test('port 80 that somebody else has is told by its variable', async () => {
  expect(await examinePorts(place())).toEqual([]);
  const other = await startChallengeServer(planOf());
  expect(await examinePorts(place())).toEqual([
    { severity: 'wrong', words: `Port ${planOf().port} is in use.`, remedy: expect.stringContaining('ACME_HTTP_PORT') },
  ]);
  await other.close();
});
