const covered = ['@method', '@target-uri', 'content-digest', 'x-svc-event-id', 'x-svc-event-timestamp'] as const;

export type SentAttempt = {
  readonly eventId: string;
  /** When the event occurred, as RFC 3339 with milliseconds. */
  readonly eventTimestamp: string;
  readonly startedAt: string;
  readonly keyId: string;
};

/** A header whose value is null depends on the body, which is not kept. */
export type SentHeader = readonly [name: string, value: string | null];

/** The headers that an attempt was sent with, in their order (docs/specification.md, “Signed delivery”). */
export function sentHeaders(attempt: SentAttempt): readonly SentHeader[] {
  return [
    ['Content-Type', 'application/json'],
    ['Content-Digest', null],
    ['X-SVC-Event-ID', attempt.eventId],
    ['X-SVC-Event-Timestamp', attempt.eventTimestamp],
    ['Signature-Input', `svc=${signatureParameters(attempt)}`],
    ['Signature', null],
    ['User-Agent', 'Svc-Webhook/1.0'],
  ];
}

/** What was signed, line by line (RFC 9421, section 2.5). `digest` stands for the value of the Content-Digest header. */
export function signatureBase(attempt: SentAttempt, url: string, digest = 'YOUR_CONTENT_DIGEST'): string {
  return `"@method": POST
"@target-uri": ${url}
"content-digest": ${digest}
"x-svc-event-id": ${attempt.eventId}
"x-svc-event-timestamp": ${attempt.eventTimestamp}
"@signature-params": ${signatureParameters(attempt)}`;
}

function signatureParameters({ startedAt, keyId }: SentAttempt): string {
  const created = Math.floor(new Date(startedAt).getTime() / 1000);
  return `(${covered.map((name) => `"${name}"`).join(' ')});created=${created};keyid="${keyId}";alg="ed25519"`;
}
