import { createIssuingAuthority, createRootAuthority, newSerial } from '../../../server/domain/certificate/certificateAuthority.ts';
import type { CrlPolicy } from '../../../server/domain/certificate/crl/publication/lintCrl.ts';
import { generateSigningKey, softwareKey, softwareSigner } from '../../../server/platform/keyStore.ts';

const yearMs = 365 * 24 * 60 * 60 * 1000;

/** For the first list of an authority, valid for as long as a test likes. */
export const firstList: CrlPolicy = { last: { number: 0n }, lifetime: 100 * yearMs };

/** A root and an issuing authority with keys in memory, valid from `now`. */
export async function makeAuthorities(now: Date) {
  const rootKey = generateSigningKey('P-384');
  const issuingKey = generateSigningKey('P-256');
  const until = (years: number) => new Date(now.getTime() + years * yearMs);
  const root = await createRootAuthority({
    key: softwareKey(rootKey),
    commonName: 'Test root',
    serial: newSerial(),
    notBefore: now,
    notAfter: until(20),
  });
  const issuing = await createIssuingAuthority({
    signer: softwareSigner(root.pem, rootKey),
    publicKeyDer: softwareKey(issuingKey).publicKeyDer,
    commonName: 'Test issuing authority',
    serial: newSerial(),
    notBefore: now,
    notAfter: until(5),
    crlDistributionUrl: 'http://localhost/crl/root.crl',
  });
  return { root, issuing, signer: softwareSigner(issuing.pem, issuingKey), rootSigner: softwareSigner(root.pem, rootKey) };
}
