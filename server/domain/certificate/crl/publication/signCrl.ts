import { createHash, verify, X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, AuthorityKeyIdentifier, Certificate, id_ce_authorityKeyIdentifier, KeyIdentifier } from '@peculiar/asn1-x509';
import type { RevocationReason } from '../../Certificate.ts';
import { extension, signatureOids, subjectBytes, subjectKeyIdentifier } from '../../certificateEncoding.ts';
import type { CertificateSigner } from '../../CertificateSigner.ts';
import { der, derHexInteger, derInteger, derTime, tags } from '../../../shared/der/derWriting.ts';
import type { CrlContent, RevokedCertificate } from './CrlContent.ts';
import { type CrlPolicy, lintCrl } from './lintCrl.ts';

/** The extensions of an entry for each reason (RFC 5280, 5.3.1). `unspecified` has to be left out. */
const reasonExtensions: Readonly<Record<RevocationReason, readonly Buffer[]>> = {
  key_compromise: reasonExtension(1),
  superseded: reasonExtension(4),
  cessation_of_operation: reasonExtension(5),
  unspecified: [],
};

/**
 * Builds a complete version 2 revocation list (RFC 5280, section 5), lints it, signs it, and verifies the signature before returning it. It is
 * written by hand, because the libraries take seconds for 20,000 entries and leave out the number. Throws `LintRefused` if it is not what was
 * asked for.
 */
export async function signCrl(
  signer: CertificateSigner,
  content: CrlContent,
  policy: CrlPolicy,
): Promise<{ readonly der: Buffer; readonly etag: string }> {
  const algorithm = Buffer.from(AsnConvert.serialize(new AlgorithmIdentifier({ algorithm: signatureOids[signer.algorithm] })));
  const body = listBody(signer.issuerCertificateDer, algorithm, content);
  lintCrl(body, { issuerDer: signer.issuerCertificateDer, algorithm: signer.algorithm, content, policy });
  const signature = await signer.sign(body);
  const hash = signer.algorithm === 'ecdsa-with-SHA384' ? 'sha384' : 'sha256';
  // A signer may be remote, or hold another key than we think. Nothing that does not verify may be published.
  if (!verify(hash, body, new X509Certificate(signer.issuerCertificateDer).publicKey, signature)) {
    throw new Error('The signer’s signature does not verify with the authority’s certificate.');
  }
  const list = der(tags.sequence, body, algorithm, der(tags.bitString, Buffer.from([0]), signature));
  return { der: list, etag: crlEtag(list) };
}

/** The strong validator of a list. */
export function crlEtag(list: Uint8Array): string {
  return `"${createHash('sha256').update(list).digest('base64url')}"`;
}

function listBody(issuerDer: Buffer, algorithm: Buffer, { number, thisUpdate, nextUpdate, revoked }: CrlContent): Buffer {
  const entries = revoked.map(listEntry);
  return der(
    tags.sequence,
    derInteger(1n),
    algorithm,
    subjectBytes(issuerDer),
    derTime(thisUpdate),
    derTime(nextUpdate),
    // RFC 5280, 5.1.2.6: absent when nothing is revoked.
    ...(entries.length > 0 ? [der(tags.sequence, ...entries)] : []),
    der(tags.explicit0, der(tags.sequence, authorityKeyExtension(issuerDer), numberExtension(number))),
  );
}

function listEntry({ serial, revokedAt, reason }: RevokedCertificate): Buffer {
  return der(tags.sequence, derHexInteger(serial), derTime(revokedAt), ...reasonExtensions[reason]);
}

function reasonExtension(code: number): Buffer[] {
  return [der(tags.sequence, derExtension('551d15', der(tags.enumerated, Buffer.from([code]))))];
}

function numberExtension(number: bigint): Buffer {
  return derExtension('551d14', derInteger(number));
}

/** An extension that is not critical. `oid` is the encoded identifier in hexadecimal, such as 551d14 for 2.5.29.20. */
function derExtension(oid: string, value: Buffer): Buffer {
  return der(tags.sequence, der(0x06, Buffer.from(oid, 'hex')), der(tags.octetString, value));
}

function authorityKeyExtension(issuerDer: Buffer): Buffer {
  const keyIdentifier = new KeyIdentifier(subjectKeyIdentifier(AsnConvert.parse(issuerDer, Certificate)));
  return Buffer.from(AsnConvert.serialize(extension(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier }))));
}
