import { endsConnection } from '../../server/database/connection/endsConnection.ts';
import { webhookLimits } from '../../server/domain/outbox/webhookLimits.ts';
import type { Query } from '../../server/domain/shared/query.ts';
import type { DeliveryResult } from '../../server/domain/webhook/delivery/deliveryResult.ts';
import { storeResults } from '../../server/domain/webhook/delivery/storeResults.ts';
import type { Logger } from '../../server/platform/logger.ts';
import type { ClaimedDeliveries } from './ClaimedDeliveries.ts';

const repeatedAfter = 500;
const mostWaiting = 2 * webhookLimits.webhookResultsAtOnce;

/**
 * Writes results down, many in one statement. A result exists only here until then: who dies in between repeats the attempt. While the
 * database is out of reach they are kept, and what belongs to them stays claimed.
 */
export class ResultWriter {
  readonly #query: Query;
  readonly #claimed: ClaimedDeliveries;
  readonly #logger: Logger;
  #waiting: DeliveryResult[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  /** Whether the database could not take the last write, or has not answered it. */
  #refused = false;
  /** Called whenever results have been stored. */
  onStored: (() => void) | undefined;

  constructor({ query, claimed, logger }: { query: Query; claimed: ClaimedDeliveries; logger: Logger }) {
    this.#query = query;
    this.#claimed = claimed;
    this.#logger = logger;
  }

  /** Results that are not stored yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Whether nothing more is to be sent: as many results wait as may be lost, or the database cannot write, and whatever is sent now would be
   * sent again by the next process that leads.
   */
  get full(): boolean {
    return this.#refused || this.waiting >= mostWaiting;
  }

  push(result: DeliveryResult): void {
    this.#waiting.push(result);
    this.#schedule(webhookLimits.webhookResultsGathered);
  }

  /** Writes until nothing waits. Rejects if the database refuses or is out of reach. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#writing) {
      await this.#writing;
      await this.#write();
    }
  }

  #schedule(delay: number): void {
    if (this.#timer || this.#writing) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#write().then(
        () => this.#waiting.length > 0 && this.#schedule(webhookLimits.webhookResultsGathered),
        (error: unknown) => {
          this.#logger.warn({ err: error, results: this.#waiting.length }, 'webhooks.resultsNotStored');
          this.#schedule(repeatedAfter);
        },
      );
    }, delay);
  }

  async #write(): Promise<void> {
    if (this.#writing || this.#waiting.length === 0) return this.#writing;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const results = this.#waiting.splice(0, webhookLimits.webhookResultsAtOnce);
    this.#writing = this.#store(results).then(
      (stored) => {
        this.#writing = undefined;
        this.#refused = false;
        for (const { endpointNumber, number } of stored) this.#claimed.release(endpointNumber, number);
        this.onStored?.();
      },
      (error: unknown) => {
        this.#writing = undefined;
        this.#refused = endsConnection(error);
        this.#waiting.unshift(...results);
        throw error;
      },
    );
    return this.#writing;
  }

  /**
   * One result that PostgreSQL cannot take must not keep the others from being stored: it is stored with less. If even that is refused, its
   * delivery stays claimed, so that it is not sent again and again. Returns what has been stored.
   */
  async #store(results: readonly DeliveryResult[]): Promise<readonly DeliveryResult[]> {
    try {
      await storeResults(this.#query, results);
      return results;
    } catch (error) {
      const [first] = results;
      if (!isAboutData(error) || !first) throw error;
      if (results.length > 1) {
        const half = results.length >> 1;
        return [...(await this.#store(results.slice(0, half))), ...(await this.#store(results.slice(half)))];
      }
      const less = withLess(first);
      if (less) return this.#store([less]);
      this.#logger.error({ err: error, delivery: first.number }, 'webhooks.resultRefused');
      return [];
    }
  }
}

/** The result without what the peer has sent, or else without the attempt, which then does not count; null if neither is left. */
function withLess(result: DeliveryResult): DeliveryResult | null {
  const { attempt, attempts } = result;
  if (!attempt) return null;
  if (attempt.response !== null) return { ...result, attempt: { ...attempt, response: null } };
  return { ...result, attempts: attempts - 1, attempt: null };
}

/** SQLSTATE class 22, data exception. */
function isAboutData(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('22');
}
