import { webhookLimits } from '../../server/domain/outbox/webhookLimits.ts';
import { webhookInFlight } from '../../server/platform/metrics.ts';
import type { Lane, Place, Queued } from './Lane.ts';

/**
 * Deliveries that are queued for each place. Beyond that nothing is read that cannot be sent at once: however many endpoints are behind, what
 * is in memory stays bounded.
 */
const queuedForPlace = 2;

/** How many attempts are under way and queued, in which places and of which operator. */
export class Places {
  readonly #taken: Record<Place, number> = { all: 0, slow: 0 };
  readonly #queued: Record<Place, number> = { all: 0, slow: 0 };
  readonly #byOperator = new Map<string, number>();

  /** Attempts under way. */
  get taken(): number {
    return this.#taken.all + this.#taken.slow;
  }

  /** Whether an attempt may begin. */
  hasFor({ place, operatorId }: Lane): boolean {
    return this.#taken[place] < webhookLimits.webhookPlaces[place] && this.leavesTo(operatorId);
  }

  /** Whether the operator has fewer than one may have. */
  leavesTo(operatorId: string | null): boolean {
    return operatorId === null || (this.#byOperator.get(operatorId) ?? 0) < webhookLimits.webhookPlacesPerOperator;
  }

  /** An attempt begins. Returns what is to be given to `free` when it ends, whatever has become of the lane by then. */
  take({ place, operatorId }: Lane): { readonly place: Place; readonly operatorId: string | null } {
    this.#count(place, operatorId, 1);
    return { place, operatorId };
  }

  free({ place, operatorId }: { readonly place: Place; readonly operatorId: string | null }): void {
    this.#count(place, operatorId, -1);
  }

  queue(lane: Lane, queued: Queued): void {
    lane.queue.push(queued);
    this.#queued[queued.place] += 1;
  }

  /** The first delivery that a lane has queued. */
  next(lane: Lane): Queued | undefined {
    const queued = lane.queue.shift();
    if (queued) this.#queued[queued.place] -= 1;
    return queued;
  }

  /** What may still be queued, and how many attempts may still begin. */
  left(): Record<Place, { queue: number; places: number }> {
    const of = (place: Place) => {
      const most = webhookLimits.webhookPlaces[place];
      return { queue: queuedForPlace * most - this.#queued[place], places: most - this.#taken[place] };
    };
    return { all: of('all'), slow: of('slow') };
  }

  #count(place: Place, operatorId: string | null, change: 1 | -1): void {
    this.#taken[place] += change;
    webhookInFlight.set(this.taken);
    if (operatorId === null) return;
    const count = (this.#byOperator.get(operatorId) ?? 0) + change;
    if (count > 0) this.#byOperator.set(operatorId, count);
    else this.#byOperator.delete(operatorId);
  }
}
