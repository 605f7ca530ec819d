import { DomainError } from '../shared/DomainError.ts';

/**
 * Lets one piece of work through at a time and a fixed number wait, each of another operator, so that one cannot fill it. Anyone who comes after that is
 * asked to try again in a moment.
 */
export class Turnstile {
  readonly #mayWait: number;
  readonly #inside = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(mayWait: number) {
    this.#mayWait = mayWait;
  }

  /** Does the operator's work when its turn comes. Errors: conflict (another of theirs waits or is under way), temporarily_unavailable. */
  async pass<Result>(operatorId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#inside.has(operatorId)) {
      throw new DomainError('conflict', { detail: 'Another of your logos is being processed. Upload this one when that is done.' });
    }
    if (this.#inside.size > this.#mayWait) {
      throw new DomainError('temporarily_unavailable', { detail: 'Many logos are being uploaded right now.', retryAfterSeconds: 5 });
    }
    this.#inside.add(operatorId);
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#inside.delete(operatorId);
    }
  }
}
