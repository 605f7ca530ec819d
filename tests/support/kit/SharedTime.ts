import type { Time } from '../../../kit/src/index.ts';
import type { TestClock } from '../world/TestClock.ts';

/** One clock for several clients, each of which makes one call at a time. It moves on when all of them wait, to where the first goes on. */
export class SharedTime {
  readonly #clock: TestClock;
  readonly #waiting: { readonly at: number; readonly resolve: () => void }[] = [];
  #running: number;

  constructor(clock: TestClock, clients: number) {
    this.#clock = clock;
    this.#running = clients;
  }

  /** What a client waits with; `waited` is told of each wait. */
  of(waited: (ms: number) => void): Time {
    return {
      now: () => this.#clock.now().getTime(),
      wait: (ms) => {
        waited(ms);
        return this.wait(ms);
      },
    };
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ at: this.#clock.now().getTime() + ms, resolve });
      this.#goOn();
    });
  }

  /** Says that one of the clients makes no more calls. */
  leave(): void {
    this.#running -= 1;
    this.#goOn();
  }

  #goOn(): void {
    if (this.#running === 0 || this.#waiting.length < this.#running) return;
    this.#waiting.sort((one, other) => one.at - other.at);
    const first = this.#waiting.shift();
    if (!first) return;
    this.#clock.advance(Math.max(0, first.at - this.#clock.now().getTime()));
    first.resolve();
  }
}
