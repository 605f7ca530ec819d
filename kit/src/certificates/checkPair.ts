import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { KitError } from '../client/errors.ts';

/** Whom a certificate is for, and when. */
export type CheckedPair = {
  readonly environment: string;
  readonly clientId: string;
  readonly commonName: string;
  readonly validFrom: Date;
  readonly validTo: Date;
};

/** Checks a certificate with its chain and its key before they are used. Throws a KitError that says which of them is wrong. */
export function checkPair(certPem: string, keyPem: string, expect: Partial<CheckedPair> = {}): CheckedPair {
  const [certificate, ...chain] = certificatesIn(certPem);
  if (!certificate) return unusable('There is no certificate in the file.', 'Save the whole bundle that the portal offers.');
  if (!certificate.checkPrivateKey(keyIn(keyPem))) {
    return unusable('The key is not that of the certificate.', 'Use the key that the request was made with.');
  }
  if (![certificate, ...chain].slice(0, -1).every((each, at) => isIssuedBy(each, chain[at]))) {
    return unusable('The chain does not fit.', 'Save the whole bundle: the certificate first, then the authorities above it.');
  }
  const [, commonName = '', environment = '', clientId = ''] = /^CN=(svc:([a-z]+):(cli_[0-9a-z]+))$/.exec(certificate.subject) ?? [];
  if (commonName === '') return unusable(`The certificate is for “${certificate.subject}”.`, 'Use one that this service issued.');
  if (environment !== (expect.environment ?? environment) || commonName !== (expect.commonName ?? commonName)) {
    return unusable(`The certificate is for ${commonName}.`, 'Use the one of this client and environment.');
  }
  return { environment, clientId, commonName, validFrom: new Date(certificate.validFrom), validTo: new Date(certificate.validTo) };
}

export function certificatesIn(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch (cause) {
    throw new KitError('credentials_unusable', 'The certificate cannot be read.', { cause });
  }
}

function keyIn(text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    // The cause might quote the key.
    return unusable('The key cannot be read.', 'Use an unencrypted key in PEM.');
  }
}

export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate | undefined): boolean {
  return issuer !== undefined && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function unusable(what: string, nextStep: string): never {
  throw new KitError('credentials_unusable', what, { nextStep });
}
