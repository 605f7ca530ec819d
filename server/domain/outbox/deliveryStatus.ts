import { type Known, namesOf, statusLifecycle } from '../shared/lifecycle.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';
import { deliveryFacts } from './deliveryFacts.ts';

export type DeliveryState = Known<keyof typeof deliveryFacts>;
export const deliveryStates = namesOf(deliveryFacts);

/** Deliveries that may still be attempted. */
export const openDeliveryStates = deliveryStates.filter((state) => deliveryFacts[state].waitsFor !== null);
/** Deliveries that are over. */
export const finalDeliveryStates = deliveryStates.filter((state) => deliveryFacts[state].waitsFor === null);
/** Deliveries that can be replayed. */
export const replayableDeliveryStates = deliveryStates.filter((state) => deliveryFacts[state].isReplayable);

/** Every change of a delivery (docs/specification.md, “Delivery”); nothing else writes its state. */
export const deliveryTransitions = {
  /** With its event, or as the replay of an earlier delivery. */
  storeDelivery: { from: [], to: 'pending', by: ['service', 'owner'], sets: ['createdAt', 'nextAttemptAt', 'windowEndsAt'] },
  holdDelivery: { from: ['pending'], to: 'held', by: ['service'], sets: ['reason'] },
  /** What it was held for has ended. */
  releaseDelivery: { from: ['held'], to: 'pending', by: ['service'], sets: ['reason', 'nextAttemptAt'] },
  retryDelivery: { from: ['pending'], to: 'pending', by: ['service'], sets: ['attempts', 'nextAttemptAt', 'waitAsked'] },
  /** Its next attempt is sooner than planned: its owner wants it now, or its receiver takes deliveries again. */
  bringForward: { from: ['pending'], to: 'pending', by: ['owner', 'service'], sets: ['nextAttemptAt', 'waitAsked'] },
  completeDelivery: { from: ['pending'], to: 'delivered', by: ['service'], sets: ['attempts', 'finishedAt'] },
  failDelivery: { from: ['pending'], to: 'dead', by: ['service'], sets: ['attempts', 'reason', 'finishedAt'] },
  /** Its window has closed without another attempt. */
  expireDelivery: { from: ['pending', 'held'], to: 'dead', by: ['service'], sets: ['reason', 'finishedAt'] },
  discardDelivery: {
    from: ['pending', 'held'],
    to: 'discarded',
    by: ['service', 'owner', 'tooling', 'administrator'],
    sets: ['reason', 'finishedAt'],
  },
} as const satisfies TransitionTable<DeliveryState>;

export const deliveryLifecycle = statusLifecycle('webhook_delivery', deliveryFacts, deliveryTransitions, 'state');

/** SQL: the delivery `row` waits for its next attempt. */
export const waitsForAttempt = (row?: string): string => deliveryLifecycle.where(({ waitsFor }) => waitsFor === 'attempt', { row });

/** SQL: something holds the delivery `row`. */
export const isHeld = (row?: string): string => deliveryLifecycle.where(({ waitsFor }) => waitsFor === 'release', { row });

/** SQL: the receiver has taken the delivery `row`. */
export const hasArrived = (row?: string): string => deliveryLifecycle.where(({ arrived }) => arrived, { row });

/** SQL: the delivery `row` is a dead letter that somebody should look at: no replay has replaced it, and it is of no test event. */
const waitsAsDeadLetter = (row: string): string =>
  `${deliveryLifecycle.isIn(['dead'], { row })} and ${row}.replayed_at is null and not ${row}.test`;

/** SQL: the delivery `d` is of the endpoint `p`, which has not moved to the other environment since the event. */
export const isOfEndpoint = `d.endpoint_number = p.number and not exists (select 1 from webhook_event e where e.id = d.event_id and e.client_number <> p.client_number)`;

/** SQL: the delivery `d` is a dead letter that somebody should look at, of the endpoint `p` as it is now. */
export const waitsAtEndpoint = `${waitsAsDeadLetter('d')} and ${isOfEndpoint}`;

/** SQL: when a new delivery is attempted first and at the latest, and when it was stored. The insert of a row writes its first state. */
export const storedDeliveryColumns = 'next_attempt_at, window_ends_at, created_at';
