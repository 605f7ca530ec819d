import { agoWords, aheadWords, roughSpanWords } from '../../../../server/domain/shared/text/spanWords.ts';

/** How far `at` is from `now`, in words: "in 90 days", "3 minutes ago", "just now". */
export function relativeWords(at: Date, now: Date): string {
  const distance = at.getTime() - now.getTime();
  // The pages' clock advances every half minute, so a time that is only a little ahead has just passed.
  return distance > 30_000 ? aheadWords(distance) : agoWords(at, now);
}

/** How long it has been `since` then, in words: "for 3 minutes", "for less than a minute". */
export function elapsedWords(since: Date, now: Date): string {
  return `for ${roughSpanWords(now.getTime() - since.getTime())}`;
}

/** The exact time, as in "2026-11-28 09:30:00 UTC". */
export function absoluteWords(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const dayInUtc = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The day in UTC, as in "28 Nov 2026". */
export function dateWords(at: Date): string {
  return dayInUtc.format(at);
}

const hourInUtc = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** The hour in UTC, such as "21 Nov, 10:00". */
export function hourWords(at: Date): string {
  return hourInUtc.format(at);
}

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });

/** The day in the reader’s zone, such as "Saturday, 21 November". */
export function weekdayWords(at: Date): string {
  return weekday.format(at);
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The hour and the minute in the reader’s zone, such as "09:14". */
export function clockWords(at: Date): string {
  return clock.format(at);
}

/** A duration, as in "8.5 ms", "312 ms" or "1.4 s". */
export function durationWords(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return milliseconds >= 10 || milliseconds === 0 ? `${Math.round(milliseconds)} ms` : `${milliseconds.toFixed(1)} ms`;
}
