import type { Asked } from '../../server/domain/webhook/delivery/dueDeliveries.ts';
import type { ClaimedDeliveries } from './ClaimedDeliveries.ts';
import type { Lane } from './Lane.ts';
import type { AttemptSemaphore } from './AttemptSemaphore.ts';

/** Endpoints asked in one statement. */
const askedAtOnce = 256;

/** An endpoint that is asked, for how many deliveries, and what was known about it then. */
export type Chosen = { readonly lane: Lane; readonly room: number; readonly heard: number; readonly rechecks: number };

/** The next endpoints that may have something due and have room for it. */
export function chooseLanes(due: ReadonlySet<Lane>, semaphore: AttemptSemaphore): Chosen[] {
  const chosen: Chosen[] = [];
  const { all, slow } = semaphore.left();
  for (const lane of due) {
    if (chosen.length === askedAtOnce || (all.queue <= 0 && all.permits <= 0 && slow.queue <= 0 && slow.permits <= 0)) break;
    if (!semaphore.leavesTo(lane.operatorId)) continue;
    const of = lane.pool === 'slow' ? slow : all;
    // A lane that has nothing queued is asked for what can be sent at once, even if others have queued all that may be.
    const atOnce = lane.queue.length === 0 ? Math.min(lane.limit - lane.inFlight, of.permits) : 0;
    const room = Math.min(lane.room(due.size), Math.max(of.queue, atOnce));
    if (room <= 0) continue;
    of.queue -= room;
    of.permits -= Math.min(room, atOnce);
    chosen.push({ lane, room, heard: lane.heard, rechecks: lane.rechecks });
  }
  return chosen;
}

/** What to ask about those that were chosen, without what is claimed. */
export function askedOf(chosen: readonly Chosen[], claimed: ClaimedDeliveries): Asked[] {
  return chosen.map(({ lane, room }) => ({
    endpointNumber: lane.endpointNumber,
    room,
    claimed: claimed.of(lane.endpointNumber),
    floor: lane.look(),
  }));
}
