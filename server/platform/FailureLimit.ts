import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { sourceAddress } from './sourceAddress.ts';

/**
 * Counts refused attempts by source address, in this process's memory. A number of them are answered each minute, and then none until the
 * minute is over.
 */
export class FailureLimit {
  readonly #limiter: RateLimiterMemory;

  constructor(perMinute: number) {
    this.#limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  }

  /** Counts one more attempt. Resolves to the seconds to wait if there have been too many, otherwise to null. */
  async count(remoteAddress: string | undefined): Promise<number | null> {
    try {
      await this.#limiter.consume(sourceAddress(remoteAddress));
      return null;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    }
  }
}
