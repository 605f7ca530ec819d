import { limits } from '../server/domain/shared/limits.ts';
import { FailureLimit } from '../server/platform/FailureLimit.ts';
import { Problem } from './problemDetails.ts';
import { unauthenticatedHeaders, unauthenticatedPolicy } from './rateLimitHeaders.ts';

/** Limits refusals for want of a usable certificate by source address: they touch no client's quota. */
export class UnauthenticatedLimit {
  readonly #failures: FailureLimit;
  readonly #perMinute: number;

  constructor(perMinute: number = limits.unauthenticatedRequestsPerMinute) {
    this.#failures = new FailureLimit(perMinute);
    this.#perMinute = perMinute;
  }

  /** The refusal to answer with: the one given, or 429 when this address has had too many. */
  async refuse(remoteAddress: string | undefined, refusal: Problem): Promise<Problem> {
    const retryAfterSeconds = await this.#failures.count(remoteAddress);
    if (retryAfterSeconds === null) return refusal;
    return new Problem('rate_limit_exceeded', {
      detail: 'Too many requests without a usable client certificate from this address.',
      retryAfterSeconds,
      extensions: { violated_policies: [unauthenticatedPolicy] },
      headers: unauthenticatedHeaders({ perMinute: this.#perMinute, reset: retryAfterSeconds }),
    });
  }
}
