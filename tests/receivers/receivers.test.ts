import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deliveryEnvelope } from '../../server/domain/webhook/envelope.ts';
import { judgeProbe } from '../../server/domain/webhook/receiver-check/judgeProbe.ts';
import { makeProbe, newProbeEvent } from '../../server/domain/webhook/receiver-check/makeProbe.ts';
import { probeKinds } from '../../server/domain/webhook/receiver-check/probes.ts';
import { thumbprint } from '../../server/domain/webhook/signing/jwks.ts';
import { type DeliveryKey, signDelivery } from '../../server/domain/webhook/signing/signDelivery.ts';
import { canLimitDisk, canRun, GuideReceiver, receiverLanguages, type Sent, startKeySet } from '../support/clients/guideReceiver.ts';
import type { PublicJwk } from '../support/clients/rfc9421.ts';

const url = 'https://receiver.hooks.test:443/a%20b/%2f?tenant';
const path = '/a%20b/%2f?tenant';
/** An event that occurred three days ago. */
const time = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000).toISOString();
const otherTime = new Date(Date.parse(time) + 1).toISOString();
const generationId = 'gen_0e7m2q5t8w1z4c6f9h2k5n8r1v';

function newKey(): DeliveryKey & { readonly jwk: PublicJwk } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const kid = thumbprint(x);
  return { kid, privateKey, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid } };
}

const [key, nextKey, stranger] = [newKey(), newKey(), newKey()];
const nowInSeconds = () => Math.floor(Date.now() / 1000);
let events = 0;
const newEventId = () => `evt_${String((events += 1)).padStart(26, '0')}`;

type Change = {
  eventId?: string;
  time?: string;
  created?: number;
  key?: DeliveryKey;
  url?: string;
  body?: Buffer;
  environment?: 'production';
};

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

type Otherwise = { components?: readonly string[]; label?: string; signatureLabel?: string; alg?: string };

/** Signed with other components, another label or another algorithm’s name, by the same key. */
function signedOtherwise({ components = covered, label = 'svc', signatureLabel = label, alg = 'ed25519' }: Otherwise): Sent {
  const { headers, body } = delivery();
  const parameters = `(${components.map((name) => `"${name}"`).join(' ')});created=${nowInSeconds()};keyid="${key.kid}";alg="${alg}"`;
  const derived: Record<string, string> = { '@method': 'POST', '@target-uri': url };
  const fields = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const lines = components.map((name) => `"${name}": ${derived[name] ?? fields.get(name)}`);
  const signature = sign(null, Buffer.from([...lines, `"@signature-params": ${parameters}`].join('\n')), key.privateKey).toString('base64');
  return {
    path,
    body,
    headers: { ...headers, 'Signature-Input': `${label}=${parameters}`, Signature: `${signatureLabel}=:${signature}:` },
  };
}

const covered = ['@method', '@target-uri', 'content-digest', 'x-svc-event-id', 'x-svc-event-timestamp'];
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
  ['rule 1', 'a body over the limit in chunks', 413, () => ({ ...delivery({ body: Buffer.alloc(64 * 1024 + 1, 0x20) }), chunkSize: 1000 })],
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

/** Other people’s members of Signature-Input and Signature, in every form that structured fields have (RFC 9651). */
const foreign = [
  ['a quoted copy of ours', `sig1=("@method" "x\\"y");created=1;tag="a, svc=()"`, 'sig1=:AAAA:'],
  ['parameters', 'sig1=("@method" "@path";req);created=1;keyid="x"', 'sig1=:AAAA:;a=1'],
  ['parameters of its components', 'sig1=("a";sf;key="b";n=-1 "c";bs;tr  );created=1', 'sig1=:AAAA:;a;b="c, svc=:AAAA:"'],
  ['booleans, tokens and decimals', 'a=?0;b=?1;c, b=*t/o:k;d=1.125;e=-999999999999.5', 'a=?0, b=*t/o:k;d=1.125'],
  ['bytes without padding, dates and display strings', 'a=:AAA:;b=@-1659578233;c=%"f%c3%bc, x=1"', 'a=:AAA:;b=@1;c=%"f%c3%bc"'],
  ['no values at all', 'a, b;c;d="e"', 'a;b'],
  ['lists that are empty or hold all kinds', 'a=(), b=( 1  ?0 tok;x=:AA==: @1 );y', 'a=(), b=( 1  ?0 tok;x=:AA==: @1 );y'],
] as const;

