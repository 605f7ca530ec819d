/** The names of the webhook models. */
export const webhookModelWords = {
  none: 'None: polling is enough',
  notification: 'Notifications: a signed message that tells you to sync',
  full_payload: 'Full payload: a signed message with the current snapshot',
} as const;
