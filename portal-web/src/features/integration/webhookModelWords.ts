import { counted } from '../../ui/text/counted.ts';

/** The names of the webhook models. */
export const webhookModelWords = {
  none: 'No webhooks (polling is enough)',
  notification: 'Notifications: a signed message that tells you to sync',
  full_payload: 'Full payload: a signed message with the current snapshot',
} as const;

/** What a profile plans, with the endpoints that there are where it plans none. */
export function plannedWebhookWords(model: keyof typeof webhookModelWords, endpoints: number): string {
  if (model !== 'none' || endpoints === 0) return webhookModelWords[model];
  return `No webhooks planned, but ${counted(endpoints, 'endpoint')} ${endpoints === 1 ? 'is' : 'are'} set up`;
}
