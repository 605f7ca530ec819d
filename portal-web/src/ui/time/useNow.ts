import { useMemo, useSyncExternalStore } from 'react';

/** The time, rounded down to a multiple of `every` milliseconds. Components that use it render again as it advances. */
export function useNow(every = 30_000): Date {
  const clock = useMemo(() => ticking(every), [every]);
  const now = useSyncExternalStore(clock.subscribe, clock.read);
  return useMemo(() => new Date(now), [now]);
}

function ticking(every: number) {
  return {
    subscribe: (onChange: () => void) => {
      const timer = setInterval(onChange, every);
      return () => clearInterval(timer);
    },
    read: () => Math.floor(Date.now() / every) * every,
  };
}
