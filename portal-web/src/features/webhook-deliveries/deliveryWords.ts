import type { DeadReason, DiscardReason, HoldReason } from '../../../../server/domain/outbox/deliveryFacts.ts';
import { eventTypeFacts } from '../../../../server/domain/outbox/eventTypeFacts.ts';
import { durationWords } from '../../ui/time/timeWords.ts';
import { eventTypeWords } from '../webhooks/webhookWords.ts';
import type { Delivery, DeliveryState } from './deliveryQueries.ts';

/** Why a delivery is held, and what releases it. */
const heldWords: Readonly<Record<HoldReason, string>> = {
  endpoint_not_active: 'The endpoint is not active. The delivery continues once the endpoint is proven or resumed.',
  integration_suspended: 'The integration is suspended. The delivery continues once an administrator reactivates it.',
  gate_closed: 'The production gate is closed. The delivery continues once administrators have opened it.',
};

/** Why a delivery was discarded, which is final. */
const discardedWords: Readonly<Record<DiscardReason, string>> = {
  endpoint_gone: 'The endpoint was removed, or moved to the other environment, before the event could be delivered.',
  not_subscribed: 'The endpoint no longer subscribed to its type when it was due.',
  access_revoked: 'Access to its subject was revoked before it could be delivered. The revocation has an event of its own.',
  not_visible: 'Your integration can no longer read its subject, so there is nothing to send.',
  generation_replaced: 'Newer statistics were published before these were delivered. They have an event of their own.',
  sandbox_replaced: 'Its test data has been regenerated.',
  event_gone: 'Its event is no longer kept.',
  window_over_while_held: 'It was held until its delivery window ended.',
};

/** Why a delivery is a dead letter, and what to do. */
const deadWords: Readonly<Record<DeadReason, string>> = {
  terminal_status: 'Your receiver answered with a status that is not retried. Fix the receiver, then replay the delivery.',
  window_over: 'The last attempt failed, and the delivery window has ended. Fix the receiver, then replay the delivery.',
  endpoint_not_active: 'The endpoint was not active before this delivery’s window ended. Replay it once the endpoint is active.',
};

/** What shows the same where a delivery never arrives. */
const pulledWords: Readonly<Record<(typeof eventTypeFacts)[keyof typeof eventTypeFacts]['pulledBy'], string>> = {
  sync: ' A sync brings the same change.',
  statistics: ' The next read of statistics brings the same.',
  refusals: ' While it lasts, every call is refused.',
};

/** Why a delivery is in its state, in whole sentences, or null where the state says it all. */
export function reasonWords(state: DeliveryState, reason: string | null, type: Delivery['event']['type']): string | null {
  if (reason === null) return null;
  if (reason === 'window_over_while_held' && type !== 'unknown')
    return discardedWords[reason] + pulledWords[eventTypeFacts[eventTypeWords[type].name].pulledBy];
  const words = { held: heldWords, discarded: discardedWords, dead: deadWords, pending: {}, delivered: {}, unknown: {} } as const;
  const found: string | undefined = (words[state] as Readonly<Record<string, string>>)[reason];
  return found ?? `The reason is “${reason.replaceAll('_', ' ')}”.`;
}

type Told = Pick<Delivery, 'state' | 'reason' | 'lastAttempt'> & { readonly event: Pick<Delivery['event'], 'type'> };

/** Sentences about deliveries that the page says above their list, so that no row repeats them. */
export type SaidAbove = ReadonlySet<string>;

/** What a row of a list has to say: why the last attempt failed, and why the delivery is in its state. What is said above counts as said. */
export function rowWords({ state, reason, lastAttempt, event }: Told, said: SaidAbove): { failure: string | null; reason: string | null } {
  const failure = lastAttempt?.failure ?? null;
  const words = reasonWords(state, reason, event.type);
  const known = failure !== null && said.has(failure);
  // What is said of a dead letter’s cause includes what to do about it.
  const settled = (known && state === 'dead') || (words !== null && said.has(words));
  return { failure: known ? null : failure, reason: settled ? null : words };
}

/** The sentences that more than one row would say, each with how many deliveries it is about. */
export function commonWords(deliveries: readonly Told[], said: SaidAbove): { words: string; state: DeliveryState; count: number }[] {
  const sentences = deliveries.flatMap((each) => {
    const { failure, reason } = rowWords(each, said);
    return [failure, reason].flatMap((words) => (words === null ? [] : [{ words, state: each.state }]));
  });
  const groups = new Map<string, { words: string; state: DeliveryState; count: number }>();
  for (const each of sentences) {
    const key = `${each.state} ${each.words}`;
    groups.set(key, { ...each, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()].filter(({ count }) => count > 1);
}

/** What the last attempt was answered with and how long it took, as in "204 in 80 ms". */
export function lastAttemptWords({ status, totalMs }: Pick<NonNullable<Delivery['lastAttempt']>, 'status' | 'totalMs'>): string {
  return status === null ? `no answer after ${durationWords(totalMs)}` : `${status} in ${durationWords(totalMs)}`;
}
