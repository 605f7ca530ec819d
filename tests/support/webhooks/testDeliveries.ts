import { generateKeyPairSync, sign } from 'node:crypto';
import { deliveryEnvelope } from '../../../server/domain/webhook/envelope.ts';
import { thumbprint } from '../../../server/domain/webhook/signing/jwks.ts';
import { type DeliveryKey, signDelivery } from '../../../server/domain/webhook/signing/signDelivery.ts';
import type { Sent } from '../clients/guideReceiver.ts';
import type { PublicJwk } from '../clients/rfc9421.ts';

/** What receivers in tests are registered for: what an URL parser would change stays as it is. */
export const url = 'https://receiver.hooks.test:443/a%20b/%2f?tenant';
export const path = '/a%20b/%2f?tenant';
const generationId = 'gen_0e7m2q5t8w1z4c6f9h2k5n8r1v';
const covered = ['@method', '@target-uri', 'content-digest', 'x-svc-event-id', 'x-svc-event-timestamp'];

export function newKey(): DeliveryKey & { readonly jwk: PublicJwk } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const kid = thumbprint(x);
  return { kid, privateKey, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid } };
}

type Change = {
  eventId?: string;
  time?: string;
  created?: number;
  key?: DeliveryKey;
  url?: string;
  body?: Buffer;
  environment?: 'production';
};
type Otherwise = { components?: readonly string[]; label?: string; signatureLabel?: string; alg?: string };

/** Who signs, and when: tests as they run, vectors always the same. */
type Source = {
  readonly key: DeliveryKey;
  readonly stranger: DeliveryKey;
  /** When the event occurred. */
  readonly time: string;
  readonly nowInSeconds: () => number;
  readonly newEventId: () => string;
};

