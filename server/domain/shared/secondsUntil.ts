/** What Retry-After says of a moment that is awaited: whole seconds, at least one, never too few. */
export function secondsUntil(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));
}
