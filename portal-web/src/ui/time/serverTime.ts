/** How far the clock of the service is ahead of this computer's, in milliseconds. */
let ahead = 0;
const listeners = new Set<() => void>();

/** A difference that is no larger is none: an answer tells its time in whole seconds, and computers that keep time differ by less. */
const tolerance = 1_000;

/** The present moment by the clock of the service, whose times the pages show: a reader's own clock may be minutes or days off. */
export function serverTime(): number {
  return Date.now() + ahead;
}

/**
 * Takes note of the time that an answer tells in its `Date` header. It was right at some moment between `sentAt` and `receivedAt`, by this
 * computer's clock, so a slow answer that fits what is known says nothing new.
 */
export function noteServerTime(date: string | null, sentAt: number, receivedAt: number): void {
  const told = Date.parse(date ?? '');
  const [least, most] = [told - receivedAt, told + 1_000 - sentAt];
  if (Number.isNaN(told) || (ahead >= least - tolerance && ahead <= most + tolerance)) return;
  ahead = Math.round((least + most) / 2);
  for (const listener of listeners) listener();
}

/** Calls `listener` whenever the time turns out to be another. Returns a function that stops this. */
export function onCorrectedTime(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
