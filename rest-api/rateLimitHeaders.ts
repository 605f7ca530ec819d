import type { QuotaState } from '../server/domain/client/admission/admit.ts';
import { classWindows, type CostClass, minuteWindow, type OverridableQuota, quotas, sourceWindow } from '../server/domain/client/quotas.ts';

type Policy = { readonly name: string; readonly quota: number; readonly window: number };

const baseline = (quota: OverridableQuota) => quotas[quota].baseline;

/** `RateLimit-Policy` before a client is identified: the baseline of the route's class. */
export function baselinePolicy(costClass: CostClass): string {
  return formatPolicies(
    policies(costClass, baseline(minuteWindow.quota), baseline(classWindows[costClass].quota), baseline(sourceWindow.quota)),
  );
}

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) of an identified client, for the route's class. */
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
