import type { DerElement } from './derElements.ts';

const utcTime = 0x17;
const generalizedTime = 0x18;

/**
 * A time in UTC and whole seconds (RFC 5280, 4.1.2.5): the two digits of a UTCTime mean 1950 to 2049. Throws RangeError on anything else.
 */
export function timeOf(element: DerElement | undefined): Date {
  const text = element?.contents.toString('latin1') ?? '';
  const full = element?.tag === utcTime ? `${text < '5' ? '20' : '19'}${text}` : text;
  if (!isTime(element) || !/^\d{14}Z$/.test(full)) throw new RangeError('not a time');
  const at = (from: number, to: number) => Number(full.slice(from, to));
  const [year, month, day, hour, minute, second] = [at(0, 4), at(4, 6), at(6, 8), at(8, 10), at(10, 12), at(12, 14)] as const;
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const exists = time.getUTCMonth() === month - 1 && time.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!exists || year < 1950) throw new RangeError('not a time');
  return time;
}

/** Whether it is one of the two kinds of time. */
export function isTime(element: DerElement | undefined): boolean {
  return element?.tag === utcTime || element?.tag === generalizedTime;
}
