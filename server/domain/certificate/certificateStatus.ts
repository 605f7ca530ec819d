import { statusLifecycle } from '../shared/lifecycle.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';

export const certificateStatuses = ['pending', 'issued', 'failed', 'revoked'] as const;
export type CertificateStatus = (typeof certificateStatuses)[number];

/** Certificates on which a job still works, or on which it has given up. */
export const unissuedStatuses = ['pending', 'failed'] as const satisfies readonly CertificateStatus[];

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

export const certificateLifecycle = statusLifecycle('certificate', certificateStatuses, certificateTransitions);

/** The status that pages show: an issued certificate has expired once its usable time is over. */
export const shownCertificateStatuses = ['pending', 'issued', 'expired', 'revoked', 'failed'] as const;

/** The status to show for a certificate at this moment. */
export function shownCertificateStatus(
  { status, usableUntil }: { readonly status: CertificateStatus; readonly usableUntil?: Date | null },
  now: Date,
): (typeof shownCertificateStatuses)[number] {
  return status === 'issued' && usableUntil && usableUntil <= now ? 'expired' : status;
}
