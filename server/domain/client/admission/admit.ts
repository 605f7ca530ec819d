import type { IntegrationStatus } from '../../integration/integrationStatus.ts';
import type { Query } from '../../shared/query.ts';
import { limits } from '../../shared/limits.ts';
import { isScope, type Scope } from '../../shared/scopes.ts';
import {
  classWindows,
  concurrency,
  type CostClass,
  minuteWindow,
  type OverridableQuota,
  overridableQuotas,
  quotas,
  sourceWindow,
} from '../quotas.ts';
import { type AdmitParameters, parameterNames } from './admitParameters.ts';
import { clientOfSql, giveBackRedemptionSql, lookSql, releaseLeasesSql, sourceTakenMeanwhile, takeSql } from './admit.sql.ts';
import type { FinishedLease } from './FinishedLeases.ts';
import type { Refusal, Verdict } from './verdicts.ts';

export type AdmissionRequest = {
  /** SHA-256 of the certificate and its serial, both lower-case hexadecimal; the subject's only CN. */
  readonly fingerprintSha256: string;
  readonly serial: string;
  readonly commonName: string;
  /** Whose certificate it is, once an answer of admission has told; until then, it is looked up. */
  readonly clientNumber: number | undefined;
  readonly costClass: CostClass;
  /** The caller's address (with IPv6, its /64). Only redemptions are counted by it. */
  readonly source: string;
  readonly now: Date;
  /** Leases of this client that ended in this process and are released with this call. */
  readonly finished: readonly string[];
  /** Told of a lease of which nobody knows whether the database has given it, because its answer was lost. */
  readonly lost?: (lease: string) => void;
};

type EffectiveQuotas = Readonly<Record<OverridableQuota, number>>;

/** What is left in a window, and the seconds until it starts again. */
type WindowState = { readonly limit: number; readonly left: number; readonly reset: number };

/** The client behind a certificate, as admission saw it in its own snapshot. */
export type AdmittedClient = {
  readonly number: number;
  readonly id: string;
  readonly integrationId: string;
  readonly environment: 'sandbox' | 'production';
  readonly integrationStatus: IntegrationStatus;
  readonly profileVersion: number;
  readonly scopes: readonly Scope[];
  readonly productionDataEnabled: boolean;
  readonly certificateId: string;
  /** RFC 3339; the earlier of the certificate's end and the end of an overlap. */
  readonly certificateUsableUntil: string;
  readonly head: number;
  readonly epoch: number;
  /** Each quota as it applies to this client: an approved override, otherwise the baseline. */
  readonly quotas: EffectiveQuotas;
  readonly overrides: readonly { readonly quota: string; readonly value: number; readonly expires_at?: string }[];
};

/** The state of the limits on which the request's class draws. */
export type QuotaState = { readonly minute: WindowState; readonly costClass: WindowState; readonly source: WindowState };

export type Admission = {
  readonly verdict: Verdict;
  /** Absent while the certificate is unknown. */
  readonly client?: AdmittedClient;
  readonly quota?: QuotaState;
  /** Present when admitted: the lease that was taken, to be released when the answer is finished. */
  readonly lease?: string;
  readonly retryAfterSeconds?: number;
  readonly violated: readonly string[];
};

type Row = {
  client_number: number;
  client_id: string;
  integration_id: string;
  environment: 'sandbox' | 'production';
  integration_status: IntegrationStatus;
  profile_version: number;
  scopes: string;
  production_data_enabled: boolean;
  certificate_id: string;
  certificate_usable_until: Date;
  head: number;
  epoch: number;
  override_values: readonly (number | null)[] | null;
  /** `infinity` is the number. */
  override_ends: readonly (Date | number | null)[] | null;
  minute_start: number;
  minute_count: number;
  class_start: number;
  class_count: number;
  source_start?: number | null;
  source_count?: number | null;
};
/** With what the statement does besides. */
type TakenRow = Row & { refuse_late: string; commits: string; source_limit?: number | null };
/** Without a row to count in, `minute_count` is null. */
type SeenRow = Omit<Row, 'minute_count'> & {
  verdict: Verdict;
  minute_count: number | null;
  first_lease_end: number | null;
  last_lease_end: number | null;
};

const second = 1_000;

/** How often admission tries to take a lease that is free each time it looks and gone each time it takes. */
const mostAttempts = 5;

const baselines = Object.fromEntries(overridableQuotas.map((quota) => [quota, quotas[quota].baseline])) as EffectiveQuotas;

