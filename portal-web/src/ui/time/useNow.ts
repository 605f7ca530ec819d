import { useMemo, useSyncExternalStore } from 'react';

/** The time, rounded down to a multiple of `every` milliseconds. Components that use it render again as it advances, all of them at once. */
export function useNow(every = 30_000): Date {
  const { subscribe, read } = clockOf(every);
  const now = useSyncExternalStore(subscribe, read);
  return useMemo(() => new Date(now), [now]);
}

type Clock = { readonly subscribe: (onChange: () => void) => () => void; readonly read: () => number };

const clocks = new Map<number, Clock>();

/** A page has many times. With a timer each, it would render as often as it has times. */
function clockOf(every: number): Clock {
  const clock = clocks.get(every) ?? createClock(every);
  clocks.set(every, clock);
  return clock;
}

function createClock(every: number): Clock {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    for (const listener of listeners) listener();
  };
  return {
    read: () => Math.floor(Date.now() / every) * every,
    subscribe(onChange) {
      if (listeners.size === 0) timer = setInterval(tick, every);
      listeners.add(onChange);
      return () => {
        listeners.delete(onChange);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
  };
}
