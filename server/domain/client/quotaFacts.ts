import type { QuotaName } from './quotas.ts';

/** What each quota counts, and until when. */
const quotaFacts = {
  minute: { of: 'requests', when: 'this minute' },
  hour: { of: 'requests', when: 'this hour' },
  statistics: { of: 'statistics', when: 'this hour' },
  est: { of: 'renewals', when: 'this hour' },
  redeem: { of: 'link codes', when: 'this hour' },
} as const satisfies Readonly<Record<QuotaName, { of: string; when: string }>>;

/**
 * What is left of one quota, wherever it is told, as in "14 of 20 requests left this minute". A window begins with its first request, so an hour of
 * which nothing is used may follow calls of the same hour of the clock, and is not called “this hour”.
 */
export function quotaLeftWords({ name, limit, left }: { name: QuotaName; limit: number; left: number }): string {
  const { of, when } = quotaFacts[name];
  const unbegun = left === limit && when === 'this hour';
  return `${left.toLocaleString('en')} of ${limit.toLocaleString('en')} ${unbegun ? `hourly ${of} left` : `${of} left ${when}`}`;
}