/**
 * Authenticates a certificate, decides about status and quotas, and draws on all limits or on none, in one statement. Only a refusal needs
 * a second one, which says why, and a certificate that is new to the caller one before it, which says whose it is. Rejects only if the database cannot be queried, or comes to it so late that nobody may be waiting any more.
 * Its connection commits asynchronously.
 */
export async function admit(query: Query, request: AdmissionRequest): Promise<Admission> {
  const clientNumber = request.clientNumber ?? (await clientOfCertificate(query, request));
  if (clientNumber === undefined) return { verdict: 'client_certificate_unknown', violated: [] };
  const parameters = parametersOf(request, clientNumber);
  const deadline = new Date(request.now.getTime() + limits.admittedWithin).toISOString();
  for (let attempt = 1; ; attempt += 1) {
    const lease = newLease(request);
    const taken = await take(query, request, { ...parameters, lease, deadline });
    if (taken) {
      const client = clientOf(taken, request.now);
      return { verdict: 'admitted', client, quota: quotaOf(taken, request, client.quotas), lease, violated: [] };
    }
    const [seen] = await query<SeenRow>(lookSql[request.costClass], ordered(request.costClass, parameters));
    if (!seen) return { verdict: 'client_certificate_unknown', violated: [] };
    if (seen.verdict !== 'admitted' || attempt === mostAttempts) return refusedBy(seen, request);
  }
}

/** Releases leases that no later admission of their clients has carried. Runs on admission's connections. */
export async function releaseLeases(query: Query, finished: readonly FinishedLease[]): Promise<void> {
  const clientNumbers = `{${finished.map(({ clientNumber }) => clientNumber).join(',')}}`;
  await query(releaseLeasesSql, [clientNumbers, arrayLiteral(finished.map(({ lease }) => lease))]);
}

/**
 * Gives a redemption that was malformed, and so tried no code, back to the source's limit. Returns the state of the limits after that. The
 * client's own windows keep it.
 */
export async function giveBackRedemption(query: Query, { source, now, quota }: GivenBack): Promise<QuotaState> {
  await query(giveBackRedemptionSql, [source, now.toISOString()]);
  return { ...quota, source: { ...quota.source, left: Math.min(quota.source.left + 1, quota.source.limit) } };
}

/** The redemption as it was admitted. */
type GivenBack = Pick<AdmissionRequest, 'source' | 'now'> & { readonly quota: QuotaState };

async function take(query: Query, { costClass, lost }: AdmissionRequest, parameters: AdmitParameters): Promise<Row | undefined> {
  try {
    const [row] = await query<TakenRow>(takeSql[costClass], ordered(costClass, parameters));
    return row;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === sourceTakenMeanwhile) return undefined;
    lost?.(parameters.lease);
    throw error;
  }
}

async function clientOfCertificate(query: Query, { fingerprintSha256 }: AdmissionRequest): Promise<number | undefined> {
  const [row] = await query<{ client_number: number }>(clientOfSql, [fingerprintSha256]);
  return row?.client_number;
}

function parametersOf(
  { fingerprintSha256, serial, commonName, costClass, source, now, finished }: AdmissionRequest,
  clientNumber: number,
): Looking {
  const floor = (seconds: number) => new Date(now.getTime() - seconds * second).toISOString();
  const ofClass = classWindows[costClass];
  return {
    fingerprint: fingerprintSha256,
    serial,
    commonName,
    clientNumber,
    now: now.toISOString(),
    finished: arrayLiteral(finished),
    minuteFloor: floor(minuteWindow.seconds),
    classFloor: floor(ofClass.seconds),
    minuteLimit: baselines[minuteWindow.quota],
    classLimit: baselines[ofClass.quota],
    concurrencyLimit: baselines.concurrent_requests,
    source,
    sourceFloor: floor(sourceWindow.seconds),
    sourceLimit: baselines[sourceWindow.quota],
  };
}

/** Looking takes no lease, however late it is. */
type Looking = Omit<AdmitParameters, 'lease' | 'deadline'>;

/** The values, in the order in which the statements of a class number them. */
function ordered(costClass: CostClass, parameters: Looking & Partial<AdmitParameters>): (string | number)[] {
  return parameterNames[costClass].flatMap((name) => parameters[name] ?? []);
}

/**
 * A lease is named by its expiry. The random microseconds keep two of one millisecond apart, so that a lease released late can never be
 * another's: a name that is held already, or about to be released, is not taken.
 */
