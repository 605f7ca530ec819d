type Unit = 'minute' | 'hour' | 'day' | 'year';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

const inWords = (unit: Unit) => new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' });
/** Made once, because each takes a while. */
const words: Readonly<Record<Unit, Intl.NumberFormat>> = {
  minute: inWords('minute'),
  hour: inWords('hour'),
  day: inWords('day'),
  year: inWords('year'),
};
const relative = new Intl.RelativeTimeFormat('en');

/**
 * How long something lasts, in its two largest units, to the nearest one of the smaller: “4 minutes”, “3 hours 20 minutes”, “2 days 4 hours”. What
 * is left until a deadline for something to do is told so everywhere, and what has passed by `roughSpanWords`.
 */
export function spanWords(milliseconds: number): string {
  if (milliseconds < minute) return 'less than a minute';
  const minutes = Math.round(milliseconds / minute);
  return minutes < 24 * 60 ? inTwo(minutes, 60, ['hour', 'minute']) : inTwo(Math.round(milliseconds / hour), 24, ['day', 'hour']);
}

/** How long something lasts, in its largest unit, to the nearest one: “4 minutes”, “14 hours”, “9 days”, “5 years”. */
export function roughSpanWords(milliseconds: number): string {
  if (milliseconds < minute) return 'less than a minute';
  const { count, unit } = roughly(milliseconds);
  return words[unit].format(count);
}

/** How long ago something was, in its largest unit: “4 minutes ago”, “2 days ago”. */
export function agoWords(at: Date, now: Date): string {
  const { count, unit } = roughly(now.getTime() - at.getTime());
  return now.getTime() - at.getTime() < minute ? 'just now' : relative.format(-count, unit);
}

/** How far something is in the future: “in 90 days”. */
export function aheadWords(milliseconds: number): string {
  if (milliseconds < minute) return 'in less than a minute';
  const { count, unit } = roughly(milliseconds);
  return relative.format(count, unit);
}

function roughly(milliseconds: number): { readonly count: number; readonly unit: Unit } {
  if (Math.round(milliseconds / minute) < 60) return { count: Math.round(milliseconds / minute), unit: 'minute' };
  if (Math.round(milliseconds / hour) < 24) return { count: Math.round(milliseconds / hour), unit: 'hour' };
  if (milliseconds < 2 * year) return { count: Math.round(milliseconds / day), unit: 'day' };
  return { count: Math.round(milliseconds / year), unit: 'year' };
}

function inTwo(count: number, size: number, [large, small]: readonly [Unit, Unit]): string {
  const [larges, smalls] = [Math.floor(count / size), count % size];
  return [larges > 0 && words[large].format(larges), smalls > 0 && words[small].format(smalls)].filter(Boolean).join(' ');
}
