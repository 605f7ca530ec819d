import { webhookLimits } from '../../server/domain/outbox/webhookLimits.ts';
import type { Lane, AttemptPool, Queued } from './Lane.ts';
import { webhookInFlight } from './webhookMetrics.ts';

/**
 * Deliveries that are queued for each permit. Beyond that nothing is read that cannot be sent at once: however many endpoints are behind, what
 * is in memory stays bounded.
 */
const queuedForPermit = 2;

/** Permits for attempts, in two pools and by operator, and what is queued for them. */
export class AttemptSemaphore {
  readonly #taken: Record<AttemptPool, number> = { all: 0, slow: 0 };
  readonly #queued: Record<AttemptPool, number> = { all: 0, slow: 0 };
  readonly #byOperator = new Map<string, number>();

  /** Attempts under way. */
  get taken(): number {
    return this.#taken.all + this.#taken.slow;
  }

  /** Whether an attempt may begin. */
  hasPermitFor({ pool, operatorId }: Lane): boolean {
    return this.#taken[pool] < webhookLimits.webhookAttemptPools[pool] && this.leavesTo(operatorId);
  }

  /** Whether the operator has fewer than one may have. */
  leavesTo(operatorId: string | null): boolean {
    return operatorId === null || (this.#byOperator.get(operatorId) ?? 0) < webhookLimits.webhookAttemptsPerOperator;
  }

  /** An attempt begins. Returns what is to be given to `free` when it ends, whatever has become of the lane by then. */
  take({ pool, operatorId }: Lane): { readonly pool: AttemptPool; readonly operatorId: string | null } {
    this.#count(pool, operatorId, 1);
    return { pool, operatorId };
  }

  free({ pool, operatorId }: { readonly pool: AttemptPool; readonly operatorId: string | null }): void {
    this.#count(pool, operatorId, -1);
  }

  queue(lane: Lane, queued: Queued): void {
    lane.queue.push(queued);
    this.#queued[queued.pool] += 1;
  }

  /** The first delivery that a lane has queued. */
  next(lane: Lane): Queued | undefined {
    const queued = lane.queue.shift();
    if (queued) this.#queued[queued.pool] -= 1;
    return queued;
  }

  /** What may still be queued, and how many attempts may still begin. */
  left(): Record<AttemptPool, { queue: number; permits: number }> {
    const of = (pool: AttemptPool) => {
      const most = webhookLimits.webhookAttemptPools[pool];
      return { queue: queuedForPermit * most - this.#queued[pool], permits: most - this.#taken[pool] };
    };
    return { all: of('all'), slow: of('slow') };
  }

  #count(pool: AttemptPool, operatorId: string | null, change: 1 | -1): void {
    this.#taken[pool] += change;
    webhookInFlight.set(this.taken);
    if (operatorId === null) return;
    const count = (this.#byOperator.get(operatorId) ?? 0) + change;
    if (count > 0) this.#byOperator.set(operatorId, count);
    else this.#byOperator.delete(operatorId);
  }
}
