import { createHash, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect, test } from '@jest/globals';
import { issueClientCertificate, newSerial } from '../../../server/domain/certificate/certificateAuthority.ts';
import type { CertificateSigner } from '../../../server/domain/certificate/CertificateSigner.ts';
import { LintRefused } from '../../../server/domain/certificate/lintCertificate.ts';
import { ensureDevelopmentTls } from '../../../server/platform/developmentTls.ts';
import { softwareKey } from '../../../server/platform/keyStore.ts';
import { makeAuthorities } from './authorityFactory.ts';
import { commonName, ecKey, rsaKey, spkiOf } from './csrFactory.ts';

const now = new Date();
const inDays = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60 * 1000);
const pkcs8Of = (key = ecKey()) => key.export({ format: 'der', type: 'pkcs8' });

function issue(signer: CertificateSigner, changes: Partial<Parameters<typeof issueClientCertificate>[0]> = {}) {
  return issueClientCertificate({
    signer,
    publicKeyDer: spkiOf(ecKey()),
    commonName,
    serial: newSerial(),
    notBefore: now,
    notAfter: inDays(90),
    now,
    crlDistributionUrl: 'http://localhost/crl/issuing.crl',
    ...changes,
  });
}

test('a client certificate carries the request’s key, one common name, 90 days, its serial and its fingerprint', async () => {
  const { issuing, signer } = await makeAuthorities(now);
  const serial = newSerial();
  const issued = await issue(signer, { serial, publicKeyDer: spkiOf(rsaKey()) });
  const certificate = new X509Certificate(issued.pem);
  expect(certificate.subject).toBe(`CN=${commonName}`);
  expect(certificate.issuer).toBe('CN=Test issuing authority');
  expect(certificate.checkIssued(new X509Certificate(issuing.pem))).toBe(true);
  expect(certificate.ca).toBe(false);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  expect(certificate.publicKey.equals(createPublicKey(rsaKey()))).toBe(true);
  expect(certificate.validFromDate.getTime()).toBe(Math.floor(now.getTime() / 1000) * 1000);
  expect(certificate.validToDate.getTime()).toBe(Math.floor(inDays(90).getTime() / 1000) * 1000);
  expect(certificate.serialNumber.toLowerCase()).toBe(issued.serialHex);
  expect(issued.serialHex).toBe(serial.toString('hex'));
  expect(certificate.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(issued.fingerprintSha256);
  expect(issued.fingerprintSha256).toBe(createHash('sha256').update(issued.der).digest('hex'));
  expect(issued.der.includes(Buffer.from('http://localhost/crl/issuing.crl'))).toBe(true);
});

test('serials are 16 bytes, positive and never the same', () => {
  const serials = Array.from({ length: 200 }, newSerial);
  for (const serial of serials) {
    expect(serial).toHaveLength(16);
    expect(serial.readInt8(0)).toBeGreaterThan(0);
  }
  expect(new Set(serials.map((serial) => serial.toString('hex'))).size).toBe(200);
});

test('a certificate with a bad serial, no lifetime, or one beyond its issuer’s is not issued', async () => {
  const { signer } = await makeAuthorities(now);
  const refused = (...rules: string[]) => new LintRefused('certificate', rules);
  await expect(issue(signer, { serial: Buffer.alloc(16, 0x80) })).rejects.toThrow(refused('serial'));
  await expect(issue(signer, { serial: Buffer.alloc(8, 1) })).rejects.toThrow(refused('serial'));
  await expect(issue(signer, { notAfter: now })).rejects.toThrow(refused('lifetime'));
  await expect(issue(signer, { notAfter: inDays(365 * 6) })).rejects.toThrow(refused('lifetime', 'end of the issuer'));
});

test('a signer that answers with another key’s signature issues nothing', async () => {
  const { signer } = await makeAuthorities(now);
  const other = softwareKey(pkcs8Of());
  await expect(issue({ ...signer, sign: (data) => other.sign(data) })).rejects.toThrow('does not verify');
});

test('a common name stays text whatever characters it holds', async () => {
  const { signer } = await makeAuthorities(now);
  const { der } = await issue(signer, { commonName: 'a, O=b+CN=c' });
  expect(new X509Certificate(der).toLegacyObject().subject).toEqual({ CN: 'a, O=b+CN=c' });
});

test('a TLS server that trusts the authorities authorizes their clients and nobody else’s', async () => {
  const { root, issuing, signer } = await makeAuthorities(now);
  const strangers = await makeAuthorities(now);
  const dir = await mkdtemp(join(tmpdir(), 'tls-'));
  const tls = await ensureDevelopmentTls(dir, ['localhost', '127.0.0.1', '::1'], now);
  const options = {
    cert: tls.certPem,
    key: tls.keyPem,
    ca: [root.pem, issuing.pem],
    requestCert: true,
    rejectUnauthorized: false,
  };
  const server = createServer(options, ({ socket }, response) => response.end(String((socket as TLSSocket).authorized)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const authorized = (cert: string, key = ecKey()) => call(port, tls.caPem, cert, key.export({ format: 'pem', type: 'pkcs8' }).toString());
  try {
    const own = await issue(signer);
    const p384 = await issue(signer, { publicKeyDer: spkiOf(ecKey('secp384r1')) });
    const rsa = await issue(signer, { publicKeyDer: spkiOf(rsaKey()) });
    const foreign = await issue(strangers.signer);
    const expired = await issue(signer, { notBefore: inDays(-2), notAfter: inDays(-1), now: inDays(-2) });
    expect(await authorized(own.pem)).toBe('true');
    expect(await authorized(own.pem + issuing.pem)).toBe('true');
    expect(await authorized(p384.pem, ecKey('secp384r1'))).toBe('true');
    expect(await authorized(rsa.pem, rsaKey())).toBe('true');
    expect(await authorized(foreign.pem)).toBe('false');
    expect(await authorized(foreign.pem + strangers.issuing.pem + strangers.root.pem)).toBe('false');
    expect(await authorized(expired.pem)).toBe('false');
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(dir, { recursive: true });
  }
});

function call(port: number, ca: string, cert: string, key: string): Promise<string> {
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 });
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, ca, cert, key, agent }, (response) => {
      response.setEncoding('utf8').once('data', resolve);
    })
      .once('error', reject)
      .end();
  });
}
