import { type Known, namesOf, factsIn, statusLifecycle } from '../shared/lifecycle.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';
import { certificateFacts } from './certificateFacts.ts';

/** The status that pages show: an issued certificate has expired once its usable time is over. */
export type ShownCertificateStatus = Known<keyof typeof certificateFacts>;
export const shownCertificateStatuses = namesOf(certificateFacts);
const { expired: _, ...storedFacts } = certificateFacts;
export type CertificateStatus = Known<keyof typeof storedFacts>;
export const certificateStatuses = namesOf(storedFacts);

/** Every change of a certificate, from its request on (docs/specification.md, “Certificate issuance” and the sections after it). */
export const certificateTransitions = {
  requestCertificate: { from: [], to: 'pending', by: ['owner'], sets: ['slot', 'publicKeyDer', 'requestedAt', 'requestedBy'] },
  reserveSerial: { from: ['pending'], to: 'pending', by: ['service'], sets: ['issuerId', 'serial', 'notBefore', 'notAfter'] },
  issueCertificate: {
    from: ['pending'],
    to: 'issued',
    by: ['service'],
    sets: ['publicKeyDer', 'pem', 'fingerprintSha256', 'issuedAt', 'usableUntil'],
  },
  failCertificate: { from: ['pending'], to: 'failed', by: ['service'], sets: ['slot', 'failure'] },
  /** A newer certificate has been issued, so this one ends with the overlap. */
  limitOverlap: { from: ['issued'], to: 'issued', by: ['service'], sets: ['usableUntil'] },
  /** The newer certificate has been revoked, so this one ends at its own end again, or with the overlap of another one. */
  restoreEnd: { from: ['issued'], to: 'issued', by: ['owner', 'administrator', 'service'], sets: ['usableUntil'] },
  /** A certificate that is no longer usable frees its slot for the next one. */
  freeSlot: { from: ['issued'], to: 'issued', by: ['owner'], sets: ['slot'] },
  /** Also by an administrator who retires the integration, and by the service when nobody has claimed the package with its key. */
  revokeCertificate: {
    from: ['pending', 'issued'],
    to: 'revoked',
    by: ['owner', 'administrator', 'service'],
    sets: ['slot', 'revokedAt', 'revocationReason'],
  },
  /** A revocation list names its serial for the first time. */
  publishRevocation: { from: ['revoked'], to: 'revoked', by: ['service'], sets: ['crlPublishedAt'] },
} as const satisfies TransitionTable<CertificateStatus>;

export const certificateLifecycle = statusLifecycle('certificate', storedFacts, certificateTransitions);

/** SQL: a job still works on the certificate `row`, or has given up. */
export const unissued = (row?: string): string => certificateLifecycle.where(({ stage, isVoid }) => stage === 'pending' || isVoid, { row });

/** SQL: the certificate `row` was issued and not revoked; it works until its usable time is over. */
export const isIssued = (row?: string): string => certificateLifecycle.where(({ stage }) => stage === 'working', { row });

/** SQL: the certificate `row` was made or still may be, so its name is taken. */
export const counts = (row?: string): string => certificateLifecycle.where(({ isVoid }) => !isVoid, { row });

/** The status to show for a certificate at this moment. */
export function shownCertificateStatus(
  { status, usableUntil }: { readonly status: CertificateStatus; readonly usableUntil?: Date | null },
  now: Date,
): ShownCertificateStatus {
  return factsIn(certificateFacts, status).stage === 'working' && usableUntil && usableUntil <= now ? 'expired' : status;
}
