import type { StatusWord } from '../shared/text/statusWord.ts';

type DeliveryFacts = StatusWord & {
  /** What it waits for: its next attempt, or the end of what holds it. null: it is over. */
  readonly waitsFor: 'attempt' | 'release' | null;
  /** Whether the receiver has taken it. */
  readonly arrived: boolean;
  /** What was discarded has nothing to tell any more, and a replay of it would be discarded as well. */
  readonly isReplayable: boolean;
};

/** What each state of a delivery means. */
export const deliveryFacts = {
  pending: { tone: 'waiting', word: 'Waiting', waitsFor: 'attempt', arrived: false, isReplayable: false },
  held: { tone: 'stopped', word: 'Held', waitsFor: 'release', arrived: false, isReplayable: false },
  delivered: { tone: 'good', word: 'Delivered', waitsFor: null, arrived: true, isReplayable: true },
  dead: { tone: 'bad', word: 'Dead letter', waitsFor: null, arrived: false, isReplayable: true },
  discarded: { tone: 'neutral', word: 'Discarded', waitsFor: null, arrived: false, isReplayable: false },
  unknown: { tone: 'neutral', word: 'Unknown', waitsFor: null, arrived: false, isReplayable: false },
} as const satisfies Readonly<Record<string, DeliveryFacts>>;

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
    /** The sandbox that the event was about has been replaced. */
    'sandbox_replaced',
    'event_gone',
    'window_over_while_held',
  ],
  dead: ['terminal_status', 'window_over', 'endpoint_not_active'],
} as const satisfies Partial<Record<keyof typeof deliveryFacts, readonly string[]>>;
export type HoldReason = (typeof deliveryReasons)['held'][number];
export type DeadReason = (typeof deliveryReasons)['dead'][number];
export type DiscardReason = (typeof deliveryReasons)['discarded'][number];
export type DeliveryReason = (typeof deliveryReasons)[keyof typeof deliveryReasons][number];
