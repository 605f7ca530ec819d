import type { SandboxFacts } from '../evidence/observeSandbox.ts';
import type { ErrorCode } from '../shared/errorCatalogue.ts';

/**
 * A request of the machine API that is over, as usage remembers it: the operation's name, never the path with its ids, no query, no
 * body, no address. Only requests with a certificate that an authority of ours issued become one.
 */
export type FinishedRequest = {
  readonly occurredAt: Date;
  readonly requestId: string;
  readonly method: string;
  /** The operation; `path` when only the method was wrong, `nothing` when there is no such path. */
  readonly route: string;
  /** The answer's; 499 when the caller hung up before it was complete. */
  readonly status: number;
  readonly problem: ErrorCode | null;
  readonly durationMs: number;
  /** What the certificate says of itself. */
  readonly certificate: { readonly fingerprintSha256: string; readonly serial: string; readonly commonName: string };
  /** What admission knows of it; null when the certificate is none on record or admission was not reached. */
  readonly client: { readonly no: number; readonly certificateId: string } | null;
  /** False: it is counted only. */
  readonly logged: boolean;
  /** What a review will ask about; of sandbox clients only. */
  readonly sandbox: SandboxFacts | null;
};
