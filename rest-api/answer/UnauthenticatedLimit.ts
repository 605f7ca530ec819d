import { limits } from '../../server/domain/shared/limits.ts';
import { FailureLimit } from '../../server/platform/FailureLimit.ts';
import { Problem } from './problemDetails.ts';
import { unauthenticatedHeaders, unauthenticatedPolicy } from './rateLimitHeaders.ts';

/**
 * Limits, by source address, the requests that count against no client's quota: those refused because their certificate or head is
 * unusable, and those that need neither.
 */
export class UnauthenticatedLimit {
  readonly #failures: FailureLimit;
  readonly #perMinute: number;

  constructor(perMinute: number = limits.unauthenticatedRequestsPerMinute) {
    this.#failures = new FailureLimit(perMinute);
    this.#perMinute = perMinute;
  }

  /** The refusal to answer with: the given one, or 429 if this address has had too many. */
  async refuse(remoteAddress: string | undefined, refusal: Problem): Promise<Problem> {
    return (await this.count(remoteAddress)) ?? refusal;
  }

  /** Counts a request from this address. Resolves to a 429 if there have been too many, otherwise to null. */
  async count(remoteAddress: string | undefined): Promise<Problem | null> {
    const retryAfterSeconds = await this.#failures.count(remoteAddress);
    if (retryAfterSeconds === null) return null;
    return new Problem('rate_limit_exceeded', {
      detail: 'Too many requests from this address were malformed or came without a usable client certificate.',
      retryAfterSeconds,
      extensions: { violated_policies: [unauthenticatedPolicy] },
      headers: unauthenticatedHeaders({ perMinute: this.#perMinute, reset: retryAfterSeconds }),
    });
  }
}
