import { DomainError } from '../shared/DomainError.ts';

/** Lets one piece of work through at a time and a fixed number wait. Whoever comes after that is asked to try again in a moment. */
export class Turnstile {
  readonly #mayWait: number;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(mayWait: number) {
    this.#mayWait = mayWait;
  }

  /** Does the work when its turn comes. Errors: temporarily_unavailable. */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting > this.#mayWait) {
      throw new DomainError('temporarily_unavailable', { detail: 'Many logos are being uploaded right now.', retryAfterSeconds: 5 });
    }
    this.#waiting += 1;
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }
}
