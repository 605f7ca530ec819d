import type { Clock } from '../../server/domain/shared/clock.ts';
import { webhookLimits } from '../../server/domain/outbox/webhookLimits.ts';
import { attemptResult, type DeliveryResult } from '../../server/domain/webhook/delivery/deliveryResult.ts';
import type { DueDelivery } from '../../server/domain/webhook/delivery/dueDelivery.ts';
import { deliveryEnvelope, eventTimestamp } from '../../server/domain/webhook/envelope.ts';
import { type DeliveryKey, signDelivery } from '../../server/domain/webhook/signing/signDelivery.ts';
import type { WebhookTransport } from '../../server/domain/webhook/WebhookTransport.ts';

/** What attempts need from outside. */
export type DeliveryParts = {
  readonly clock: Clock;
  readonly transport: WebhookTransport;
  /** The key that signs at this moment. */
  readonly signingKey: () => Promise<DeliveryKey>;
  /** The machine API’s origin. */
  readonly source: () => string;
};

/** A digest is between two colons. */
const digestStart = 'sha-256=:'.length;

/**
 * Makes one attempt: the payload as it was read, a new signature, one request. Returns null if the service itself ended it, which says
 * nothing about the receiver. Rejects only for what is wrong with the delivery on our side.
 */
async function makeAttempt(
  delivery: DueDelivery,
  { clock, transport, signingKey, source }: DeliveryParts,
  mayStart: () => boolean,
): Promise<DeliveryResult | null> {
  const { event, endpoint, snapshot } = delivery;
  const key = await signingKey().catch(() => null);
  // While the key was read, another process may have become the leader, or access may have ended.
  if (!key || !mayStart()) return null;
  const body = Buffer.from(deliveryEnvelope({ event, source: source(), environment: endpoint.environment, snapshot }));
  const startedAt = clock.now().getTime();
  const headers = signDelivery({
    url: endpoint.url,
    body,
    eventId: event.id,
    eventTimestamp: eventTimestamp(event),
    created: Math.floor(startedAt / 1_000),
    key,
  });
  const answer = await transport.postGuarded({
    url: endpoint.url,
    headers,
    body,
    limits: webhookLimits.webhookDelivery,
    endpointId: endpoint.id,
    // Connecting may take seconds.
    mayStart,
  });
  if (answer.error === 'interrupted') return null;
  const bodySha256 = headers['Content-Digest'].slice(digestStart, -1);
  return attemptResult(delivery, { startedAt, endedAt: clock.now().getTime(), keyId: key.kid, bodySha256, answer });
}

/** How the pump makes attempts. */
export function attemptWith(parts: DeliveryParts): (delivery: DueDelivery, mayStart: () => boolean) => Promise<DeliveryResult | null> {
  return (delivery, mayStart) => makeAttempt(delivery, parts, mayStart);
}
