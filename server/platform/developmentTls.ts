import 'reflect-metadata';
import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  AuthorityKeyIdentifierExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { limits } from '../domain/shared/limits.ts';
import { writeAtomically } from './writeAtomically.ts';

/** A server certificate for development, all in PEM. Clients trust `caPem`. */
export type DevelopmentTls = { caPem: string; certPem: string; keyPem: string };

type CertificateAndKey = { certPem: string; keyPem: string };

const dayMs = 24 * 60 * 60 * 1000;
const renewalMs = 30 * dayMs;
const serverDays = 397;
const authorityDays = 3650;
const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' } as const;
const subtle = globalThis.crypto.subtle;

/**
 * Gives the machine API a server certificate for development, issued by a small authority of its own in `dir` (ca.pem, ca.key, server.pem,
 * server.key; only the owner can read the keys). Existing files are reused. What expires within 30 days, does not fit `hostnames` (names
 * and addresses) or is damaged is replaced. Throws the errors of the file system.
 */
export async function ensureDevelopmentTls(
  dir: string,
  hostnames: readonly string[] = ['localhost', '127.0.0.1', '::1'],
  now: Date = new Date(),
): Promise<DevelopmentTls> {
  return ensurePair(dir, 'server', hostnames, now);
}

/**
 * The same for a developer's webhook receiver, by the same authority (receiver.pem, receiver.key): workers trust it for these names of
 * `DEVELOPMENT_WEBHOOK_HOSTS`.
 */
export async function ensureReceiverTls(dir: string, hostnames: readonly string[], now: Date = new Date()): Promise<DevelopmentTls> {
  return ensurePair(dir, 'receiver', hostnames, now);
}

async function ensurePair(dir: string, name: 'server' | 'receiver', hostnames: readonly string[], now: Date): Promise<DevelopmentTls> {
  await mkdir(dir, { recursive: true });
  let authority = await readPair(dir, 'ca');
  if (!authority || !staysValid(authority, now, serverDays * dayMs)) {
    authority = await createAuthority(now);
    await writePair(dir, 'ca', authority);
  }
  let pair = await readPair(dir, name);
  if (!pair || !staysValid(pair, now, renewalMs) || !belongsTo(pair, authority, hostnames)) {
    pair = await createServerCertificate(authority, hostnames, now);
    await writePair(dir, name, pair);
  }
  return { caPem: authority.certPem, ...pair };
}

/** A certificate with its key from `dir`, or null if one is missing or unreadable, or they do not belong together. */
async function readPair(dir: string, name: string): Promise<CertificateAndKey | null> {
  try {
    const certPem = await readFile(join(dir, `${name}.pem`), 'utf8');
    const keyPem = await readFile(join(dir, `${name}.key`), 'utf8');
    return new X509Certificate(certPem).checkPrivateKey(createPrivateKey(keyPem)) ? { certPem, keyPem } : null;
  } catch {
    return null;
  }
}

/** An authority must outlive the next server certificate, and a server certificate must outlive the next month. */
function staysValid({ certPem }: CertificateAndKey, now: Date, leftMs: number): boolean {
  const { validFromDate, validToDate } = new X509Certificate(certPem);
  return validFromDate <= now && validToDate.getTime() - now.getTime() >= leftMs;
}

function belongsTo({ certPem }: CertificateAndKey, authority: CertificateAndKey, hostnames: readonly string[]): boolean {
  const certificate = new X509Certificate(certPem);
  const names = hostnames.every((name) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)));
  return names && certificate.verify(new X509Certificate(authority.certPem).publicKey);
}

async function createAuthority(now: Date): Promise<CertificateAndKey> {
  const keys = await subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: [{ CN: [`Development server authority ${randomBytes(4).toString('hex')}`] }],
    ...validity(now, authorityDays),
    keys,
    signingAlgorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certPem: `${certificate.toString('pem')}\n`, keyPem: await exportKey(keys.privateKey) };
}

async function createServerCertificate(authority: CertificateAndKey, hostnames: readonly string[], now: Date) {
  const keys = await subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']);
  const issuer = new X509Certificate(authority.certPem);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    issuer: [{ CN: [issuer.subject.replace(/^CN=/, '')] }],
    subject: [{ CN: [hostnames[0] ?? 'localhost'] }],
    ...validity(now, serverDays),
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.keyPem),
    signingAlgorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(hostnames.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value }))),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(await issuerPublicKey(issuer)),
    ],
  });
  return { certPem: `${certificate.toString('pem')}\n`, keyPem: await exportKey(keys.privateKey) };
}

/** Set back, because the clock of a program that checks it may be slow (docs/specification.md, “Clocks”). */
function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  const start = Math.floor((now.getTime() - limits.clockTolerance) / 1000) * 1000;
  return { notBefore: new Date(start), notAfter: new Date(start + days * dayMs) };
}

function serialNumber(): string {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial.toString('hex');
}

async function exportKey(key: CryptoKey): Promise<string> {
  const pkcs8 = Buffer.from(await subtle.exportKey('pkcs8', key));
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }).export({ format: 'pem', type: 'pkcs8' }).toString();
}

function importKey(keyPem: string): Promise<CryptoKey> {
  const pkcs8 = createPrivateKey(keyPem).export({ format: 'der', type: 'pkcs8' });
  return subtle.importKey('pkcs8', pkcs8, keyAlgorithm, false, ['sign']);
}

function issuerPublicKey(issuer: X509Certificate): Promise<CryptoKey> {
  return subtle.importKey('spki', issuer.publicKey.export({ format: 'der', type: 'spki' }), keyAlgorithm, true, ['verify']);
}

/** `readPair` notices a key and a certificate from different runs. */
async function writePair(dir: string, name: string, { certPem, keyPem }: CertificateAndKey): Promise<void> {
  await writeAtomically(join(dir, `${name}.key`), keyPem, 0o600);
  await writeAtomically(join(dir, `${name}.pem`), certPem, 0o644);
}
