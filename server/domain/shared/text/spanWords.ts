import { counted } from './numberWords.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * How long something lasts, in its two largest units, to the nearest one of the smaller: “4 minutes”, “3 hours 20 minutes”, “2 days 4 hours”.
 * The pages count alike (`portal-web/src/ui/time/timeWords.ts`).
 */
export function spanWords(milliseconds: number): string {
  if (milliseconds < minute) return 'less than a minute';
  const minutes = Math.round(milliseconds / minute);
  return minutes < 24 * 60 ? inUnits(minutes, 60, 'hour', 'minute') : inUnits(Math.round(milliseconds / hour), 24, 'day', 'hour');
}

/** How long something lasts, in its largest unit, to the nearest one: “4 minutes”, “14 hours”, “9 days”. */
export function roughSpanWords(milliseconds: number): string {
  if (milliseconds < minute) return 'less than a minute';
  if (Math.round(milliseconds / minute) < 60) return counted(Math.round(milliseconds / minute), 'minute');
  if (Math.round(milliseconds / hour) < 24) return counted(Math.round(milliseconds / hour), 'hour');
  return counted(Math.round(milliseconds / day), 'day');
}

/** How long ago something was, in its largest unit: “4 minutes ago”, “2 days ago”. */
export function agoWords(at: Date, now: Date): string {
  const distance = now.getTime() - at.getTime();
  return distance < minute ? 'just now' : `${roughSpanWords(distance)} ago`;
}

function inUnits(count: number, size: number, large: string, small: string): string {
  const [larges, smalls] = [Math.floor(count / size), count % size];
  return [larges > 0 && counted(larges, large), smalls > 0 && counted(smalls, small)].filter(Boolean).join(' ');
}
