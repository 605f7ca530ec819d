import { agoWords, aheadWords, roughSpanWords } from '../../../../server/domain/shared/text/spanWords.ts';

/** How far `at` is from `now`, in words: "in 90 days", "3 minutes ago", "just now". */
export function relativeWords(at: Date, now: Date): string {
  const distance = at.getTime() - now.getTime();
  // The pages' clock advances every half minute, so a time that is only a little ahead has just passed.
  return distance > 30_000 ? aheadWords(distance) : agoWords(at, now);
}

/** When something is that is still to come: "in 4 minutes", "in less than a minute"; and "now" once its time is there. */
export function comingWords(at: Date, now: Date): string {
  const distance = at.getTime() - now.getTime();
  return distance > 0 ? aheadWords(distance) : 'now';
}

/** How long it has been `since` then, in words: "for 3 minutes", "for less than a minute". */
export function elapsedWords(since: Date, now: Date): string {
  const elapsed = now.getTime() - since.getTime();
  return `for ${elapsed < 60_000 ? 'less than a minute' : roughSpanWords(elapsed)}`;
}

/** A duration, as in "8.5 ms", "312 ms" or "1.4 s". */
export function durationWords(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return milliseconds >= 10 || milliseconds === 0 ? `${Math.round(milliseconds)} ms` : `${milliseconds.toFixed(1)} ms`;
}
