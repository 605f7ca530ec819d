import { namesOf } from '../shared/lifecycle.ts';
import { eventTypeFacts } from './eventTypeFacts.ts';

export type WebhookEventType = keyof typeof eventTypeFacts;
export const webhookEventTypes = namesOf(eventTypeFacts);

/** These types, each once, in the order of the table. */
export function inSequence(types: readonly WebhookEventType[]): WebhookEventType[] {
  return webhookEventTypes.filter((type) => types.includes(type));
}
