import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { limits } from '../server/domain/shared/limits.ts';
import { Problem } from './problemDetails.ts';
import { sourceAddress } from './sourceAddress.ts';

/** Limits refusals for want of a usable certificate by source address, in this process's memory: they touch no client's quota. */
export class UnauthenticatedLimit {
  readonly #limiter: RateLimiterMemory;

  constructor(points: number = limits.unauthenticatedRequestsPerMinute) {
    this.#limiter = new RateLimiterMemory({ points, duration: 60 });
  }

  /** The refusal to answer with: the one given, or 429 when this address has had too many. */
  async refuse(remoteAddress: string | undefined, refusal: Problem): Promise<Problem> {
    try {
      await this.#limiter.consume(sourceAddress(remoteAddress));
      return refusal;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return new Problem('rate_limit_exceeded', {
        detail: 'Too many requests without a usable client certificate from this address.',
        retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
        extensions: { violated_policies: ['unauthenticated'] },
      });
    }
  }
}
