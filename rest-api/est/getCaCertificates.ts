import { etagOf } from '../../server/platform/http/validators.ts';
import type { Call, DocumentAnswer, Services } from '../Operation.ts';
import { certsOnly } from './certsOnly.ts';

/** GET /.well-known/est/cacerts: every authority that is trusted, current or former, with the roots. */
export function getCaCertificates(_call: Call | null, { authorities }: Pick<Services, 'authorities'>): DocumentAnswer {
  const document = certsOnly(authorities.pems);
  return { ...document, etag: etagOf(document.body) };
}
