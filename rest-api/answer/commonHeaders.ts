import type { CostClass } from '../../server/domain/client/quotas.ts';
import { baselinePolicy } from './rateLimitHeaders.ts';

const policies = {
  pull: baselinePolicy('pull'),
  statistics: baselinePolicy('statistics'),
  redeem: baselinePolicy('redeem'),
  est: baselinePolicy('est'),
};

/** The headers of every answer. Later steps replace the policy and the caching rule when they know better. */
export function commonHeaders(requestId: string, costClass: CostClass): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'RateLimit-Policy': policies[costClass],
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
}
