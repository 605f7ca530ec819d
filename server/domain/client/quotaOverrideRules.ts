import { limits } from '../shared/limits.ts';
import { type OverridableQuota, quotas } from './quotas.ts';

/** What is wrong with an override's value and expiry, by field. Empty if both are valid. */
export function quotaOverrideErrors(
  { quota, value, expiresAt }: { quota: OverridableQuota; value: number; expiresAt: Date | null },
  now: Date,
): { path: string; message: string }[] {
  const { least, most } = quotas[quota];
  const latest = new Date(now.getTime() + limits.quotaOverrideLifetime);
  return [
    ...(Number.isSafeInteger(value) && value >= least && value <= most
      ? []
      : [{ path: 'input.value', message: `${quota} must be from ${least} to ${most}.` }]),
    ...(expiresAt === null || (expiresAt > now && expiresAt <= latest)
      ? []
      : [
          {
            path: 'input.expiresAt',
            message: 'An override must end in the future, within 366 days. Leave the end empty to keep the override until it is withdrawn.',
          },
        ]),
  ];
}
