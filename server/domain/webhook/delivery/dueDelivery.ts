import type { Environment } from '../../shared/environment.ts';
import { deliveryFacts, type DeadReason, type DiscardReason, type HoldReason } from '../../outbox/deliveryFacts.ts';
import type { DeliverableEvent, EnclosedSnapshot } from '../envelope.ts';
import type { PayloadMode } from '../endpoint/WebhookEndpoint.ts';
import { factsIn } from '../../shared/lifecycle.ts';

/** A delivery that is due or whose window is over, with all that was true about it in one snapshot. Instants are milliseconds since 1970. */
export type DueDelivery = {
  readonly number: number;
  readonly endpointNumber: number;
  /** Its owner tries the receiver out. */
  readonly test: boolean;
  readonly state: 'pending' | 'held';
  /** Why it has been held until now. */
  readonly heldFor: HoldReason | null;
  /** Attempts that have been recorded. */
  readonly attempts: number;
  readonly windowEndsAt: number;
  /** Why nobody may be told of it any more. */
  readonly discard: DiscardReason | null;
  /** Why it has to wait. */
  readonly hold: HoldReason | null;
  readonly endpoint: EndpointAtRead;
  readonly event: DeliverableEvent;
  /** Exactly what the detail response answers, for full payloads of what was granted or updated. */
  readonly snapshot: EnclosedSnapshot | undefined;
  /** The snapshot's revision. */
  readonly revision: string | null;
};

export type EndpointAtRead = {
  readonly id: string;
  readonly operatorId: string;
  readonly url: string;
  readonly payloadMode: PayloadMode;
  /** Of the event: the endpoint may have moved since. */
  readonly environment: Environment;
  readonly failuresInRow: number;
  readonly failingSince: number | null;
  readonly lastSuccessAt: number | null;
};

/** What happens to a delivery that is due. */
export type Verdict =
  | { readonly does: 'attempt' }
  | { readonly does: 'hold'; readonly reason: HoldReason }
  | { readonly does: 'discard'; readonly reason: DiscardReason }
  | { readonly does: 'end'; readonly reason: DeadReason };

/** What becomes of what was held until its window was over: what waited for the endpoint's owner is a dead letter, all else is discarded. */
const onceWindowIsOver = {
  endpoint_not_active: { does: 'end', reason: 'endpoint_not_active' },
  integration_suspended: { does: 'discard', reason: 'window_over_while_held' },
  gate_closed: { does: 'discard', reason: 'window_over_while_held' },
  unknown: { does: 'discard', reason: 'window_over_while_held' },
} as const satisfies Readonly<Record<HoldReason | 'unknown', Verdict>>;

/** Decides about a delivery as it was read (docs/specification.md, “When an attempt is due”). */
export function judgeDelivery({ state, heldFor, discard, hold, windowEndsAt }: DueDelivery, now: number): Verdict {
  if (discard !== null) return { does: 'discard', reason: discard };
  if (now < windowEndsAt) return hold === null ? { does: 'attempt' } : { does: 'hold', reason: hold };
  const waitedFor = factsIn(deliveryFacts, state).waitsFor === 'release' ? heldFor : hold;
  return waitedFor === null ? { does: 'end', reason: 'window_over' } : factsIn<HoldReason, Verdict>(onceWindowIsOver, waitedFor);
}
