import type { Attempt, DeliveryInFull } from '../../../features/webhook-deliveries/deliveryQueries.ts';

const covered = ['@method', '@target-uri', 'content-digest', 'x-svc-event-id', 'x-svc-event-timestamp'] as const;

type SentAttempt = {
  readonly eventId: string;
  /** When the event occurred, as RFC 3339 with milliseconds. */
  readonly eventTimestamp: string;
  readonly startedAt: string;
  readonly keyId: string;
  /** The SHA-256 of the body in base64, where it is on record. */
  readonly bodySha256: string | null;
};

/** A header whose value is null is not kept. */
export type SentHeader = readonly [name: string, value: string | null];

/** The headers that an attempt was sent with, in their order (docs/specification.md, “Signed delivery”). */
export function sentHeaders(attempt: SentAttempt): readonly SentHeader[] {
  return [
    ['Content-Type', 'application/json'],
    ['Content-Digest', contentDigest(attempt)],
    ['X-SVC-Event-ID', attempt.eventId],
    ['X-SVC-Event-Timestamp', attempt.eventTimestamp],
    ['Signature-Input', `svc=${signatureParameters(attempt)}`],
    ['Signature', null],
    ['User-Agent', 'Svc-Webhook/1.0'],
  ];
}

/** The value of the header, or null where the digest is not on record. */
const contentDigest = ({ bodySha256 }: SentAttempt): string | null => (bodySha256 === null ? null : `sha-256=:${bodySha256}:`);

/** What was signed, line by line (RFC 9421, section 2.5). A digest that is not on record has a placeholder. */
export function signatureBase(attempt: SentAttempt, url: string): string {
  return `"@method": POST
"@target-uri": ${url}
"content-digest": ${contentDigest(attempt) ?? 'YOUR_CONTENT_DIGEST'}
"x-svc-event-id": ${attempt.eventId}
"x-svc-event-timestamp": ${attempt.eventTimestamp}
"@signature-params": ${signatureParameters(attempt)}`;
}

function signatureParameters({ startedAt, keyId }: Pick<SentAttempt, 'startedAt' | 'keyId'>): string {
  const created = Math.floor(new Date(startedAt).getTime() / 1000);
  return `(${covered.map((name) => `"${name}"`).join(' ')});created=${created};keyid="${keyId}";alg="ed25519"`;
}

type SentDelivery = Pick<DeliveryInFull, 'event' | 'attempts'>;

/** The last attempt that was sent, with what its headers say, or null before there is one. */
export function lastSent({ event, attempts }: SentDelivery): (Attempt & SentAttempt) | null {
  const last = attempts.at(-1);
  if (!last?.keyId) return null;
  return { ...last, keyId: last.keyId, eventId: event.id, eventTimestamp: event.occurredAt };
}
