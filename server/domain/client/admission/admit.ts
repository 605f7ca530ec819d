import { DomainError } from '../../shared/DomainError.ts';
import type { Query } from '../../shared/query.ts';
import { limits } from '../../shared/limits.ts';
import { isScope, type Scope } from '../../shared/scopes.ts';
import { admitSql, releaseLeasesSql } from './admit.sql.ts';
import type { FinishedLease } from './FinishedLeases.ts';
import type { Verdict } from './verdicts.ts';

/** What a request takes from besides the minute and the places (contract, "Quotas"). */
export type CostClass = 'pull' | 'statistics' | 'redeem';

export type AdmissionRequest = {
  /** SHA-256 of the certificate and its serial, both lower-case hexadecimal; the subject's only CN. */
  readonly fingerprintSha256: string;
  readonly serial: string;
  readonly commonName: string;
  readonly costClass: CostClass;
  /** The caller's address (IPv6: its /64); counted by redemptions only. */
  readonly source: string;
  readonly now: Date;
  /** Leases of this client that ended in this process and are given back with this call. */
  readonly finished: readonly string[];
};

/** A quota window: what is left of it and the seconds until it starts anew. */
export type QuotaWindow = { readonly limit: number; readonly left: number; readonly reset: number };

/** The client behind a certificate, as admission saw it in its own snapshot. */
export type AdmittedClient = {
  readonly no: number;
  readonly id: string;
  readonly integrationId: string;
  readonly environment: 'sandbox' | 'production';
  readonly integrationStatus: string;
  readonly profileVersion: number;
  readonly scopes: readonly Scope[];
  readonly productionDataEnabled: boolean;
  readonly certificateId: string;
  /** RFC 3339; the earlier of the certificate's end and the end of an overlap. */
  readonly certificateUsableUntil: string;
  readonly head: number;
  readonly epoch: number;
  readonly limits: {
    readonly requestsPerHour: number;
    readonly requestsPerMinute: number;
    readonly concurrentRequests: number;
    readonly statisticsPerHour: number;
    readonly redeemPerHour: number;
    readonly redeemPerSource: number;
  };
  readonly overrides: readonly { readonly quota: string; readonly value: number; readonly expires_at?: string }[];
};

/** The state of the limits that the request's class takes from. */
export type QuotaState = { readonly minute: QuotaWindow; readonly costClass: QuotaWindow; readonly source: QuotaWindow };

export type Admission = {
  readonly verdict: Verdict;
  /** Absent while the certificate is unknown. */
  readonly client?: AdmittedClient;
  readonly quota?: QuotaState;
  /** Present when admitted: the place that was taken, to be given back when the answer is finished. */
  readonly lease?: string;
  readonly retryAfterSeconds?: number;
  readonly violated: readonly string[];
};

type Row = {
  verdict: Verdict;
  client_no: number | null;
  client_id: string;
  integration_id: string;
  environment: 'sandbox' | 'production';
  integration_status: string;
  profile_version: number;
  scopes: string;
  production_data_enabled: boolean;
  certificate_id: string;
  certificate_usable_until: Date;
  head: number;
  epoch: number;
  overrides: string | null;
  minute_used: number;
  minute_reset: number;
  class_used: number;
  class_reset: number;
  source_used: number;
  source_reset: number;
  lease: string | null;
};

/** What is taken from besides the minute. */
const classLimits = {
  pull: 'requestsPerHour',
  statistics: 'statisticsPerHour',
  redeem: 'redeemPerHour',
} as const satisfies Record<CostClass, keyof AdmittedClient['limits']>;

const baseline: AdmittedClient['limits'] = {
  requestsPerHour: limits.requestsPerHour,
  requestsPerMinute: limits.requestsPerMinute,
  concurrentRequests: limits.concurrentRequests,
  statisticsPerHour: limits.statisticsRequestsPerHour,
  redeemPerHour: limits.linkCodeRedemptionsPerHour,
  redeemPerSource: limits.linkCodeRedemptionsPerIpPer15Minutes,
};

/** Which limit an override row raises or lowers. */
const limitOfQuota: Readonly<Record<string, keyof AdmittedClient['limits']>> = {
  requests_per_hour: 'requestsPerHour',
  requests_per_minute: 'requestsPerMinute',
  concurrent_requests: 'concurrentRequests',
  statistics_requests_per_hour: 'statisticsPerHour',
  link_code_redemptions_per_hour: 'redeemPerHour',
  link_code_redemptions_per_ip_per_15_minutes: 'redeemPerSource',
};

