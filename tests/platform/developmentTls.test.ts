import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ensureDevelopmentTls, ensureReceiverTls } from '../../server/platform/developmentTls.ts';

const hostnames = ['localhost', '127.0.0.1', '::1'];
const now = new Date('2026-11-21T10:00:00.500Z');
const later = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60 * 1000);
let dir = '';

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tls-'));
});
afterEach(() => rm(dir, { recursive: true }));

test('the first start makes a server certificate for all local names, with keys only the owner can read', async () => {
  const { caPem, certPem } = await ensureDevelopmentTls(dir, hostnames, now);
  const certificate = new X509Certificate(certPem);
  expect(certificate.verify(new X509Certificate(caPem).publicKey)).toBe(true);
  expect(certificate.checkIssued(new X509Certificate(caPem))).toBe(true);
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(certificate.checkIP('::1')).toBe('::1');
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(certificate.validToDate.getTime() - certificate.validFromDate.getTime()).toBe(397 * 24 * 60 * 60 * 1000);
  expect((await readdir(dir)).sort()).toEqual(['ca.key', 'ca.pem', 'server.key', 'server.pem']);
  for (const key of ['ca.key', 'server.key']) expect((await stat(join(dir, key))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(dir, 'ca.pem'), 'utf8')).toBe(caPem);
});

test('later starts use what is there, until a month before its end; clients keep trusting the same authority', async () => {
  const first = await ensureDevelopmentTls(dir, hostnames, now);
  expect(await ensureDevelopmentTls(dir, hostnames, later(366))).toEqual(first);
  const renewed = await ensureDevelopmentTls(dir, hostnames, later(368));
  expect(renewed.caPem).toBe(first.caPem);
  expect(renewed.certPem).not.toBe(first.certPem);
});

test('another host name, a damaged file or a key that does not fit gives a new server certificate', async () => {
  const first = await ensureDevelopmentTls(dir, hostnames, now);
  const named = await ensureDevelopmentTls(dir, [...hostnames, 'api.example'], now);
  expect(new X509Certificate(named.certPem).checkHost('api.example')).toBe('api.example');
  await writeFile(join(dir, 'server.key'), first.keyPem);
  const repaired = await ensureDevelopmentTls(dir, hostnames, now);
  expect(repaired.keyPem).not.toBe(first.keyPem);
  await writeFile(join(dir, 'ca.pem'), 'not a certificate');
  const remade = await ensureDevelopmentTls(dir, hostnames, now);
  expect(new X509Certificate(remade.certPem).verify(new X509Certificate(remade.caPem).publicKey)).toBe(true);
  expect(remade.caPem).not.toBe(first.caPem);
});

test('a developer’s receiver has a certificate of the same authority for its own names', async () => {
  const { caPem } = await ensureDevelopmentTls(dir, hostnames, now);
  const receiver = await ensureReceiverTls(dir, ['receiver.test'], now);
  expect(receiver.caPem).toBe(caPem);
  expect(new X509Certificate(receiver.certPem).checkHost('receiver.test')).toBe('receiver.test');
  expect(new X509Certificate(receiver.certPem).checkHost('localhost')).toBeUndefined();
  expect((await readdir(dir)).sort()).toEqual(['ca.key', 'ca.pem', 'receiver.key', 'receiver.pem', 'server.key', 'server.pem']);
});
