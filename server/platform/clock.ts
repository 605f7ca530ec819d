import type { Clock } from '../domain/shared/clock.ts';

/** The machine's clock; `Date` has whole milliseconds. */
export const systemClock: Clock = { now: () => new Date() };
