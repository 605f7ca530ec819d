import { limits } from '../../server/domain/shared/limits.ts';
import { FailureLimit } from '../../server/platform/FailureLimit.ts';
import { Problem } from './problemDetails.ts';
import { unauthenticatedHeaders, unauthenticatedPolicy } from './rateLimitHeaders.ts';

/** Limits by source address what touches no client's quota: refusals for want of a usable certificate or of a readable head, and what needs neither. */
export class UnauthenticatedLimit {
  readonly #failures: FailureLimit;
  readonly #perMinute: number;

  constructor(perMinute: number = limits.unauthenticatedRequestsPerMinute) {
    this.#failures = new FailureLimit(perMinute);
    this.#perMinute = perMinute;
  }

  /** The refusal to answer with: the one given, or 429 when this address has had too many. */
  async refuse(remoteAddress: string | undefined, refusal: Problem): Promise<Problem> {
    return (await this.count(remoteAddress)) ?? refusal;
  }

  /** Counts a request of this address; 429 when there have been too many, else null. */
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
