import type { Clock } from '../../../server/domain/shared/clock.ts';

/** The clock of a test's world. It runs with the real one until a test moves it on or stops it; nobody ever waits for it. */
export class TestClock implements Clock {
  #offset = 0;
  #stoppedAt: number | undefined;

  now(): Date {
    return new Date((this.#stoppedAt ?? Date.now()) + this.#offset);
  }

  /** Moves on by so many milliseconds. */
  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }

  /** Stands still from now on, at the real time with what it has been moved on by. */
  stop(): this {
    this.#stoppedAt = Date.now();
    return this;
  }

  /** Runs on from the real time with what it has been moved on by. */
  run(): void {
    this.#stoppedAt = undefined;
  }

  /** Runs with the real time again, as a new one does. */
  reset(): void {
    this.#offset = 0;
    this.run();
  }
}
