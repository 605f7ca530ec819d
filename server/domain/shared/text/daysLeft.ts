const day = 24 * 60 * 60 * 1000;

/** How many days are left, for words: the nearest number, as in the times of the pages, and at least one. What is below a day may be told in hours instead. */
export function daysLeft(milliseconds: number): number {
  return Math.max(1, Math.round(milliseconds / day));
}
