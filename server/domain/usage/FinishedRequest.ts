import type { RequestFacts } from '../evidence/gatherEvidence.ts';
import type { ErrorCode } from '../shared/errorCatalogue.ts';

/**
 * A request of the machine API that is over, as usage remembers it: the operation's name, never the path with its ids, no query, no
 * body, no address. Only requests with a certificate that an authority of ours issued become one.
 */
export type FinishedRequest = RequestFacts & {
  readonly problem: ErrorCode | null;
  /** What the certificate says of itself. */
  readonly certificate: { readonly fingerprintSha256: string; readonly serial: string; readonly commonName: string };
  /** Whether admission accepted the certificate, even if it refused the request for another reason. */
  readonly certificateAccepted: boolean;
};
