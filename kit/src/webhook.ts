export * from './webhook/remoteKeys.ts';
export * from './webhook/WebhookReceiver.ts';
