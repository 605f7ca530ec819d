import { hash, type KeyObject, sign } from 'node:crypto';
import { serializeInnerList } from 'structured-headers';

/** A private Ed25519 key and its name in the JWKS. */
export type DeliveryKey = {
  readonly kid: string;
  readonly privateKey: KeyObject;
};

type Delivery = {
  /** As registered, byte for byte: nobody normalises it on the way from the registration to the signature. */
  readonly url: string;
  /** The exact bytes that are sent. */
  readonly body: Buffer;
  readonly eventId: string;
  /** As in the envelope. */
  readonly eventTimestamp: string;
  /** When this attempt begins, in Unix seconds. */
  readonly created: number;
  readonly key: DeliveryKey;
};

/** What every delivery is sent with (docs/specification.md, “Signed delivery”). */
type DeliveryHeaders = {
  readonly 'Content-Type': 'application/json';
  readonly 'Content-Digest': string;
  readonly 'X-SVC-Event-ID': string;
  readonly 'X-SVC-Event-Timestamp': string;
  readonly 'Signature-Input': string;
  readonly Signature: string;
  readonly 'User-Agent': 'Svc-Webhook/1.0';
};

const covered = ['@method', '@target-uri', 'content-digest', 'x-svc-event-id', 'x-svc-event-timestamp'] as const;

/** Signs one attempt (RFC 9421, section 3.1, with the digest of RFC 9530). Nearly all of its time is Ed25519’s. */
export function signDelivery({ url, body, eventId, eventTimestamp, created, key }: Delivery): DeliveryHeaders {
  const digest = `sha-256=:${hash('sha256', body, 'base64')}:`;
  const parameters = signatureParameters(key.kid, created);
  // RFC 9421, section 2.5: one line for each component, and none after the last.
  const base = `"@method": POST
"@target-uri": ${url}
"content-digest": ${digest}
"x-svc-event-id": ${eventId}
"x-svc-event-timestamp": ${eventTimestamp}
"@signature-params": ${parameters}`;
  return {
    'Content-Type': 'application/json',
    'Content-Digest': digest,
    'X-SVC-Event-ID': eventId,
    'X-SVC-Event-Timestamp': eventTimestamp,
    'Signature-Input': `svc=${parameters}`,
    Signature: `svc=:${sign(null, Buffer.from(base), key.privateKey).toString('base64')}:`,
    'User-Agent': 'Svc-Webhook/1.0',
  };
}

/** Those of the last signature. They are the same for all attempts of one second, and serializing them takes a tenth of a signature. */
let last = { kid: '', created: 0, text: '' };

function signatureParameters(kid: string, created: number): string {
  if (last.kid !== kid || last.created !== created) {
    const values = new Map<string, string | number>([
      ['created', created],
      ['keyid', kid],
      ['alg', 'ed25519'],
    ]);
    last = { kid, created, text: serializeInnerList([covered.map((name) => [name, new Map()]), values]) };
  }
  return last.text;
}
