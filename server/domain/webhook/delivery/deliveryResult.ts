import type { DeadReason, DiscardReason, HoldReason } from '../../outbox/deliveryFacts.ts';
import type { PayloadMode } from '../endpoint/WebhookEndpoint.ts';
import type { OutboundAnswer } from '../WebhookTransport.ts';
import type { DueDelivery, Verdict } from './dueDelivery.ts';
import { responseText } from './responseText.ts';
import { attemptOutcome, nextAttemptAt, retryDelay } from './retryPolicy.ts';

/** How the workers move a delivery; its lifecycle says from where to where. */
export const resultActions = [
  'retryDelivery',
  'completeDelivery',
  'failDelivery',
  'holdDelivery',
  'expireDelivery',
  'discardDelivery',
] as const;

/** What becomes of a delivery, and the attempt that led to it if there was one. Instants are milliseconds since 1970. */
export type DeliveryResult = {
  readonly number: number;
  readonly endpointNumber: number;
  readonly action: (typeof resultActions)[number];
  /** How many attempts there are with this one. */
  readonly attempts: number;
  readonly reason: HoldReason | DiscardReason | DeadReason | null;
  readonly nextAttemptAt: number | null;
  /** The receiver itself has asked to wait that long. */
  readonly waitAsked: boolean;
  readonly finishedAt: number | null;
  readonly attempt: AttemptRecord | null;
};

/** One attempt as it is kept. Durations are microseconds, null where the attempt did not come to the phase or needed none. */
type AttemptRecord = {
  readonly startedAt: number;
  readonly dnsUs: number | null;
  readonly connectUs: number | null;
  readonly tlsUs: number | null;
  readonly firstByteUs: number | null;
  readonly totalUs: number;
  readonly address: string | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string | null;
  /** Null if it could not even be signed. */
  readonly keyId: string | null;
  readonly url: string;
  readonly payloadMode: PayloadMode;
  /** Of the snapshot, if one was sent. */
  readonly revision: string | null;
  /** The body's, in base64. */
  readonly bodySha256: string | null;
};

const unsentActions = { hold: 'holdDelivery', discard: 'discardDelivery', end: 'expireDelivery' } as const;

/** The result of a verdict that sends nothing. */
export function unsentResult(
  { number, endpointNumber, attempts }: DueDelivery,
  verdict: Exclude<Verdict, { does: 'attempt' }>,
  now: number,
): DeliveryResult {
  const finishedAt = verdict.does === 'hold' ? null : now;
  return {
    number,
    endpointNumber,
    action: unsentActions[verdict.does],
    attempts,
    reason: verdict.reason,
    nextAttemptAt: null,
    waitAsked: false,
    finishedAt,
    attempt: null,
  };
}

type Made = {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly keyId: string | null;
  readonly bodySha256: string | null;
  readonly answer: OutboundAnswer;
};

/** The result of an attempt: delivered, to be repeated, or a dead letter (docs/specification.md, “Delivery”). */
export function attemptResult(delivery: DueDelivery, { startedAt, endedAt, keyId, bodySha256, answer }: Made): DeliveryResult {
  const { number, endpointNumber, event, endpoint, windowEndsAt } = delivery;
  const { status, error, phases, headers } = answer;
  const attempts = delivery.attempts + 1;
  const attempt: AttemptRecord = {
    startedAt,
    ...phases,
    address: answer.address,
    status: status ?? null,
    error: error ?? null,
    response: responseText(answer.body),
    keyId,
    url: endpoint.url,
    payloadMode: endpoint.payloadMode,
    revision: bodySha256 === null ? null : delivery.revision,
    bodySha256,
  };
  const base = { number, endpointNumber, attempts, attempt, reason: null, nextAttemptAt: null, waitAsked: false, finishedAt: endedAt };
  const outcome = attemptOutcome({ status, error });
  if (outcome === 'delivered') return { ...base, action: 'completeDelivery' };
  if (outcome === 'dead') return { ...base, action: 'failDelivery', reason: 'terminal_status' };
  const retryAfter = headers?.['retry-after'];
  const next = nextAttemptAt({
    eventId: event.id,
    endpointId: endpoint.id,
    n: attempts,
    endedAt,
    windowEndsAt,
    status: error === undefined ? status : undefined,
    retryAfter: typeof retryAfter === 'string' ? retryAfter : retryAfter?.[0],
  });
  if (next === null) return { ...base, action: 'failDelivery', reason: 'window_over' };
  const waitAsked = next > endedAt + retryDelay(event.id, endpoint.id, attempts);
  return { ...base, action: 'retryDelivery', nextAttemptAt: next, waitAsked, finishedAt: null };
}

/**
 * The result of an attempt that this service could not even make. It is tried again like any other, so that it has an end and its owner sees
 * what became of it.
 */
export function impossibleResult(delivery: DueDelivery, now: number): DeliveryResult {
  const phases = { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, totalUs: 0 };
  const answer = { addresses: [], address: null, phases, error: 'service_error' } as const;
  return attemptResult(delivery, { startedAt: now, endedAt: now, keyId: null, bodySha256: null, answer });
}
