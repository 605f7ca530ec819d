import type { StatusTone } from '../shared/text/statusWord.ts';

export type TrackedStatusFacts = {
  readonly tone: StatusTone;
  /** Whether nothing follows it. */
  readonly isOver: boolean;
  /** Whether the order may be cancelled, or the vehicle withdrawn from sale. */
  readonly mayEnd: boolean;
};

/** What each status of an order means, in their usual sequence. */
export const orderStatusFacts = {
  placed: { tone: 'neutral', isOver: false, mayEnd: true },
  confirmed: { tone: 'neutral', isOver: false, mayEnd: true },
  scheduled: { tone: 'neutral', isOver: false, mayEnd: true },
  in_production: { tone: 'neutral', isOver: false, mayEnd: false },
  built: { tone: 'neutral', isOver: false, mayEnd: false },
  in_transit: { tone: 'neutral', isOver: false, mayEnd: false },
  at_port: { tone: 'neutral', isOver: false, mayEnd: false },
  at_delivery_centre: { tone: 'neutral', isOver: false, mayEnd: false },
  delivered: { tone: 'good', isOver: true, mayEnd: false },
  cancelled: { tone: 'stopped', isOver: true, mayEnd: false },
} as const satisfies Readonly<Record<string, TrackedStatusFacts>>;

/** What each status of a stock vehicle means. */
export const vehicleStatusFacts = {
  available: { tone: 'neutral', isOver: false, mayEnd: true },
  reserved: { tone: 'neutral', isOver: false, mayEnd: true },
  sold: { tone: 'good', isOver: true, mayEnd: false },
  withdrawn: { tone: 'stopped', isOver: true, mayEnd: false },
} as const satisfies Readonly<Record<string, TrackedStatusFacts>>;

/** What can happen on a voyage. */
export const shippingEventKinds = ['loaded', 'departed', 'transshipped', 'arrived', 'discharged'] as const;
