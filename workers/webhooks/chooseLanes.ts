import type { Asked } from '../../server/domain/webhook/delivery/dueDeliveries.ts';
import type { Hand } from './Hand.ts';
import type { Lane } from './Lane.ts';
import type { Places } from './Places.ts';

/** Endpoints asked in one statement. */
const askedAtOnce = 256;

/** An endpoint that is asked, for how many deliveries, and what was known about it then. */
export type Chosen = { readonly lane: Lane; readonly room: number; readonly heard: number; readonly rechecks: number };

/** The next endpoints that may have something due and have room for it. */
export function chooseLanes(due: ReadonlySet<Lane>, places: Places): Chosen[] {
  const chosen: Chosen[] = [];
  const { all, slow } = places.left();
  for (const lane of due) {
    if (chosen.length === askedAtOnce || (all.queue <= 0 && all.places <= 0 && slow.queue <= 0 && slow.places <= 0)) break;
    if (!places.leavesTo(lane.operatorId)) continue;
    const of = lane.place === 'slow' ? slow : all;
    // A lane that has nothing queued is asked for what can be sent at once, even if others have queued all that may be.
    const atOnce = lane.queue.length === 0 ? Math.min(lane.limit - lane.inFlight, of.places) : 0;
    const room = Math.min(lane.room(due.size), Math.max(of.queue, atOnce));
    if (room <= 0) continue;
    of.queue -= room;
    of.places -= Math.min(room, atOnce);
    chosen.push({ lane, room, heard: lane.heard, rechecks: lane.rechecks });
  }
  return chosen;
}

/** What to ask about those that were chosen, without what is in hand. */
export function askedOf(chosen: readonly Chosen[], hand: Hand): Asked[] {
  return chosen.map(({ lane, room }) => ({
    endpointNo: lane.endpointNo,
    room,
    inHand: hand.of(lane.endpointNo),
    floor: lane.look(),
  }));
}
