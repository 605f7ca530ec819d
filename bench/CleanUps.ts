/** Undoes what a benchmark leaves behind, in reverse order, even if it is interrupted. PostgreSQL would otherwise outlive it. */
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
    // Whatever is cut off in the middle fails, which is to be expected.
    process.on('uncaughtException', () => undefined);
    void this.run().finally(() => process.exit(130));
  }
}
