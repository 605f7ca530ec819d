import { X509Certificate } from 'node:crypto';
import { der, derInteger, derOid, tags } from '../../server/domain/shared/der/derWriting.ts';
import type { DocumentAnswer } from '../Operation.ts';
import { base64 } from './base64.ts';

const oid = { data: '1.2.840.113549.1.7.1', signedData: '1.2.840.113549.1.7.2' } as const;

/**
 * Certificates in PEM as EST hands them out (RFC 7030, 4.1.3 and 4.2.3): in a CMS SignedData that has no content and that nobody signed
 * (RFC 5652, section 5.1).
 */
export function certsOnly(pems: readonly string[]): DocumentAnswer {
  const certificates = pems.map((pem) => new X509Certificate(pem).raw);
  const signedData = der(
    tags.sequence,
    derInteger(1n),
    der(tags.set),
    der(tags.sequence, derOid(oid.data)),
    // DER orders the elements of a set by their bytes.
    der(tags.explicit0, ...certificates.toSorted((one, other) => one.compare(other))),
    der(tags.set),
  );
  const contentInfo = der(tags.sequence, derOid(oid.signedData), der(tags.explicit0, signedData));
  return { status: 200, mediaType: 'application/pkcs7-mime; smime-type=certs-only', ...base64(contentInfo) };
}
