/** The Retry-After for a moment to wait for: whole seconds, at least one, rounded up. */
export function secondsUntil(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));
}
