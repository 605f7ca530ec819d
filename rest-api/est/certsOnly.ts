import { X509Certificate } from 'node:crypto';
import {
  encodedElement,
  encodeDer,
  explicit0,
  implicitSet0,
  integer,
  objectIdentifier,
  sequence,
  set,
} from '../../server/domain/shared/der/asn1.ts';
import type { DocumentAnswer } from '../Operation.ts';
import { base64 } from './base64.ts';

const oid = { data: '1.2.840.113549.1.7.1', signedData: '1.2.840.113549.1.7.2' } as const;

/**
 * Certificates in PEM as EST hands them out (RFC 7030, 4.1.3 and 4.2.3): in a CMS SignedData that has no content and that nobody signed
 * (RFC 5652, section 5.1).
 */
export function certsOnly(pems: readonly string[]): DocumentAnswer {
  const certificates = pems.map((pem) => encodedElement(new X509Certificate(pem).raw));
  const content = sequence(objectIdentifier(oid.data));
  const signedData = sequence(integer(1), set(), content, implicitSet0(...certificates), set());
  const contentInfo = encodeDer(sequence(objectIdentifier(oid.signedData), explicit0(signedData)));
  return { status: 200, mediaType: 'application/pkcs7-mime; smime-type=certs-only', ...base64(contentInfo) };
}