/** What else an envelope may hold, as a newer version of the service might send it. */
const unusualBodies = [
  [
    'names in another case beside the ones that count',
    '"ID":"evt_1","Type":"no.such","SOURCE":"https://x.example","TIME":1,"Environment":"production"',
  ],
  ['a member that comes twice with the same value', '"specversion":"1.0"'],
  ['a very long number', `"more":${'9'.repeat(5_000)}`],
  ['names with escapes', '"\\u0069d2":"\\ud83d\\ude00"'],
] as const;

describe.each(receiverLanguages)('the guide’s receiver in %s', (language) => {
  if (!canRun(language)) {
    test.skip(`is not run, because this machine cannot run ${language}`, () => {});
    return;
  }
  const probeEvent = newProbeEvent();
  let receiver: GuideReceiver;
  let keySet: Awaited<ReturnType<typeof startKeySet>>;
  const settings = () => ({ WEBHOOK_URL: url, JWKS_URL: keySet.url, EVENT_SOURCE: 'https://api.example', ENVIRONMENT: 'sandbox' });
  const accepted: string[] = [];
  const accept = async (sent: Sent & { eventId: string }) => {
    expect(await receiver.send(sent)).toMatchObject({ status: 204 });
    if (!accepted.includes(sent.eventId)) accepted.push(sent.eventId);
  };
  beforeAll(async () => {
    keySet = await startKeySet([key.jwk]);
    receiver = await GuideReceiver.prepare(language);
    await receiver.start({ ...settings(), ANSWER_CHALLENGES: 'true' });
    // Go compiles its standard library too on a machine where it has built nothing yet.
  }, 240_000);
  afterAll(async () => {
    keySet?.close();
    await receiver?.close();
  });

  test('answers the challenge exactly, while it is proven', async () => {
    const challenge = 'n3wQ0mVJ7kqS1dO2yXh5tZ8uBvC4eF6gH9iKjLlMnPo';
    const body = Buffer.from(JSON.stringify({ type: 'svc.webhook.verification', challenge }));
    const { status, text } = await receiver.send({ path, headers: { 'Content-Type': 'application/json' }, body });
    expect([status, JSON.parse(text)]).toEqual([200, { challenge }]);
  });

  test('accepts a good delivery', () => accept(delivery()));

  test.each(probeKinds)('passes the probe “%s” of the receiver check', async (kind) => {
    const occurredAt = new Date(time);
    const probe = makeProbe(kind, {
      url,
      source: 'https://api.example',
      key,
      event: probeEvent,
      occurredAt,
      beganAt: new Date(),
      now: new Date(),
    });
    const { status } = await receiver.send({ path, ...probe });
    expect(judgeProbe(kind, { status, error: null })).toEqual({ verdict: 'passed', mend: null });
    const eventId = probe.headers['X-SVC-Event-ID'] ?? '';
    if (status < 300 && !accepted.includes(eventId)) accepted.push(eventId);
  });

  test.each(foreign)('finds its signature beside another with %s, before and after it', async (_what, input, signature) => {
    for (const joined of [(a = '', b = '') => `${a} ,\t${b}`, (a = '', b = '') => `${b},${a}`]) {
      const { headers, ...sent } = delivery();
      await accept({
        ...sent,
        headers: {
          ...headers,
          'Signature-Input': joined(input, headers['Signature-Input']),
          Signature: joined(signature, headers['Signature']),
        },
      });
    }
  });

  test('takes its signature with parameters, too', async () => {
    const eventId = newEventId();
    await accept({ ...withHeader('Signature', (value) => `${value};a=1;b`, delivery({ eventId })), eventId });
  });

  test.each(unusualBodies)('accepts %s', async (_what, more) => {
    const { eventId, body } = delivery();
    await accept(delivery({ eventId, body: Buffer.from(body.toString().replace('"data"', `${more},"data"`)) }));
  });

  test('answers an object that is nested deeply with 2xx or 4xx, so that it does not come again, and survives it', async () => {
    for (const levels of [900, 995, 9_998, 9_999, 10_000, 12_000]) {
      const { eventId, body } = delivery();
      const nested = body.toString().replace('"data"', `"more":${'['.repeat(levels)}${']'.repeat(levels)},"data"`);
      const { status } = await receiver.send(delivery({ eventId, body: Buffer.from(nested) }));
      expect([204, 400]).toContain(status);
      if (status === 204) accepted.push(eventId);
    }
  });

  test.each([1, 7, 100_000])('accepts a body in chunks of %i bytes, as proxies send them', (chunkSize) =>
    accept({ ...delivery(), chunkSize }),
  );

  test('reads chunks with extensions and trailers, and the next request after them', async () => {
    const requests = [delivery(), delivery()].map(({ eventId, headers, body }) => {
      accepted.push(eventId);
      const fields = Object.entries({ ...headers, Host: 'receiver.hooks.test', 'Transfer-Encoding': 'Chunked' });
      const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const chunk = `${body.length.toString(16).toUpperCase()};name="a b"\r\n${body.toString()}\r\n0\r\nX-Trailer: 1\r\n\r\n`;
      return (last: boolean) => `POST ${path} HTTP/1.1\r\n${head}${last ? 'Connection: close\r\n' : ''}\r\n${chunk}`;
    });
    expect(await receiver.sendRaw(requests.map((make, at) => make(at === requests.length - 1)).join(''))).toEqual([204, 204]);
  });

  test.each([
    ['chunks with a size that is no number', 'Transfer-Encoding: chunked', 'x\r\n'],
    ['a chunk that is longer than it says', 'Transfer-Encoding: chunked', '1\r\nabc\r\n0\r\n\r\n'],
  ])('refuses %s', async (_what, framing, body) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: receiver.hooks.test\r\nConnection: close\r\n${framing}\r\n\r\n`;
    expect(await receiver.sendRaw(head + body)).toEqual([400]);
  });

  test.each(broken)('%s: refuses %s', async (_rule, _what, status, make) => {
    expect(await receiver.send(make())).toMatchObject({ status });
  });

  test('rule 2: never accepts an unknown key, and reads the key set no more often than its limit for all of them', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => receiver.send(delivery({ key: newKey() }))));
    // The receiver check had it read the key set. Until it may do so again, it cannot know whether a key is new: the delivery is to come again.
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(keySet.reads).toBe(2);
  });

  test('rule 5: accepts what was signed by a clock that is nearly five minutes slow or fast', async () => {
    await accept(delivery({ created: nowInSeconds() - 270 }));
    await accept(delivery({ created: nowInSeconds() + 298 }));
  });

  test('rule 5: accepts an event that is days old, if the attempt is new', async () => {
    expect(delivery().headers['X-SVC-Event-Timestamp']).toBe(time);
    await accept(delivery());
  });

  test('rule 7: answers 2xx to an event that it has committed, and applies it once, however often and with whatever it comes', async () => {
    const eventId = newEventId();
    await Promise.all(Array.from({ length: 8 }, () => accept(delivery({ eventId }))));
    await accept(delivery({ eventId, created: nowInSeconds() - 30 }));
  });

  const onFullDisk = canLimitDisk(language) ? test : test.skip;
  onFullDisk('rule 7: refuses for now what a full disk has no room for, and keeps what comes after it', async () => {
    const tooMuch = delivery();
    receiver.limitDisk(true);
    expect(await receiver.send(tooMuch)).toMatchObject({ status: 503 });
    receiver.limitDisk(false);
    await accept(delivery());
    await accept(tooMuch);
    await accept(delivery());
  });

  test('rule 7: still knows after a loss of power what it has answered with 2xx', async () => {
    const last = delivery();
    await accept(last);
    await receiver.kill();
    await receiver.start({ ...settings(), JWKS_REFRESH_SECONDS: '0' });
    const before = [...receiver.applied];
    for (const eventId of accepted) await accept(delivery({ eventId }));
    expect(receiver.applied.slice(before.length).filter((id) => id !== last.eventId)).toEqual([]);
  });

  test('rule 2: takes up a new key from the key set, and refuses one that is not in it', async () => {
    expect(await receiver.send(delivery({ key: nextKey }))).toMatchObject({ status: 401 });
    keySet.keys = [key.jwk, nextKey.jwk];
    await accept(delivery({ key: nextKey }));
  });

  test('rule 2: has deliveries come again while the key set has not been read for longer than it is trusted', async () => {
    await receiver.kill();
    await receiver.start({ ...settings(), JWKS_REFRESH_SECONDS: '0', JWKS_TRUSTED_SECONDS: '0' });
    await accept(delivery());
    keySet.down = true;
    expect(await receiver.send(delivery())).toMatchObject({ status: 503 });
    keySet.down = false;
    await accept(delivery());
  });

  test('answers no challenge once it has been proven', async () => {
    const body = Buffer.from(JSON.stringify({ type: 'svc.webhook.verification', challenge: 'x' }));
    expect(await receiver.send({ path, headers: {}, body })).toMatchObject({ status: 401 });
  });

  test('has applied what it accepted once, and nothing else', async () => {
    await receiver.kill();
    await receiver.start(settings());
    await receiver.kill();
    // Only the work of the moment at which it was killed may have been done twice.
    expect(new Set(receiver.applied)).toEqual(new Set(language === 'go' ? receiver.applied : accepted));
    expect(receiver.applied.filter((id) => !accepted.includes(id))).toEqual([]);
  });
});