function newLease({ now, finished }: AdmissionRequest): string {
  const millisecond = new Date(now.getTime() + limits.leaseLifetime).toISOString().slice(0, -1);
  let lease: string;
  do {
    const microseconds = String(Math.floor(Math.random() * 1_000)).padStart(3, '0');
    lease = `${millisecond}${microseconds}Z`;
  } while (finished.includes(lease));
  return lease;
}

function clientOf(row: Row | SeenRow, now: Date): AdmittedClient {
  const overrides = overridesOf(row, now);
  return {
    number: row.client_number,
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
    quotas:
      overrides.length === 0 ? baselines : { ...baselines, ...Object.fromEntries(overrides.map(({ quota, value }) => [quota, value])) },
    overrides,
  };
}

/** By name. The values and ends of the quotas come in their order, null without an override. */
function overridesOf({ override_values, override_ends }: Row | SeenRow, now: Date): AdmittedClient['overrides'] {
  if (override_values === null || override_ends === null) return [];
  return override_values
    .flatMap((value, place) => {
      const [quota, end] = [overridableQuotas[place], override_ends[place] ?? null];
      if (value === null || quota === undefined || end === null) return [];
      if (!(end instanceof Date)) return [{ quota, value }];
      return end > now ? [{ quota, value, expires_at: end.toISOString() }] : [];
    })
    .toSorted((one, other) => (one.quota < other.quota ? -1 : 1));
}

function quotaOf(row: Row, { costClass, now }: AdmissionRequest, effective: EffectiveQuotas): QuotaState {
  const windowOf = ({ quota, seconds }: { quota: OverridableQuota; seconds: number }, start: number, count: number): WindowState => {
    const left = Math.ceil((start - now.getTime()) / second) + seconds;
    // If nothing has been counted, the window begins with the next request.
    return left > 0 && count > 0
      ? { limit: effective[quota], left: Math.max(effective[quota] - count, 0), reset: left }
      : { limit: effective[quota], left: effective[quota], reset: seconds };
  };
  return {
    minute: windowOf(minuteWindow, row.minute_start, row.minute_count),
    costClass: windowOf(classWindows[costClass], row.class_start, row.class_count),
    source: windowOf(sourceWindow, row.source_start ?? -Infinity, row.source_count ?? 0),
  };
}

/**
 * Why nothing could be taken. If a lease was free by then, other requests keep taking it first: then too many are in progress.
 */
function refusedBy(seen: SeenRow, request: AdmissionRequest): Admission {
  const { minute_count } = seen;
  // Without a row there is nothing to count in. That is a fault and never an admission.
  if (minute_count === null) throw new Error('A client has no quota row.');
  const client = clientOf(seen, request.now);
  const quota = quotaOf({ ...seen, minute_count }, request, client.quotas);
  const verdict = seen.verdict === 'admitted' ? 'concurrency_limit_exceeded' : seen.verdict;
  if (verdict === 'concurrency_limit_exceeded') {
    return { verdict, client, quota, violated: [concurrency.name], retryAfterSeconds: untilAnyLease(seen, request.now) };
  }
  return { verdict, client, quota, ...refusalOf(verdict, request.costClass, quota) };
}

/**
 * Requests in progress end soon, usually. If none of them has begun lately, they may belong to a process that was killed, and its leases
 * end only by themselves.
 */
function untilAnyLease({ first_lease_end: first, last_lease_end: last }: SeenRow, now: Date): number {
  if (first === null || last === null) return 1;
  const youngest = now.getTime() - (last - limits.leaseLifetime);
  return youngest < limits.usualRequest ? 1 : Math.max(1, Math.ceil((first - now.getTime()) / second));
}

/** Which windows are used up, and when all of them start again. */
function refusalOf(
  verdict: Refusal,
  costClass: CostClass,
  { minute, costClass: ofClass, source }: QuotaState,
): Pick<Admission, 'violated' | 'retryAfterSeconds'> {
  if (verdict !== 'rate_limit_exceeded' && verdict !== 'link_code_attempts_exceeded') return { violated: [] };
  const windows = [
    [minuteWindow.name, minute],
    [classWindows[costClass].name, ofClass],
    ...(costClass === 'redeem' ? [[sourceWindow.name, source] as const] : []),
  ] as const;
  const usedUp = windows.filter(([, window]) => window.left === 0);
  return { violated: usedUp.map(([name]) => name), retryAfterSeconds: Math.max(1, ...usedUp.map(([, window]) => window.reset)) };
}

function arrayLiteral(leases: readonly string[]): string {
  return leases.length === 0 ? '{}' : `{"${leases.join('","')}"}`;
}
