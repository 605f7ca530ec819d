import type { OutboundError } from './OutboundError.ts';

/** Ends one attempt from outside, once: its timers, its caller and the service’s end all come here. Cheaper than an AbortSignal. */
export class Cutoff {
  #error: OutboundError | undefined;
  readonly #listeners = new Set<(error: OutboundError) => void>();

  cut(error: OutboundError): void {
    if (this.#error) return;
    this.#error = error;
    for (const listener of this.#listeners) listener(error);
    this.#listeners.clear();
  }

  /** Calls the listener once, at once if it is too late already. The returned function takes it back. */
  onCut(listener: (error: OutboundError) => void): () => void {
    if (this.#error) listener(this.#error);
    else this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
