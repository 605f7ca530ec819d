import { statusLifecycle } from '../shared/lifecycle.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';

export const deliveryStates = ['pending', 'held', 'delivered', 'dead', 'discarded'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Deliveries that may still be attempted. */
export const openDeliveryStates = ['pending', 'held'] as const satisfies readonly DeliveryState[];
/** Deliveries that are over. */
export const finalDeliveryStates = ['delivered', 'dead', 'discarded'] as const satisfies readonly DeliveryState[];
/** Deliveries that can be replayed. What was discarded has nothing to tell any more, and a replay of it would be discarded as well. */
export const replayableDeliveryStates = ['delivered', 'dead'] as const satisfies readonly DeliveryState[];

/** Why a delivery is held, was given up, or is a dead letter. Pages have the words. */
export const deliveryReasons = {
  /** Each ends with a change of what it names. */
  held: ['endpoint_not_active', 'integration_suspended', 'gate_closed'],
  discarded: [
    'endpoint_gone',
    /** Its owner has unsubscribed from its type. */
    'not_subscribed',
    'access_revoked',
    'not_visible',
    'generation_replaced',
    /** The sandbox that the event was about has been made anew. */
    'sandbox_replaced',
    'event_gone',
    'window_over_while_held',
  ],
  dead: ['terminal_status', 'window_over', 'endpoint_not_active'],
} as const satisfies Partial<Record<DeliveryState, readonly string[]>>;
export type HoldReason = (typeof deliveryReasons)['held'][number];
export type DiscardReason = (typeof deliveryReasons)['discarded'][number];
export type DeliveryReason = (typeof deliveryReasons)[keyof typeof deliveryReasons][number];

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

export const deliveryLifecycle = statusLifecycle('webhook_delivery', deliveryStates, deliveryTransitions, 'state');

/** SQL: the delivery `row` is a dead letter that somebody should look at: no replay has replaced it, and it is of no test event. */
export const waitsAsDeadLetter = (row: string): string =>
  `${deliveryLifecycle.isIn(['dead'], { row })} and ${row}.replayed_at is null and not ${row}.test`;

/** SQL: the delivery `d` is of the endpoint `p`, which has not moved to the other environment since the event. */
export const isOfEndpoint = `d.endpoint_no = p.no and not exists (select 1 from webhook_event e where e.id = d.event_id and e.client_no <> p.client_no)`;

/** SQL: the delivery `d` is a dead letter that somebody should look at, of the endpoint `p` as it is now. */
export const waitsAtEndpoint = `${waitsAsDeadLetter('d')} and ${isOfEndpoint}`;

/** SQL: when a new delivery is attempted first and at the latest, and when it was stored. The insert of a row writes its first state. */
export const storedDeliveryColumns = 'next_attempt_at, window_ends_at, created_at';
