import { useMemo, useSyncExternalStore } from 'react';
import { createClock, type Clock } from './createClock.ts';

/** The time by the clock of the service, rounded down to a multiple of `every` milliseconds. Components that use it render again as it advances, all of them at once. */
export function useNow(every = 30_000): Date {
  const { subscribe, read } = clockOf(every);
  const now = useSyncExternalStore(subscribe, read);
  return useMemo(() => new Date(now), [now]);
}

const clocks = new Map<number, Clock>();

/** A page has many times. With a timer each, it would render as often as it has times. */
function clockOf(every: number): Clock {
  const clock = clocks.get(every) ?? createClock(every);
  clocks.set(every, clock);
  return clock;
}
