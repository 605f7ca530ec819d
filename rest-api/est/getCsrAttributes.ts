import { encodeDer, objectIdentifier, sequence, set } from '../../server/domain/shared/der/asn1.ts';
import type { Answer } from '../Operation.ts';
import { base64 } from './base64.ts';

const oid = { ecPublicKey: '1.2.840.10045.2.1', p256: '1.2.840.10045.3.1.7', ecdsaWithSha256: '1.2.840.10045.4.3.2' } as const;

/** What we recommend for a request (RFC 7030, 4.5.2): an EC P-256 key, and a signature with SHA-256. */
const recommended = encodeDer(
  sequence(sequence(objectIdentifier(oid.ecPublicKey), set(objectIdentifier(oid.p256))), objectIdentifier(oid.ecdsaWithSha256)),
);

/** GET /.well-known/est/csrattrs: what a client that makes its requests by itself should put into them. */
export function getCsrAttributes(): Answer {
  return { status: 200, mediaType: 'application/csrattrs', ...base64(recommended) };
}
