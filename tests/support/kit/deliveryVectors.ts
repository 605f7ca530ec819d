import { createPrivateKey } from 'node:crypto';
import { thumbprint } from '../../../server/domain/webhook/signing/jwks.ts';
import type { Sent } from '../clients/guideReceiver.ts';
import { foreign, testDeliveries, unusualBodies, url } from '../webhooks/testDeliveries.ts';

/** One request as it arrives, and what a receiver that follows the rules answers. */
export type DeliveryVector = {
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As text where it is UTF-8, otherwise as base64; a long one as a byte and how often it comes. */
  readonly body?: string;
  readonly body_base64?: string;
  readonly body_repeat?: { readonly byte: number; readonly count: number };
  readonly status: number;
};

/** The key of RFC 8037, A.1, which is published, and one that is no better kept. */
const published = keyOf('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo');
const stranger = keyOf('TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs', 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw');

function keyOf(d: string, x: string) {
  const privateKey = createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', d, x } });
  return { kid: thumbprint(x), privateKey, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint(x) } };
}

const receivedAt = '2026-11-24T10:00:05.000Z';

/** All of them, the same each time. */
export function deliveryVectors() {
  let events = 0;
  const { delivery, withHeader, broken } = testDeliveries({
    key: published,
    stranger,
    time: '2026-11-21T10:00:00.250Z',
    nowInSeconds: () => Date.parse(receivedAt) / 1000,
    // Two in turn are enough for one to be another’s.
    newEventId: () => `evt_${String((events += 1) % 2).padStart(26, '0')}`,
  });
  const created = (seconds: number) => delivery({ created: Date.parse(receivedAt) / 1000 + seconds });
  const beside = foreign.flatMap(([what, input, signature]) =>
    (['before', 'after'] as const).map((place) => {
      const joined = (own: string, other: string) => (place === 'before' ? `${other}, ${own}` : `${own} ,\t${other}`);
      const sent = withHeader('Signature-Input', (value) => joined(value, input));
      return vector(
        `another signature ${place} it: ${what}`,
        204,
        withHeader('Signature', (value) => joined(value, signature), sent),
      );
    }),
  );
  const unusual = unusualBodies.map(([what, more]) => {
    const { eventId, body } = delivery();
    return vector(what, 204, delivery({ eventId, body: Buffer.from(body.toString().replace('"data"', `${more},"data"`)) }));
  });
  return {
    about:
      'Requests to a webhook receiver, signed by published keys. A receiver that follows the seven rules answers each with its status.',
    url,
    jwks: { keys: [published.jwk] },
    source: 'https://api.example',
    environment: 'sandbox' as const,
    freshness_seconds: 300,
    received_at: receivedAt,
    vectors: [
      vector('a good delivery', 204, delivery()),
      vector('created as long ago as is tolerated', 204, created(-300)),
      vector('created as far ahead as is tolerated', 204, created(300)),
      vector('created a second too long ago', 401, created(-301)),
      ...beside,
      ...unusual,
      ...broken.map(([rule, what, status, make]) => vector(`${rule}: ${what}`, status, make())),
    ] satisfies DeliveryVector[],
  };
}

function vector(name: string, status: number, { method = 'POST', path: target, headers, body }: Sent): DeliveryVector {
  return { name, method, target, headers, ...bodyOf(body), status };
}

function bodyOf(body: Buffer): Pick<DeliveryVector, 'body' | 'body_base64' | 'body_repeat'> {
  if (body.length > 64 * 1024) return { body_repeat: { byte: body[0] ?? 0, count: body.length } };
  const text = body.toString();
  return Buffer.from(text).equals(body) && text.length < 2_000 ? { body: text } : { body_base64: body.toString('base64') };
}

/** The bytes of a vector’s body. */
export function bytesOf({ body, body_base64: base64, body_repeat: repeat }: DeliveryVector): Buffer {
  if (repeat) return Buffer.alloc(repeat.count, repeat.byte);
  return base64 === undefined ? Buffer.from(body ?? '') : Buffer.from(base64, 'base64');
}
