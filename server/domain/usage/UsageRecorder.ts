import { DomainError } from '../shared/DomainError.ts';
import { usageLimits } from './usageLimits.ts';
import type { FinishedRequest } from './FinishedRequest.ts';

type Write = (requests: readonly FinishedRequest[]) => Promise<void>;
/** Why requests were dropped: too many were waiting, the database was away for too long or refused them, or the process ended first. */
type DropReason = 'full' | 'late' | 'refused' | 'closed';
type Options = {
  readonly write: Write;
  /** Called for every loss, for the metric and the log. */
  readonly onDropped: (count: number, reason: DropReason, error?: unknown) => void;
  readonly delay?: number;
  readonly waitingTime?: number;
};
type Waiting = { readonly request: FinishedRequest; readonly since: number };

/**
 * The finished requests of this process that have not been written yet. After a second of quiet, one is written at once, so that a
 * reader who waits for it sees it; those that follow are written together, a second after the last batch or as soon as 500 are waiting, one batch
 * at a time. What fails is tried again with the next batch. Adding never waits and never throws.
 */
export class UsageRecorder {
  readonly #options: Options;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  /** The last write failed: the timer alone tries again. */
  #away = false;
  #closed = false;
  #lastStart = -Infinity;

  constructor(options: Options) {
    this.#options = options;
  }

  add(request: FinishedRequest): void {
    if (this.#closed) return this.#options.onDropped(1, 'closed');
    if (this.#waiting.length >= usageLimits.usageWaiting) return this.#options.onDropped(1, 'full');
    this.#waiting.push({ request, since: performance.now() });
    if (this.#waiting.length >= usageLimits.usageBatch && !this.#away) this.#start();
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
    this.#lastStart = performance.now();
    this.#writing = this.#writeFullBatches().finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0 && !this.#closed) this.#startLater();
    });
  }

  #startLater(): void {
    const due = this.#lastStart + (this.#options.delay ?? usageLimits.usageBatchDelay);
    this.#timer ??= setTimeout(() => this.#start(), Math.max(0, due - performance.now())).unref();
  }

  async #writeFullBatches(): Promise<void> {
    do this.#away = !(await this.#writeBatch());
    while (!this.#away && this.#waiting.length >= usageLimits.usageBatch);
  }

  /** False: the database is away. */
  async #writeBatch(): Promise<boolean> {
    const refused = { writes: 0, requests: 0, error: undefined as unknown };
    const there = await this.#writeFirst(Math.min(this.#waiting.length, usageLimits.usageBatch), refused);
    if (refused.requests > 0) this.#options.onDropped(refused.requests, 'refused', refused.error);
    return there;
  }

  /**
   * Writes as many of those that wait. If the database refuses them, halves are tried, so that a single request takes no others with it. Where
   * most are refused, something else is wrong, and the rest of the batch goes without a try of its own.
   */
  async #writeFirst(count: number, refused: { writes: number; requests: number; error: unknown }): Promise<boolean> {
    const batch = this.#waiting.slice(0, count);
    try {
      await this.#options.write(batch.map(({ request }) => request));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'temporarily_unavailable') {
        this.#dropLate(error);
        return false;
      }
      refused.writes += 1;
      const half = Math.ceil(count / 2);
      if (count > 1 && refused.writes <= usageLimits.usageRefusedWrites) {
        return (await this.#writeFirst(half, refused)) && this.#writeFirst(count - half, refused);
      }
      refused.requests += count;
      refused.error = error;
    }
    this.#waiting.splice(0, count);
    return true;
  }

  #dropLate(error: unknown): void {
    const late = this.#tooLate();
    this.#waiting.splice(0, late);
    if (late > 0) this.#options.onDropped(late, 'late', error);
  }

  /** How many have waited too long; they stand in the order of their arrival. */
  #tooLate(): number {
    const deadline = performance.now() - (this.#options.waitingTime ?? usageLimits.usageWaitingTime);
    const first = this.#waiting.findIndex(({ since }) => since >= deadline);
    return first === -1 ? this.#waiting.length : first;
  }
}
