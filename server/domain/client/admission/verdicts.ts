import type { ErrorCode } from '../../shared/errorCatalogue.ts';

/** What admission decides: that the request is admitted, or the code of the problem to answer with. */
const refusals = [
  'client_certificate_unknown',
  'client_certificate_revoked',
  'client_certificate_expired',
  'integration_retired',
  'integration_suspended',
  'integration_not_active',
  'rate_limit_exceeded',
  'link_code_attempts_exceeded',
  'concurrency_limit_exceeded',
] as const satisfies readonly ErrorCode[];

export type Refusal = (typeof refusals)[number];
export type Verdict = 'admitted' | Refusal;

/** Whether the verdict is about the certificate itself. The client then counts as not identified. */
export function refusesCertificate(verdict: Verdict): boolean {
  return verdict.startsWith('client_certificate_');
}
