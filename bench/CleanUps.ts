/** What a benchmark leaves behind, undone in reverse order, also when it is interrupted: PostgreSQL would outlive it. */
export class CleanUps {
  readonly #steps: (() => Promise<unknown>)[] = [];
  #running: Promise<void> | undefined;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => this.#interrupt());
  }

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step);
  }

  /** Undoes everything, once. */
  run(): Promise<void> {
    this.#running ??= this.#undo();
    return this.#running;
  }

  async #undo(): Promise<void> {
    for (const step of this.#steps.toReversed()) await step();
  }

  #interrupt(): void {
    // What is cut off in the middle fails; that is no news.
    process.on('uncaughtException', () => undefined);
    void this.run().finally(() => process.exit(130));
  }
}
