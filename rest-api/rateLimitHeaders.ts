import type { CostClass, QuotaState } from '../server/domain/client/admission/admit.ts';
import { limits } from '../server/domain/shared/limits.ts';

type Policy = { readonly name: string; readonly quota: number; readonly window: number };

const className = { pull: 'hour', statistics: 'statistics', redeem: 'redeem' } as const satisfies Record<CostClass, string>;

const baseline = {
  pull: limits.requestsPerHour,
  statistics: limits.statisticsRequestsPerHour,
  redeem: limits.linkCodeRedemptionsPerHour,
} as const satisfies Record<CostClass, number>;

/** `RateLimit-Policy` before a client is identified: the baseline of the route's class. */
export function baselinePolicy(costClass: CostClass): string {
  return formatPolicies(policies(costClass, limits.requestsPerMinute, baseline[costClass], limits.linkCodeRedemptionsPerIpPer15Minutes));
}

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) of an identified client, for the route's class. */
export function rateLimitHeaders(costClass: CostClass, { minute, costClass: used, source }: QuotaState): Record<string, string> {
  const state = [
    `"minute";r=${minute.left};t=${minute.reset}`,
    `"${className[costClass]}";r=${used.left};t=${used.reset}`,
    ...(costClass === 'redeem' ? [`"redeem-source";r=${source.left};t=${source.reset}`] : []),
  ];
  return {
    'RateLimit-Policy': formatPolicies(policies(costClass, minute.limit, used.limit, source.limit)),
    RateLimit: state.join(', '),
  };
}

function policies(costClass: CostClass, perMinute: number, perHour: number, perSource: number): Policy[] {
  return [
    { name: 'minute', quota: perMinute, window: 60 },
    { name: className[costClass], quota: perHour, window: 3600 },
    ...(costClass === 'redeem' ? [{ name: 'redeem-source', quota: perSource, window: 900 }] : []),
  ];
}

function formatPolicies(list: readonly Policy[]): string {
  return list.map(({ name, quota, window }) => `"${name}";q=${quota};w=${window}`).join(', ');
}
