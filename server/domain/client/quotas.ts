import { limits } from '../shared/limits.ts';

type Bounds = { readonly baseline: number; readonly least: number; readonly most: number };

/**
 * What an override may change (`quota_override`): the value without one, and the range for a new one, from what is still a quota to what
 * the service can handle. Their order is that of `copy_overrides` in the schema, so a new quota comes last.
 */
export const quotas = {
  requests_per_hour: { baseline: limits.requestsPerHour, least: 1, most: 36_000 },
  requests_per_minute: { baseline: limits.requestsPerMinute, least: 1, most: 1_200 },
  concurrent_requests: { baseline: limits.concurrentRequests, least: 1, most: 64 },
  statistics_requests_per_hour: { baseline: limits.statisticsRequestsPerHour, least: 1, most: 3_600 },
  link_code_redemptions_per_hour: { baseline: limits.linkCodeRedemptionsPerHour, least: 1, most: 3_600 },
  link_code_redemptions_per_ip_per_15_minutes: { baseline: limits.linkCodeRedemptionsPerIpPer15Minutes, least: 1, most: 1_000 },
  est_requests_per_hour: { baseline: limits.estRequestsPerHour, least: 1, most: 600 },
  polling_interval_seconds: { baseline: limits.pollingIntervalSeconds, least: 60, most: 86_400 },
} as const satisfies Readonly<Record<string, Bounds>>;

export type OverridableQuota = keyof typeof quotas;
export const overridableQuotas = Object.keys(quotas) as OverridableQuota[];

export type QuotaName = 'minute' | 'hour' | 'statistics' | 'redeem' | 'est';
type QuotaWindow = { readonly name: QuotaName; readonly quota: OverridableQuota; readonly seconds: number };

const hour = { name: 'hour', quota: 'requests_per_hour', seconds: 3_600 } as const;
const statistics = { name: 'statistics', quota: 'statistics_requests_per_hour', seconds: 3_600 } as const;
const redeem = { name: 'redeem', quota: 'link_code_redemptions_per_hour', seconds: 3_600 } as const;
const est = { name: 'est', quota: 'est_requests_per_hour', seconds: 3_600 } as const;

/** The window in which all requests count. Like the others, it is `<name>_start` and `<name>_count` of client_quota. */
export const minuteWindow = { name: 'minute', quota: 'requests_per_minute', seconds: 60 } as const satisfies QuotaWindow;
/** The window in which a request also counts, by its class (docs/specification.md, “Quotas”). */
export const classWindows = { pull: hour, statistics, redeem, est } as const satisfies Record<string, QuotaWindow>;
/** A redemption also counts in a third window, that of its source (redeem_source). */
export const sourceWindow = { name: 'redeem-source', quota: 'link_code_redemptions_per_ip_per_15_minutes', seconds: 900 } as const;

/** Leases, one for each request in progress; not a window. */
export const concurrency = { name: 'concurrency', quota: 'concurrent_requests' } as const;

export type CostClass = keyof typeof classWindows;
export const quotaWindows = [minuteWindow, hour, statistics, redeem, est] as const;
