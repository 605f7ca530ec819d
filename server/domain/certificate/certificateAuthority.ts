import { randomBytes } from 'node:crypto';
import {
  BasicConstraints,
  ExtendedKeyUsage,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_kp_clientAuth,
  KeyUsage,
  KeyUsageFlags,
} from '@peculiar/asn1-x509';
import type { Extension } from '@peculiar/asn1-x509';
import { crlDistributionPoint, extension, signCertificate } from './certificateEncoding.ts';
import type { IssuedCertificate } from './certificateEncoding.ts';
import type { CertificateSigner, SigningKey } from './CertificateSigner.ts';
import { certificateProfiles } from './lintCertificate.ts';

type Lifetime = { commonName: string; serial: Buffer; notBefore: Date; notAfter: Date };

/** A new certificate serial (RFC 5280, 4.1.2.2): 16 bytes, positive and never shortened by a leading zero; 126 random bits. */
export function newSerial(): Buffer {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}

/** The self-signed root, whose key can be kept offline. Its key should be EC P-384 with SHA-384. */
export function createRootAuthority({ key, ...lifetime }: Lifetime & { key: SigningKey }): Promise<IssuedCertificate> {
  return signCertificate({
    ...lifetime,
    profile: certificateProfiles.root,
    key,
    publicKeyDer: key.publicKeyDer,
    extensions: authorityExtensions(1),
  });
}

/**
 * The authority that signs client certificates and nothing else: there is no authority below it, and it allows only clientAuth. `signer` is
 * the root. `publicKeyDer` (SubjectPublicKeyInfo) is the new authority's key, EC P-256.
 */
export function createIssuingAuthority({
  signer,
  ...content
}: Lifetime & {
  signer: CertificateSigner;
  publicKeyDer: Buffer;
  crlDistributionUrl?: string;
}): Promise<IssuedCertificate> {
  return signCertificate({
    ...content,
    profile: certificateProfiles.issuing,
    key: signer,
    issuerCertificateDer: signer.issuerCertificateDer,
    extensions: issuingAuthorityExtensions(),
  });
}

/** What a request to an offline root asks for. */
export function requestedExtensions(crlDistributionUrl: string): Extension[] {
  return [...issuingAuthorityExtensions(), crlDistributionPoint(crlDistributionUrl)];
}

function issuingAuthorityExtensions(): Extension[] {
  return [...authorityExtensions(0), clientAuthentication()];
}

/**
 * A client certificate for the machine API (docs/specification.md, “Certificate issuance”). Dates are cut to seconds; the caller chooses
 * the 90 days. Only the public key is taken from the request. Throws `LintRefused` if it would not be such a certificate at `now`.
 */
export function issueClientCertificate({
  signer,
  ...content
}: Lifetime & {
  now: Date;
  signer: CertificateSigner;
  publicKeyDer: Buffer;
  crlDistributionUrl: string;
}): Promise<IssuedCertificate> {
  return signCertificate({
    ...content,
    profile: certificateProfiles.client,
    key: signer,
    issuerCertificateDer: signer.issuerCertificateDer,
    extensions: [
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
      clientAuthentication(),
    ],
  });
}

function authorityExtensions(pathLenConstraint: number): Extension[] {
  return [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint }), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), true),
  ];
}

function clientAuthentication(): Extension {
  return extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_clientAuth]));
}
