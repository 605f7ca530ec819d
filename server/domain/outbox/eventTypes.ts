/** docs/specification.md, “Events”. */
export const webhookEventTypes = [
  'connection.created',
  'resource.granted',
  'resource.updated',
  'resource.revoked',
  'connection.revoked',
  'statistics.updated',
  'integration.suspended',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** These types, each once, in the order of the table. */
export function inSequence(types: readonly WebhookEventType[]): WebhookEventType[] {
  return webhookEventTypes.filter((type) => types.includes(type));
}
