import type { Clock } from '../../../server/domain/shared/clock.ts';

/** The clock of a test's world. It runs with the real clock until a test moves it forward or stops it, so nobody ever waits. */
export class TestClock implements Clock {
  #offset = 0;
  #stoppedAt: number | undefined;

  now(): Date {
    return new Date((this.#stoppedAt ?? Date.now()) + this.#offset);
  }

  get isStopped(): boolean {
    return this.#stoppedAt !== undefined;
  }

  /** Moves forward by this many milliseconds. */
  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }

  /** Stops at the present moment, including whatever it has been moved forward by. */
  stop(): this {
    this.#stoppedAt = Date.now();
    return this;
  }

  /** Runs with the real clock again, ahead of it by whatever it has been moved forward. */
  run(): void {
    this.#stoppedAt = undefined;
  }

  /** Shows the real time again, like a new clock. */
  reset(): void {
    this.#offset = 0;
    this.run();
  }
}
