import { startTransition, useEffect, useMemo, useState } from 'react';
import { createClock, type Clock } from './createClock.ts';

/**
 * The time by the clock of the service, rounded down to a multiple of `every` milliseconds. Components that use it render again as it advances, all
 * of them at once, and as soon as nothing else is drawn: a page that is being opened is not begun again for a second that has passed.
 */
export function useNow(every = 30_000): Date {
  const { subscribe, read } = clockOf(every);
  const [now, setNow] = useState(read);
  useEffect(() => {
    const advance = () => startTransition(() => setNow(read()));
    // It may have advanced since the component was rendered.
    advance();
    return subscribe(advance);
  }, [subscribe, read]);
  return useMemo(() => new Date(now), [now]);
}

const clocks = new Map<number, Clock>();

/** A page has many times. With a timer each, it would render as often as it has times. */
function clockOf(every: number): Clock {
  const clock = clocks.get(every) ?? createClock(every);
  clocks.set(every, clock);
  return clock;
}
