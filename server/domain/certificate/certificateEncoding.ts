import { createHash, createPublicKey, X509Certificate } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  Certificate,
  CRLDistributionPoints,
  DistributionPoint,
  DistributionPointName,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_cRLDistributionPoints,
  id_ce_subjectKeyIdentifier,
  KeyIdentifier,
  Name,
  RelativeDistinguishedName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import type { SigningKey } from './CertificateSigner.ts';
import { derElements } from '../shared/der/derElements.ts';
import { type CertificateProfile, lintCertificate } from './lintCertificate.ts';

/** An issued certificate. Fingerprint and serial are in lower-case hex, as they are stored and shown. */
export type IssuedCertificate = { pem: string; der: Buffer; fingerprintSha256: string; serialHex: string };

/** What goes into a certificate, and what it must then be. */
type CertificateContent = {
  profile: CertificateProfile;
  /** Absent for a self-signed root. */
  issuerCertificateDer?: Buffer;
  key: SigningKey;
  publicKeyDer: Buffer;
  commonName: string;
  serial: Buffer;
  notBefore: Date;
  notAfter: Date;
  /** The moment of signing, if the certificate has to be valid by then. */
  now?: Date;
  crlDistributionUrl?: string;
  /** Without the key identifiers and the address of the revocation list, which are added. */
  extensions: Extension[];
};

export const signatureOids = {
  'ecdsa-with-SHA256': '1.2.840.10045.4.3.2',
  'ecdsa-with-SHA384': '1.2.840.10045.4.3.3',
} as const;

/**
 * Builds an X.509 version 3 certificate (RFC 5280), lints it, signs it, and verifies the signature before returning it. Throws `LintRefused` if
 * it is not what was asked for, and Error if the signature does not verify.
 */
export async function signCertificate(content: CertificateContent): Promise<IssuedCertificate> {
  const issuer = content.issuerCertificateDer && AsnConvert.parse(content.issuerCertificateDer, Certificate);
  const signatureAlgorithm = new AlgorithmIdentifier({ algorithm: signatureOids[content.key.algorithm] });
  const tbsCertificate = certificateBody(content, issuer, signatureAlgorithm);
  const body = Buffer.from(AsnConvert.serialize(tbsCertificate));
  lintCertificate(body, content);
  const signature = await content.key.sign(body);
  const certificate = new Certificate({ tbsCertificate, signatureAlgorithm, signatureValue: arrayBuffer(signature) });
  const der = Buffer.from(AsnConvert.serialize(certificate));
  const issued = new X509Certificate(der);
  const issuerKey = createPublicKey({ key: content.key.publicKeyDer, format: 'der', type: 'spki' });
  // A signer may be remote, or hold another key than we think. Nothing that does not verify may be recorded as issued.
  if (!issued.verify(issuerKey)) throw new Error('The signer’s signature does not verify with its public key.');
  return {
    pem: issued.toString(),
    der,
    fingerprintSha256: createHash('sha256').update(der).digest('hex'),
    serialHex: content.serial.toString('hex'),
  };
}

/** One extension with its value encoded. */
export function extension(id: string, value: unknown, critical = false): Extension {
  return new Extension({ extnID: id, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function certificateBody(content: CertificateContent, issuer: Certificate | undefined, signature: AlgorithmIdentifier) {
  const subject = commonNameOnly(content.commonName);
  const ownId = keyIdentifier(content.publicKeyDer);
  const issuerId = issuer ? subjectKeyIdentifier(issuer) : ownId;
  return new TBSCertificate({
    version: Version.v3,
    serialNumber: arrayBuffer(content.serial),
    signature,
    issuer: issuer?.tbsCertificate.subject ?? subject,
    validity: new Validity({ notBefore: content.notBefore, notAfter: content.notAfter }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(content.publicKeyDer, SubjectPublicKeyInfo),
    extensions: new Extensions([
      ...content.extensions,
      ...(content.crlDistributionUrl === undefined ? [] : [crlDistributionPoint(content.crlDistributionUrl)]),
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(ownId)),
      extension(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(issuerId) })),
    ]),
  });
}

export function crlDistributionPoint(url: string): Extension {
  const fullName = [new GeneralName({ uniformResourceIdentifier: url })];
  const distributionPoint = new DistributionPointName({ fullName });
  return extension(id_ce_cRLDistributionPoints, new CRLDistributionPoints([new DistributionPoint({ distributionPoint })]));
}

/** Built from parts and never from a “CN=…” string, so that no character of a name has a special meaning. */
export function commonNameOnly(commonName: string): Name {
  const value = new AttributeValue({ utf8String: commonName });
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: '2.5.4.3', value })])]);
}

/** RFC 7093, section 2, method 1: the first 160 bits of the SHA-256 of the public key's bits. */
function keyIdentifier(publicKeyDer: Buffer): ArrayBuffer {
  const { subjectPublicKey } = AsnConvert.parse(publicKeyDer, SubjectPublicKeyInfo);
  return arrayBuffer(createHash('sha256').update(new Uint8Array(subjectPublicKey)).digest().subarray(0, 20));
}

/** The key identifier by which the authority of this certificate is named in what it signs. */
export function subjectKeyIdentifier(certificate: Certificate): ArrayBuffer {
  const found = certificate.tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_subjectKeyIdentifier);
  if (!found) throw new Error('The issuer’s certificate has no subject key identifier.');
  return AsnConvert.parse(found.extnValue.buffer, SubjectKeyIdentifier).buffer;
}

/** The subject of a version 3 certificate, byte for byte, because readers compare it with the list's issuer. */
export function subjectBytes(certificateDer: Buffer): Buffer {
  const [certificate] = derElements(certificateDer);
  const [body] = derElements(certificate?.contents ?? Buffer.alloc(0));
  const subject = derElements(body?.contents ?? Buffer.alloc(0))[5];
  if (!subject) throw new Error('The authority’s certificate has no subject.');
  return subject.bytes;
}

/** The libraries take ArrayBuffers, and that of a Buffer may be a shared pool. */
export function arrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
