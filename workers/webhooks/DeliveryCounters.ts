import type { Query } from '../../server/domain/shared/query.ts';
import { attemptDurationBounds, durationPlace } from '../../server/domain/webhook/delivery/attemptChart.ts';
import type { DeliveryResult } from '../../server/domain/webhook/delivery/deliveryResult.ts';
import { addToChart, type ChartedAttempts, type EndpointHealth, storeHealth } from '../../server/domain/webhook/delivery/endpointHealth.ts';
import type { Lane } from './Lane.ts';
import { webhookAttempts } from './webhookMetrics.ts';

const hourMs = 3_600_000;
/** A time of success is shown to people, so noting it more often would only cost writes. */
const successNotedEvery = 60_000;
/** Failures beyond those that change how an endpoint is treated are noted only so often. */
const failuresNotedEvery = 5_000;
const failuresNotedAtOnce = 5;

const outcomes = {
  completeDelivery: 'delivered',
  retryDelivery: 'retried',
  failDelivery: 'dead',
} as const satisfies Partial<Record<DeliveryResult['action'], ChartedAttempts['outcome']>>;

/** Where an attempt went, whether it was at a test event, and when it ended, in milliseconds since 1970. */
type Attempted = { readonly url: string; readonly test: boolean; readonly endedAt: number };

type Noted = { health: EndpointHealth; at: number };

/**
 * Counts attempts for metrics and charts, and keeps the health of endpoints. What is counted is written every few seconds, because a row of
 * an endpoint that is written with each attempt would be in everybody’s way; a process that is killed loses the counts since then.
 */
export class DeliveryCounters {
  readonly #chart = new Map<string, { -readonly [Key in keyof ChartedAttempts]: ChartedAttempts[Key] } & { durations: number[] }>();
  readonly #health = new Map<number, EndpointHealth>();
  readonly #noted = new Map<number, Noted>();

  /**
   * Counts an attempt that ended, and changes the lane’s health. An attempt at a former URL, and one that this service could not make, say
   * nothing about the endpoint, and the failure of a test event raises no alarm, but leaves the endpoint fewer permits.
   */
  add(lane: Lane, { action, attempt }: DeliveryResult, { url, test, endedAt }: Attempted): void {
    const outcome = action in outcomes ? outcomes[action as keyof typeof outcomes] : undefined;
    if (!outcome || !attempt) return;
    webhookAttempts.inc({ outcome });
    this.#count(lane.endpointNumber, outcome, attempt.startedAt, attempt.totalUs / 1_000);
    if (url !== lane.url || attempt.error === 'service_error') return;
    lane.took(attempt.totalUs / 1_000);
    if (test && outcome !== 'delivered') return lane.failedTest();
    if (outcome === 'delivered') lane.succeeded();
    else lane.failed(attempt.startedAt);
    this.#note(lane, url, outcome === 'delivered', endedAt);
  }

  /** Another process may have written the health of endpoints since. */
  forgetNoted(): void {
    this.#noted.clear();
  }

  /** Writes what has changed. What cannot be written now is written later, unless something newer is known by then. */
  async flushHealth(query: Query): Promise<void> {
    let open = [...this.#health.values()];
    if (open.length === 0) return;
    this.#health.clear();
    try {
      open = await storeHealth(query, open);
    } finally {
      for (const health of open) if (!this.#health.has(health.endpointNumber)) this.#health.set(health.endpointNumber, health);
    }
  }

  async flushChart(query: Query): Promise<void> {
    const counts = [...this.#chart.values()];
    this.#chart.clear();
    if (counts.length > 0) await addToChart(query, counts);
  }

  #count(endpointNumber: number, outcome: ChartedAttempts['outcome'], startedAt: number, milliseconds: number): void {
    const hour = Math.floor(startedAt / hourMs) * hourMs;
    const key = `${endpointNumber} ${hour} ${outcome}`;
    let counted = this.#chart.get(key);
    if (!counted) {
      counted = { endpointNumber, hour, outcome, count: 0, durations: [...attemptDurationBounds, 0].map(() => 0) };
      this.#chart.set(key, counted);
    }
    counted.count += 1;
    const place = durationPlace(milliseconds);
    counted.durations[place] = (counted.durations[place] ?? 0) + 1;
  }

  #note({ endpointNumber, failures, failingSince }: Lane, url: string, succeeded: boolean, notedAt: number): void {
    const noted = this.#noted.get(endpointNumber);
    const last = noted?.health.url === url ? noted : undefined;
    const now = performance.now();
    const quiet =
      last !== undefined &&
      (succeeded
        ? last.health.failuresInRow === 0 && now - last.at < successNotedEvery
        : failures > failuresNotedAtOnce && now - last.at < failuresNotedEvery);
    if (quiet) return;
    const lastSuccessAt = succeeded ? notedAt : (last?.health.lastSuccessAt ?? null);
    const health = { endpointNumber, url, failuresInRow: failures, failingSince, lastSuccessAt, notedAt };
    this.#noted.set(endpointNumber, { health, at: now });
    this.#health.set(endpointNumber, health);
  }
}
