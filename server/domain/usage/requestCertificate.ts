import type { RevocationReason } from '../certificate/Certificate.ts';

/** What is on record now of the certificate that a request presented. */
export type RequestCertificate = {
  readonly id: string;
  readonly notBefore: Date | null;
  readonly notAfter: Date | null;
  readonly usableUntil: Date | null;
  readonly revokedAt: Date | null;
  readonly revocationReason: RevocationReason | null;
};

/** As `certificateColumns` reads it. */
export type CertificateRow = {
  readonly certificate_id: string | null;
  readonly not_before: Date | null;
  readonly not_after: Date | null;
  readonly usable_until: Date | null;
  readonly revoked_at: Date | null;
  readonly revocation_reason: RevocationReason | null;
};

/** Null when the presented certificate is not on record. */
export function certificateOf(row: CertificateRow): RequestCertificate | null {
  if (row.certificate_id === null) return null;
  return {
    id: row.certificate_id,
    notBefore: row.not_before,
    notAfter: row.not_after,
    usableUntil: row.usable_until,
    revokedAt: row.revoked_at,
    revocationReason: row.revocation_reason,
  };
}
