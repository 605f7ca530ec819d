import type { Quota } from './usageQueries.ts';

const names = {
  minute: { of: '', when: 'this minute' },
  hour: { of: '', when: 'this hour' },
  statistics: { of: ' statistics', when: 'this hour' },
  est: { of: ' renewals', when: 'this hour' },
  redeem: { of: ' link codes', when: 'this hour' },
} as const;

/** A quota that is nearly used up: 80% or more. */
export function isTight({ limit, left }: Pick<Quota, 'limit' | 'left'>): boolean {
  return limit - left >= 0.8 * limit;
}

/** What is left of one quota, as in "14 of 20 this minute". */
export function quotaWords({ name, limit, left }: Pick<Quota, 'name' | 'limit' | 'left'>): string {
  const { of, when } = names[name];
  return `${left.toLocaleString('en')} of ${limit.toLocaleString('en')}${of} ${when}`;
}

/** The quotas worth a word: those of all requests, and of the others those that were used. */
export function shownQuotas(quotas: readonly Quota[]): Quota[] {
  return quotas.filter(({ name, limit, left }) => name === 'minute' || name === 'hour' || left < limit);
}
