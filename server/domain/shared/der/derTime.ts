import type { DerElement } from './derElements.ts';

const utcTime = 0x17;
const generalizedTime = 0x18;

/**
 * A time in UTC and whole seconds (RFC 5280, 4.1.2.5): the two digits of a UTCTime mean 1950 to 2049. Throws RangeError on anything else. It makes
 * no strings, because revocation lists have one for each entry.
 */
export function timeOf(element: DerElement | undefined): Date {
  if (!isTime(element)) throw notATime();
  const pairs = pairsOfDigits(element.contents);
  if (element.tag === utcTime) pairs.unshift((pairs[0] ?? 0) < 50 ? 20 : 19);
  const [century = 0, years = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = pairs;
  const year = century * 100 + years;
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const exists = time.getUTCMonth() === month - 1 && time.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (pairs.length !== 7 || !exists || year < 1950) throw notATime();
  return time;
}

/** Whether it is one of the two kinds of time. */
export function isTime(element: DerElement | undefined): element is DerElement {
  return element?.tag === utcTime || element?.tag === generalizedTime;
}

/** The numbers of two digits each that stand before the Z at the end of a time. */
function pairsOfDigits(text: Buffer): number[] {
  const end = text.length - 1;
  if (text[end] !== 0x5a) throw notATime();
  const pairs = [];
  for (let at = 0; at < end; at += 2) pairs.push(digitAt(text, at) * 10 + digitAt(text, at + 1));
  return pairs;
}

function digitAt(text: Buffer, at: number): number {
  const digit = (text[at] ?? 0) - 0x30;
  if (digit < 0 || digit > 9) throw notATime();
  return digit;
}

const notATime = () => new RangeError('not a time');
