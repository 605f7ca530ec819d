import { limits } from '../shared/limits.ts';

/** What an override may change, and between which values: what the service can carry, and what still is a quota. */
export const quotaBounds = {
  requests_per_hour: { least: 1, most: 36_000 },
  requests_per_minute: { least: 1, most: 1_200 },
  concurrent_requests: { least: 1, most: 64 },
  statistics_requests_per_hour: { least: 1, most: 3_600 },
  link_code_redemptions_per_hour: { least: 1, most: 3_600 },
  link_code_redemptions_per_ip_per_15_minutes: { least: 1, most: 1_000 },
  polling_interval_seconds: { least: 60, most: 86_400 },
} as const satisfies Readonly<Record<string, { readonly least: number; readonly most: number }>>;

export type OverridableQuota = keyof typeof quotaBounds;
export const overridableQuotas = Object.keys(quotaBounds) as OverridableQuota[];

/** What is wrong with an override's value and expiry, by field; nothing when both are good. */
export function quotaOverrideErrors(
  { quota, value, expiresAt }: { quota: OverridableQuota; value: number; expiresAt: Date | null },
  now: Date,
): { path: string; message: string }[] {
  const { least, most } = quotaBounds[quota];
  const latest = new Date(now.getTime() + limits.quotaOverrideLifetime);
  return [
    ...(Number.isSafeInteger(value) && value >= least && value <= most
      ? []
      : [{ path: 'input.value', message: `${quota} can be ${least} to ${most}.` }]),
    ...(expiresAt === null || (expiresAt > now && expiresAt <= latest)
      ? []
      : [
          {
            path: 'input.expiresAt',
            message: 'An override ends in the future, within 366 days. Leave it out to let it stand until it is withdrawn.',
          },
        ]),
  ];
}
