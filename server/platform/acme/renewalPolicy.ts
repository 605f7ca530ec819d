import type { X509Certificate } from 'node:crypto';
import { minute } from '../../domain/shared/limits.ts';

/** An authority that says when to come back is asked no earlier, but each day. */
const longestWait = 24 * 60 * minute;

/** Let’s Encrypt takes five failed validations of a name in an hour; these are four. */
const waits = [1, 5, 15, 60, 180, 360].map((minutes) => minutes * minute);

/** At two thirds of its lifetime, as Let’s Encrypt advises, so that a third is left for whatever goes wrong. */
export function renewsAt({ validFromDate, validToDate }: Pick<X509Certificate, 'validFromDate' | 'validToDate'>): Date {
  const lifetime = validToDate.getTime() - validFromDate.getTime();
  return new Date(validFromDate.getTime() + (lifetime * 2) / 3);
}

/** When to try again after this many failures in a row, the last of them now. */
export function triesAgainAt(failures: number, now: Date, toldToWait = 0): Date {
  const own = waits[Math.min(failures, waits.length) - 1] ?? 0;
  return new Date(now.getTime() + Math.max(own, Math.min(toldToWait, longestWait)));
}
