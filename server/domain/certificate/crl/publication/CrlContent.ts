import type { RevocationReason } from '../../Certificate.ts';

/** A revoked certificate as a list names it: its serial in hexadecimal, when it was revoked, and why. */
export type RevokedCertificate = { readonly serial: string; readonly revokedAt: Date; readonly reason: RevocationReason };

/** What goes into a revocation list. Times are in whole seconds. */
export type CrlContent = {
  readonly number: bigint;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  readonly revoked: readonly RevokedCertificate[];
};
