import { daysLeft } from '../../shared/text/daysLeft.ts';
import { numberWords } from '../../shared/text/numberWords.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long something lasts, in its two largest units: “4 min”, “3 h 20 min”, “2 d 4 h”. */
export function spanWords(milliseconds: number): string {
  const whole = Math.max(0, milliseconds);
  if (whole < minute) return 'less than a minute';
  const [large, small] =
    whole >= day
      ? [`${Math.floor(whole / day)} d`, `${Math.floor((whole % day) / hour)} h`]
      : whole >= hour
        ? [`${Math.floor(whole / hour)} h`, `${Math.floor((whole % hour) / minute)} min`]
        : [`${Math.floor(whole / minute)} min`, ''];
  return small === '' || small.startsWith('0 ') ? large : `${large} ${small}`;
}

/** How long something goes on, in its largest unit, days as they are counted everywhere: “40 min”, “9 d”. */
export function spanLeftWords(milliseconds: number): string {
  return milliseconds >= day ? `${daysLeft(milliseconds)} d` : spanWords(milliseconds).split(' ').slice(0, 2).join(' ');
}

/** How long ago something was, in its largest unit: “4 min ago”, “2 d ago”. */
export function agoWords(at: Date, now: Date): string {
  const distance = now.getTime() - at.getTime();
  return distance < minute ? 'just now' : `${spanWords(distance).split(' ').slice(0, 2).join(' ')} ago`;
}

/** A number with its noun: “1 deletion”, “3 deletions”. */
export function counted(number: number, noun: string): string {
  return `${numberWords(number)} ${noun}${number === 1 ? '' : 's'}`;
}
