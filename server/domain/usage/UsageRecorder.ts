import { DomainError } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import type { FinishedRequest } from './FinishedRequest.ts';

type Write = (requests: readonly FinishedRequest[]) => Promise<void>;
/** Why requests were dropped: too many were waiting, the database was away for too long or refused them, or the process ended first. */
export type DropReason = 'full' | 'late' | 'refused' | 'closed';
type Options = {
  readonly write: Write;
  /** Called for every loss, for the metric and the log. */
  readonly onDropped: (count: number, reason: DropReason, error?: unknown) => void;
  readonly delay?: number;
  readonly waitingTime?: number;
};
type Waiting = { readonly request: FinishedRequest; readonly since: number };

/**
 * The finished requests of this process that have not been written yet. They are written together, at most a second after the first one or
 * as soon as 500 are waiting, one batch at a time. What fails is tried again with the next batch. Adding never waits and never throws.
 */
export class UsageRecorder {
  readonly #options: Options;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  /** The last write failed: the timer alone tries again. */
  #away = false;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  add(request: FinishedRequest): void {
    if (this.#closed) return this.#options.onDropped(1, 'closed');
    if (this.#waiting.length >= limits.usageWaiting) return this.#options.onDropped(1, 'full');
    this.#waiting.push({ request, since: performance.now() });
    if (this.#waiting.length >= limits.usageBatch && !this.#away) this.#start();
    else this.#startLater();
  }

  /** Writes everything that is waiting, until a write fails. Never rejects. */
  async flush(): Promise<void> {
    await this.#writing;
    while (this.#waiting.length > 0) {
      this.#start();
      await this.#writing;
      if (this.#away) return;
    }
  }

  /** The last flush. Whatever is still waiting afterwards is dropped, and nothing more is accepted. */
  async close(): Promise<void> {
    await this.flush();
    this.#closed = true;
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#options.onDropped(this.#waiting.length, 'closed');
    this.#waiting = [];
  }

  #start(): void {
    if (this.#writing) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writeFullBatches().finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0 && !this.#closed) this.#startLater();
    });
  }

  #startLater(): void {
    this.#timer ??= setTimeout(() => this.#start(), this.#options.delay ?? limits.usageBatchDelay).unref();
  }

  async #writeFullBatches(): Promise<void> {
    do this.#away = !(await this.#writeBatch());
    while (!this.#away && this.#waiting.length >= limits.usageBatch);
  }

  /** False: the database is away. */
  async #writeBatch(): Promise<boolean> {
    const batch = this.#waiting.slice(0, limits.usageBatch);
    try {
      await this.#options.write(batch.map(({ request }) => request));
      this.#waiting.splice(0, batch.length);
      return true;
    } catch (error) {
      const away = error instanceof DomainError && error.code === 'temporarily_unavailable';
      const dropped = away ? this.#tooLate() : batch.length;
      this.#waiting.splice(0, dropped);
      if (dropped > 0) this.#options.onDropped(dropped, away ? 'late' : 'refused', error);
      return !away;
    }
  }

  /** How many have waited too long; they stand in the order of their arrival. */
  #tooLate(): number {
    const deadline = performance.now() - (this.#options.waitingTime ?? limits.usageWaitingTime);
    const first = this.#waiting.findIndex(({ since }) => since >= deadline);
    return first === -1 ? this.#waiting.length : first;
  }
}
