import { CertificationRequest, CertificationRequestInfo } from '@peculiar/asn1-csr';
import { AsnConvert } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Attribute, type Extension, Extensions, SubjectPublicKeyInfo } from '@peculiar/asn1-x509';
import { arrayBuffer, commonNameOnly, signatureOids } from '../certificateEncoding.ts';
import type { SigningKey } from '../CertificateSigner.ts';

const extensionRequest = '1.2.840.113549.1.9.14';

/** A signed request (PKCS#10, RFC 2986, PEM) for a certificate with this common name and these extensions. */
export async function authorityRequest({
  commonName,
  key,
  extensions,
}: {
  commonName: string;
  key: SigningKey;
  extensions: Extension[];
}): Promise<string> {
  const certificationRequestInfo = new CertificationRequestInfo({
    subject: commonNameOnly(commonName),
    subjectPKInfo: AsnConvert.parse(key.publicKeyDer, SubjectPublicKeyInfo),
  });
  const values = [AsnConvert.serialize(new Extensions(extensions))];
  certificationRequestInfo.attributes.push(new Attribute({ type: extensionRequest, values }));
  const signature = await key.sign(Buffer.from(AsnConvert.serialize(certificationRequestInfo)));
  const request = new CertificationRequest({
    certificationRequestInfo,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: signatureOids[key.algorithm] }),
    signature: arrayBuffer(signature),
  });
  const lines =
    Buffer.from(AsnConvert.serialize(request))
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE REQUEST-----', ...lines, '-----END CERTIFICATE REQUEST-----', ''].join('\n');
}