/**
 * Authenticates a certificate, decides about status and quotas and takes from all limits or from none, in one statement. Call it
 * alone: it makes its transaction asynchronous. Rejects only when the database cannot be asked.
 */
export async function admit(query: Query, request: AdmissionRequest): Promise<Admission> {
  const rows = await query<Row>(admitSql, [
    request.fingerprintSha256,
    request.serial,
    request.commonName,
    request.costClass,
    request.source,
    request.now.toISOString(),
    arrayLiteral(request.finished),
    baseline.requestsPerMinute,
    baseline[classLimits[request.costClass]],
    baseline.concurrentRequests,
    baseline.redeemPerSource,
  ]);
  const row = rows[0];
  if (!row) throw new DomainError('internal_error', { detail: 'Admission gave no verdict.' });
  if (row.client_no === null) return { verdict: row.verdict, violated: [] };
  const client = clientOf(row, row.client_no);
  const quota = quotaOf(row, request.costClass, client.limits);
  return {
    verdict: row.verdict,
    client,
    quota,
    ...(row.lease === null ? refusalOf(row.verdict, request.costClass, quota) : { lease: row.lease, violated: [] }),
  };
}

/** Gives places back that no later admission of their clients carried. Call it alone, as `admit`. */
export async function releaseLeases(query: Query, finished: readonly FinishedLease[]): Promise<void> {
  const clientNos = `{${finished.map(({ clientNo }) => clientNo).join(',')}}`;
  await query(releaseLeasesSql, [clientNos, arrayLiteral(finished.map(({ lease }) => lease))]);
}

function clientOf(row: Row, no: number): AdmittedClient {
  const overrides = row.overrides === null ? [] : overridesOf(row.overrides);
  return {
    no,
    id: row.client_id,
    integrationId: row.integration_id,
    environment: row.environment,
    integrationStatus: row.integration_status,
    profileVersion: row.profile_version,
    scopes: row.scopes.split(' ').filter(isScope),
    productionDataEnabled: row.production_data_enabled,
    certificateId: row.certificate_id,
    certificateUsableUntil: row.certificate_usable_until.toISOString(),
    head: row.head,
    epoch: row.epoch,
    limits: overrides.length === 0 ? baseline : limitsUnder(overrides),
    overrides,
  };
}

/** From `quota value expiry`, the expiry only where there is one. */
function overridesOf(text: string): AdmittedClient['overrides'] {
  const overrides = text.split(',').map((each) => {
    const [quota = '', value, ...expiry] = each.split(' ');
    return { quota, value: Number(value), ...(expiry.length > 0 && { expires_at: new Date(expiry.join(' ')).toISOString() }) };
  });
  return overrides.toSorted((one, other) => (one.quota < other.quota ? -1 : 1));
}

function limitsUnder(overrides: AdmittedClient['overrides']): AdmittedClient['limits'] {
  const result = { ...baseline };
  for (const { quota, value } of overrides) {
    const limit = limitOfQuota[quota];
    if (limit) result[limit] = value;
  }
  return result;
}

function quotaOf(row: Row, costClass: CostClass, limit: AdmittedClient['limits']): QuotaState {
  return {
    minute: windowOf(limit.requestsPerMinute, row.minute_used, row.minute_reset),
    costClass: windowOf(limit[classLimits[costClass]], row.class_used, row.class_reset),
    source: windowOf(limit.redeemPerSource, row.source_used, row.source_reset),
  };
}

function windowOf(limit: number, used: number, reset: number): QuotaWindow {
  return { limit, left: Math.max(limit - used, 0), reset };
}

/** Which windows are used up, and when all of them start anew. */
function refusalOf(
  verdict: Verdict,
  costClass: CostClass,
  { minute, costClass: ofClass, source }: QuotaState,
): Pick<Admission, 'violated' | 'retryAfterSeconds'> {
  if (verdict === 'concurrency_limit_exceeded') return { violated: ['concurrency'], retryAfterSeconds: 1 };
  if (verdict !== 'rate_limit_exceeded' && verdict !== 'link_code_attempts_exceeded') return { violated: [] };
  const windows = [
    ['minute', minute],
    [costClass === 'pull' ? 'hour' : costClass, ofClass],
    ...(costClass === 'redeem' ? [['redeem-source', source] as const] : []),
  ] as const;
  const usedUp = windows.filter(([, window]) => window.left === 0);
  return { violated: usedUp.map(([name]) => name), retryAfterSeconds: Math.max(1, ...usedUp.map(([, window]) => window.reset)) };
}

function arrayLiteral(leases: readonly string[]): string {
  return leases.length === 0 ? '{}' : `{"${leases.join('","')}"}`;
}
