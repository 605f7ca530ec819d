/** Why a process cannot do its work now, or that it can. */
export type ReadinessState =
  | 'ready'
  | 'starting'
  | 'draining'
  | 'unreachable'
  | 'no_connections'
  | 'read_only'
  | 'cannot_write'
  | 'clock_differs'
  | 'no_authorities'
  | 'workers_down';

/** What a process needs for its work. It is asked each time. */
type Need = () => Promise<ReadinessState>;

/** Whether a process can do its work. Until somebody says what it needs, it is starting; from the signal to stop on, it is draining. */
export class Readiness {
  readonly #stopping: AbortSignal;
  #needs: readonly Need[] | undefined;

  constructor(stopping: AbortSignal) {
    this.#stopping = stopping;
  }

  /** The process has started, and can work for as long as each of these is ready. */
  started(needs: readonly Need[]): void {
    this.#needs = needs;
  }

  /** `ready`, or the first reason why it is not. */
  async state(): Promise<ReadinessState> {
    if (this.#stopping.aborted) return 'draining';
    // All at once, so that the answer takes no longer than the slowest of them.
    const states = await Promise.all((this.#needs ?? [starting]).map((need) => need()));
    return this.#stopping.aborted ? 'draining' : (states.find((state) => state !== 'ready') ?? 'ready');
  }
}

const starting: Need = () => Promise.resolve('starting');
