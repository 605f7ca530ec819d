import { limits } from '../shared/limits.ts';

/**
 * From when on what is signed at this moment is valid, in whole seconds: since a little before, because others, whose clocks are slow, would
 * otherwise refuse it (docs/specification.md, “Clocks”).
 */
export function validFrom(now: Date): Date {
  return wholeSeconds(now.getTime() - limits.clockTolerance);
}

/** Whether something that somebody else has signed is valid by now: their clock may be fast. */
export function hasBegun(from: Date, now: Date): boolean {
  return from.getTime() <= now.getTime() + limits.clockTolerance;
}

/** X.509 has no fractions of seconds. */
export function wholeSeconds(milliseconds: number): Date {
  return new Date(Math.floor(milliseconds / 1000) * 1000);
}
