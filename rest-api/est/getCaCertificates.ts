import type { Answer, Call, Services } from '../Operation.ts';
import { certsOnly } from './certsOnly.ts';

/** GET /.well-known/est/cacerts: every authority that is trusted, current or former, with the roots. */
export function getCaCertificates(_call: Call, { authorities }: Pick<Services, 'authorities'>): Answer {
  return certsOnly(authorities.pems);
}
