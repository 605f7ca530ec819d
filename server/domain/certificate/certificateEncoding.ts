import { createHash, createPublicKey, X509Certificate } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  Certificate,
  Extension,
  Extensions,
  id_ce_authorityKeyIdentifier,
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

/** An issued certificate. Fingerprint and serial are in lower-case hex, as they are stored and shown. */
export type IssuedCertificate = { pem: string; der: Buffer; fingerprintSha256: string; serialHex: string };

/** What goes into a certificate. `extensions` does not include the key identifiers, which are always added. */
export type CertificateContent = {
  /** Absent for a self-signed root. */
  issuerCertificateDer?: Buffer;
  key: SigningKey;
  publicKeyDer: Buffer;
  commonName: string;
  serial: Buffer;
  notBefore: Date;
  notAfter: Date;
  extensions: Extension[];
};

export const signatureOids = {
  'ecdsa-with-SHA256': '1.2.840.10045.4.3.2',
  'ecdsa-with-SHA384': '1.2.840.10045.4.3.3',
} as const;

/**
 * Builds and signs an X.509 version 3 certificate (RFC 5280) and verifies the signature before returning it. Throws RangeError on a serial
 * or validity that does not fit, and Error if the signature does not verify.
 */
export async function signCertificate(content: CertificateContent): Promise<IssuedCertificate> {
  checkSerial(content.serial);
  const issuer = content.issuerCertificateDer && AsnConvert.parse(content.issuerCertificateDer, Certificate);
  checkValidity(content, issuer?.tbsCertificate.validity);
  const signatureAlgorithm = new AlgorithmIdentifier({ algorithm: signatureOids[content.key.algorithm] });
  const tbsCertificate = certificateBody(content, issuer, signatureAlgorithm);
  const signature = await content.key.sign(Buffer.from(AsnConvert.serialize(tbsCertificate)));
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
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(ownId)),
      extension(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(issuerId) })),
    ]),
  });
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

function checkSerial(serial: Buffer): void {
  const first = serial[0] ?? 0;
  if (serial.length !== 16 || first === 0 || first >= 0x80) throw new RangeError('A serial is 16 bytes, positive.');
}

function checkValidity({ notBefore, notAfter }: CertificateContent, issuer: Validity | undefined): void {
  const end = Math.floor(notAfter.getTime() / 1000);
  if (!(Math.floor(notBefore.getTime() / 1000) < end)) throw new RangeError('A certificate must end after it begins.');
  // After its issuer's end, a certificate would no longer work although the portal says so.
  if (issuer && end * 1000 > issuer.notAfter.getTime().getTime()) {
    throw new RangeError('A certificate must not outlive its issuer.');
  }
}

/** The libraries take ArrayBuffers, and that of a Buffer may be a shared pool. */
export function arrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
