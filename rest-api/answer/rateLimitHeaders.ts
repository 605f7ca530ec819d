import type { QuotaState } from '../../server/domain/client/admission/admit.ts';
import {
  classWindows,
  concurrency,
  type CostClass,
  minuteWindow,
  type OverridableQuota,
  quotas,
  sourceWindow,
} from '../../server/domain/client/quotas.ts';

/** The limit by source address. It is kept in this process's memory, because it belongs to no client. */
export const unauthenticatedPolicy = 'unauthenticated';

type Policy = { readonly name: string; readonly quota: number; readonly window: number };

const baseline = (quota: OverridableQuota) => quotas[quota].baseline;

/** `RateLimit-Policy` before the client is known: the baseline for the operation's class. */
export function baselinePolicy(costClass: CostClass): string {
  return formatPolicies(
    policies(costClass, baseline(minuteWindow.quota), baseline(classWindows[costClass].quota), baseline(sourceWindow.quota)),
  );
}

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) of an identified client, for the operation's class. */
export function rateLimitHeaders(costClass: CostClass, { minute, costClass: used, source }: QuotaState): Record<string, string> {
  const state = [
    `"${minuteWindow.name}";r=${minute.left};t=${minute.reset}`,
    `"${classWindows[costClass].name}";r=${used.left};t=${used.reset}`,
    ...(costClass === 'redeem' ? [`"${sourceWindow.name}";r=${source.left};t=${source.reset}`] : []),
  ];
  return {
    'RateLimit-Policy': formatPolicies(policies(costClass, minute.limit, used.limit, source.limit)),
    RateLimit: state.join(', '),
  };
}

/** The same headers for a client that holds all its leases. They also name this limit, which has no window. */
export function rateLimitHeadersWithConcurrency(costClass: CostClass, quota: QuotaState, atOnce: number): Record<string, string> {
  const windows = rateLimitHeaders(costClass, quota);
  return {
    'RateLimit-Policy': `${windows['RateLimit-Policy']}, "${concurrency.name}";q=${atOnce};qu="concurrent-requests"`,
    RateLimit: `${windows['RateLimit']}, "${concurrency.name}";r=0`,
  };
}

/** The limit on requests without a usable certificate, named once their address has used it up. */
export function unauthenticatedHeaders({ perMinute, reset }: { perMinute: number; reset: number }): Record<string, string> {
  return {
    'RateLimit-Policy': formatPolicies([{ name: unauthenticatedPolicy, quota: perMinute, window: 60 }]),
    RateLimit: `"${unauthenticatedPolicy}";r=0;t=${reset}`,
  };
}

// Put together by hand, because every answer has them and a serializer of structured fields takes ten times as long.
function policies(costClass: CostClass, perMinute: number, perHour: number, perSource: number): Policy[] {
  return [
    { name: minuteWindow.name, quota: perMinute, window: minuteWindow.seconds },
    { name: classWindows[costClass].name, quota: perHour, window: classWindows[costClass].seconds },
    ...(costClass === 'redeem' ? [{ name: sourceWindow.name, quota: perSource, window: sourceWindow.seconds }] : []),
  ];
}

function formatPolicies(list: readonly Policy[]): string {
  return list.map(({ name, quota, window }) => `"${name}";q=${quota};w=${window}`).join(', ');
}
