import 'reflect-metadata';
import { generateKeyPairSync, sign } from 'node:crypto';
import { CertificationRequest, CertificationRequestInfo } from '@peculiar/asn1-csr';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  Name,
  RelativeDistinguishedName,
  SubjectPublicKeyInfo,
} from '@peculiar/asn1-x509';

const commonNameOid = '2.5.4.3';
const ecdsaWithSha256 = '1.2.840.10045.4.3.2';

/**
 * A new EC P-256 key and its certificate request for exactly this common name (docs/specification.md, “Certificate requests”), both in PEM.
 * Does in code what `openssl req -new -newkey ec` does. The key is not sent anywhere.
 */
export function certificateRequest(commonName: string): { privateKeyPem: string; csrPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const info = new CertificationRequestInfo({
    subject: new Name([
      new RelativeDistinguishedName([
        new AttributeTypeAndValue({ type: commonNameOid, value: new AttributeValue({ utf8String: commonName }) }),
      ]),
    ]),
    subjectPKInfo: AsnConvert.parse(publicKey.export({ format: 'der', type: 'spki' }), SubjectPublicKeyInfo),
  });
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(info)), privateKey);
  const request = new CertificationRequest({
    certificationRequestInfo: info,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 }),
    signature: new Uint8Array(signature).buffer,
  });
  return {
    privateKeyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    csrPem: pem('CERTIFICATE REQUEST', Buffer.from(AsnConvert.serialize(request))),
  };
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
