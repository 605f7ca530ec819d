import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the client measures and waits with. Tests hand in their own. */
export type Time = {
  /** Milliseconds of a clock that only rises; it need not tell the time of day. */
  now(): number;
  wait(ms: number, signal?: AbortSignal): Promise<unknown>;
};

export const realTime: Time = {
  now: () => performance.now(),
  wait: (ms, signal) => sleep(ms, undefined, { ...(signal && { signal }) }),
};

/** Settles as the promise does, or rejects as soon as the signal is aborted. @internal */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  const settled = new AbortController();
  const aborted = once(signal, 'abort', { signal: settled.signal }).then(() => Promise.reject(signal.reason as Error));
  return Promise.race([promise, aborted]).finally(() => settled.abort());
}
