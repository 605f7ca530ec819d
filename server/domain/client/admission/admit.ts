import { DomainError } from '../../shared/DomainError.ts';
import type { Query } from '../../shared/query.ts';
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
  certificate_usable_until: string;
  head: number;
  epoch: number;
  requests_per_hour: number;
  requests_per_minute: number;
  concurrent_requests: number;
  statistics_per_hour: number;
  redeem_per_hour: number;
  redeem_per_source: number;
  minute_left: number;
  minute_reset: number;
  class_left: number;
  class_reset: number;
  source_left: number;
  source_reset: number;
  retry_after: number | null;
  violated: string | null;
  lease: string | null;
  overrides: string;
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
  ]);
  const row = rows[0];
  if (!row) throw new DomainError('internal_error', { detail: 'Admission gave no verdict.' });
  return {
    verdict: row.verdict,
    violated: row.violated ? row.violated.split(' ') : [],
    ...(row.client_no !== null && { client: clientOf(row, row.client_no), quota: quotaOf(row, request.costClass) }),
    ...(row.lease !== null && { lease: row.lease }),
    ...(row.retry_after !== null && { retryAfterSeconds: row.retry_after }),
  };
}

/** Gives places back that no later admission of their clients carried. Call it alone, as `admit`. */
export async function releaseLeases(query: Query, finished: readonly FinishedLease[]): Promise<void> {
  const clientNos = `{${finished.map(({ clientNo }) => clientNo).join(',')}}`;
  await query(releaseLeasesSql, [clientNos, arrayLiteral(finished.map(({ lease }) => lease))]);
}

function clientOf(row: Row, no: number): AdmittedClient {
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
    certificateUsableUntil: row.certificate_usable_until,
    head: row.head,
    epoch: row.epoch,
    limits: {
      requestsPerHour: row.requests_per_hour,
      requestsPerMinute: row.requests_per_minute,
      concurrentRequests: row.concurrent_requests,
      statisticsPerHour: row.statistics_per_hour,
      redeemPerHour: row.redeem_per_hour,
      redeemPerSource: row.redeem_per_source,
    },
    overrides: row.overrides === '[]' ? [] : (JSON.parse(row.overrides) as AdmittedClient['overrides']),
  };
}

function quotaOf(row: Row, costClass: CostClass): QuotaState {
  const classLimits = { pull: row.requests_per_hour, statistics: row.statistics_per_hour, redeem: row.redeem_per_hour };
  return {
    minute: { limit: row.requests_per_minute, left: row.minute_left, reset: row.minute_reset },
    costClass: { limit: classLimits[costClass], left: row.class_left, reset: row.class_reset },
    source: { limit: row.redeem_per_source, left: row.source_left, reset: row.source_reset },
  };
}

function arrayLiteral(leases: readonly string[]): string {
  return leases.length === 0 ? '{}' : `{"${leases.join('","')}"}`;
}
