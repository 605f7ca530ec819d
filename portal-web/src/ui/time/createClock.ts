import { onCorrectedTime, serverTime } from './serverTime.ts';

/** A clock that tells everybody who listens to it whenever it reads a new time. */
export type Clock = { readonly subscribe: (onChange: () => void) => () => void; readonly read: () => number };

/**
 * A clock that reads the service's time rounded down to a multiple of `every` milliseconds, and has one timer however many listen. The timer is set
 * again each time, for the moment at which the clock reads the next multiple: an interval would keep the distance at which the first
 * listener came, and drift.
 */
export function createClock(every: number): Clock {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = () => Math.floor(serverTime() / every) * every;
  const wait = () => {
    timer = setTimeout(tick, read() + every - serverTime());
  };
  const tick = () => {
    wait();
    for (const listener of listeners) listener();
  };
  const correct = () => {
    clearTimeout(timer);
    tick();
  };
  let uncorrected = () => {};
  return {
    read,
    subscribe(onChange) {
      if (listeners.size === 0) {
        wait();
        uncorrected = onCorrectedTime(correct);
      }
      listeners.add(onChange);
      return () => {
        listeners.delete(onChange);
        if (listeners.size > 0) return;
        clearTimeout(timer);
        uncorrected();
      };
    },
  };
}
