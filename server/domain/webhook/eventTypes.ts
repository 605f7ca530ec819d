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