/** Deliveries, good and bad. */
export function testDeliveries({ key, stranger, time, nowInSeconds, newEventId }: Source) {
  const otherTime = new Date(Date.parse(time) + 1).toISOString();
  /** A delivery as the service sends it, with what a row of the table changes before it is signed. */
  function delivery(change: Change & { inBody?: string; source?: string } = {}): Sent & { eventId: string } {
    const eventId = change.eventId ?? newEventId();
    const event = { id: change.inBody ?? eventId, type: 'statistics.updated', occurredAt: new Date(time), generationId } as const;
    const envelope = deliveryEnvelope({
      event,
      source: change.source ?? 'https://api.example',
      environment: change.environment ?? 'sandbox',
    });
    const body = change.body ?? Buffer.from(envelope);
    const headers = signDelivery({
      url: change.url ?? url,
      body,
      eventId,
      eventTimestamp: change.time ?? time,
      created: change.created ?? nowInSeconds(),
      key: change.key ?? key,
    });
    return { path, headers: { ...headers }, body, eventId };
  }

  /** Signed with other components, another label or another algorithm’s name, by the same key. */
  function signedOtherwise({ components = covered, label = 'svc', signatureLabel = label, alg = 'ed25519' }: Otherwise): Sent {
    const { headers, body } = delivery();
    const parameters = `(${components.map((name) => `"${name}"`).join(' ')});created=${nowInSeconds()};keyid="${key.kid}";alg="${alg}"`;
    const derived: Record<string, string> = { '@method': 'POST', '@target-uri': url };
    const fields = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const lines = components.map((name) => `"${name}": ${derived[name] ?? fields.get(name)}`);
    const signature = sign(null, Buffer.from([...lines, `"@signature-params": ${parameters}`].join('\n')), key.privateKey).toString(
      'base64',
    );
    return {
      path,
      body,
      headers: { ...headers, 'Signature-Input': `${label}=${parameters}`, Signature: `${signatureLabel}=:${signature}:` },
    };
  }

  const withHeader = (name: string, change: (value: string) => string, from: Sent = delivery()): Sent => {
    const { headers, ...sent } = from;
    return { ...sent, headers: { ...headers, [name]: change(headers[name] ?? '') } };
  };
  const without = (name: string): Sent => {
    const { headers, ...sent } = delivery();
    return { ...sent, headers: Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name)) };
  };
  const withBody = (change: (text: string) => string): Sent => {
    const sent = delivery();
    return { ...sent, body: Buffer.from(change(sent.body.toString())) };
  };
  const rewritten = (from: string, to: string): Sent => {
    const { eventId, body } = delivery();
    return delivery({ eventId, body: Buffer.from(body.toString().replace(from, to)) });
  };

  /** Every rule of receivers, with deliveries that break it and the answer of the guide’s receivers. */
  const broken: readonly (readonly [rule: string, what: string, status: number, make: () => Sent])[] = [
    ['rule 1', 'a GET', 405, () => ({ ...delivery(), method: 'GET', body: Buffer.alloc(0) })],
    ['rule 1', 'a PUT', 405, () => ({ ...delivery(), method: 'PUT' })],
    ['rule 1', 'another route', 404, () => ({ ...delivery(), path: '/webhooks' })],
    ['rule 1', 'the registered route in another spelling', 404, () => ({ ...delivery(), path: '/a%20b/%2F?tenant' })],
    ['rule 1', 'the registered route without its query', 404, () => ({ ...delivery(), path: '/a%20b/%2f' })],
    ['rule 1', 'a body over the limit', 413, () => delivery({ body: Buffer.alloc(64 * 1024 + 1, 0x20) })],
    [
      'rule 1',
      'a body over the limit in chunks',
      413,
      () => ({ ...delivery({ body: Buffer.alloc(64 * 1024 + 1, 0x20) }), chunkSize: 1000 }),
    ],
    ['rule 1', 'a body far over the limit', 413, () => delivery({ body: Buffer.alloc(700_000, 0x20) })],
    ['rule 1', 'a body far over the limit in chunks', 413, () => ({ ...delivery({ body: Buffer.alloc(700_000, 0x20) }), chunkSize: 9999 })],
    ['rule 2', 'no signature at all', 401, () => ({ ...delivery(), headers: { 'Content-Type': 'application/json' } })],
    ['rule 2', 'a Signature-Input that is missing', 401, () => without('Signature-Input')],
    ['rule 2', 'a Signature-Input that is not structured', 401, () => withHeader('Signature-Input', (value) => value.replace('(', ''))],
    ['rule 2', 'a Signature-Input with something behind it', 401, () => withHeader('Signature-Input', (value) => `${value} x`)],
    ['rule 2', 'a Signature-Input with a comma at its end', 401, () => withHeader('Signature-Input', (value) => `${value},`)],
    [
      'rule 2',
      'a Signature-Input with another member that is not well formed',
      401,
      () => withHeader('Signature-Input', (value) => `a=1.2345, ${value}`),
    ],
    [
      'rule 2',
      'a component with a parameter',
      401,
      () => withHeader('Signature-Input', (value) => value.replace('"@method"', '"@method";req')),
    ],
    [
      'rule 2',
      'a list of components that is followed by another',
      401,
      () => withHeader('Signature-Input', (value) => `${value}, svc=("@method");created=1`),
    ],
    [
      'rule 2',
      'a time of creation that is no integer',
      401,
      () => withHeader('Signature-Input', (value) => value.replace(/created=\d+/, '$&.0')),
    ],
    ['rule 2', 'another label', 401, () => signedOtherwise({ label: 'other' })],
    ['rule 2', 'a component that is missing', 401, () => signedOtherwise({ components: covered.toSpliced(2, 1) })],
    ['rule 2', 'a label that only Signature has', 401, () => signedOtherwise({ label: 'other', signatureLabel: 'svc' })],
    ['rule 2', 'components in another order', 401, () => signedOtherwise({ components: covered.toReversed() })],
    ['rule 2', 'another algorithm', 401, () => signedOtherwise({ alg: 'hmac-sha256' })],
    ['rule 2', 'no keyid', 401, () => withHeader('Signature-Input', (value) => value.replace(/;keyid="[^"]*"/, ''))],
    ['rule 3', 'an altered body', 400, () => withBody((text) => text.replace('gen_0', 'gen_1'))],
    ['rule 3', 'a body with one more byte', 400, () => withBody((text) => `${text}\n`)],
    ['rule 3', 'the digest of another body', 400, () => withHeader('Content-Digest', () => delivery().headers['Content-Digest'] ?? '')],
    ['rule 3', 'a digest by another algorithm', 400, () => withHeader('Content-Digest', (value) => value.replace('sha-256', 'md5'))],
    ['rule 3', 'no digest', 401, () => without('Content-Digest')],
    ['rule 4', 'a signature by another key', 401, () => delivery({ key: { ...stranger, kid: key.kid } })],
    ['rule 4', 'a signature over another URL', 401, () => delivery({ url: url.replace(':443', '') })],
    ['rule 4', 'another event ID than was signed', 401, () => withHeader('X-SVC-Event-ID', newEventId)],
    ['rule 4', 'another event time than was signed', 401, () => withHeader('X-SVC-Event-Timestamp', () => otherTime)],
    ['rule 4', 'a signature that is no byte sequence', 401, () => withHeader('Signature', (value) => value.replaceAll(':', ''))],
    ['rule 4', 'bytes with something behind their padding', 401, () => withHeader('Signature', (value) => value.replace(/==:$/, '=5:'))],
    [
      'rule 4',
      'a wrong signature of something that is no JSON',
      401,
      () => delivery({ body: Buffer.from('{'), key: { ...stranger, kid: key.kid } }),
    ],
    ['rule 5', 'a signature that was created a day ago', 401, () => delivery({ created: nowInSeconds() - 86_400 })],
    ['rule 5', 'a signature that was created more than five minutes ago', 401, () => delivery({ created: nowInSeconds() - 302 })],
    ['rule 5', 'a signature that is more than five minutes ahead', 401, () => delivery({ created: nowInSeconds() + 330 })],
    ['rule 5', 'a signature from the future', 401, () => delivery({ created: nowInSeconds() + 3_600 })],
    ['rule 6', 'something that is no JSON', 400, () => delivery({ body: Buffer.from('{') })],
    ['rule 6', 'JSON that is no object', 400, () => delivery({ body: Buffer.from('[]') })],
    ['rule 6', 'a body that is not UTF-8', 400, () => delivery({ body: Buffer.from([0x22, 0xff, 0x22]) })],
    [
      'rule 6',
      'an array that is nested 30,000 levels deep',
      400,
      () => delivery({ body: Buffer.from('['.repeat(30_000) + ']'.repeat(30_000)) }),
    ],
    ['rule 6', 'an object that is nested too deeply and never ends', 400, () => delivery({ body: Buffer.from('{"a":'.repeat(12_000)) })],
    ['rule 6', 'a byte order mark before the JSON', 400, () => rewritten('{', '\uFEFF{')],
    ['rule 6', 'a number that is no JSON', 400, () => rewritten('{', '{"more":NaN,')],
    ['rule 6', 'an ID under a name in another case', 400, () => rewritten('"id"', '"ID"')],
    ['rule 6', 'a type under a name in another case', 400, () => rewritten('"type"', '"Type"')],
    ['rule 6', 'an ID twice, of which the last is another', 400, () => rewritten('"data"', '"id":"evt_1","data"')],
    ['rule 6', 'an ID that is null', 400, () => rewritten('"data"', '"id":null,"data"')],
    ['rule 6', 'an envelope with another ID than the header', 400, () => delivery({ inBody: newEventId() })],
    ['rule 6', 'an envelope with another time than the header', 400, () => delivery({ time: otherTime })],
    ['rule 6', 'another source', 400, () => delivery({ source: 'https://api.example.net' })],
    ['rule 6', 'another environment', 400, () => delivery({ environment: 'production' })],
    ['rule 6', 'an unknown type', 400, () => rewritten('statistics.updated', 'statistics.replaced')],
  ];

  return { delivery, withHeader, broken };
}

/** Other people’s members of Signature-Input and Signature, in every form that structured fields have (RFC 9651). */
export const foreign = [
  ['a quoted copy of ours', `sig1=("@method" "x\\"y");created=1;tag="a, svc=()"`, 'sig1=:AAAA:'],
  ['parameters', 'sig1=("@method" "@path";req);created=1;keyid="x"', 'sig1=:AAAA:;a=1'],
  ['parameters of its components', 'sig1=("a";sf;key="b";n=-1 "c";bs;tr  );created=1', 'sig1=:AAAA:;a;b="c, svc=:AAAA:"'],
  ['booleans, tokens and decimals', 'a=?0;b=?1;c, b=*t/o:k;d=1.125;e=-999999999999.5', 'a=?0, b=*t/o:k;d=1.125'],
  ['bytes without padding, dates and display strings', 'a=:AAA:;b=@-1659578233;c=%"f%c3%bc, x=1"', 'a=:AAA:;b=@1;c=%"f%c3%bc"'],
  ['no values at all', 'a, b;c;d="e"', 'a;b'],
  ['lists that are empty or hold all kinds', 'a=(), b=( 1  ?0 tok;x=:AA==: @1 );y', 'a=(), b=( 1  ?0 tok;x=:AA==: @1 );y'],
] as const;

/** What else an envelope may hold, as a newer version of the service might send it. */
export const unusualBodies = [
  [
    'names in another case beside the ones that count',
    '"ID":"evt_1","Type":"no.such","SOURCE":"https://x.example","TIME":1,"Environment":"production"',
  ],
  ['a member that comes twice with the same value', '"specversion":"1.0"'],
  ['a very long number', `"more":${'9'.repeat(5_000)}`],
  ['names with escapes', '"\\u0069d2":"\\ud83d\\ude00"'],
] as const;
