import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { verifySignature, webcrypto } from 'http-message-sig';
import { signDelivery } from '../../../../server/domain/webhook/signing/signDelivery.ts';
import { checkDigest, type SignedRequest, verifyByRfc9421 } from '../../../support/clients/rfc9421.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const key = { kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', privateKey };
const jwks = [{ kty: 'OKP', crv: 'Ed25519', x: publicKey.export({ format: 'jwk' }).x ?? '', kid: key.kid }];
const delivery = {
  body: Buffer.from('{"id":"evt_0123456789abcdefghjkmnpqrs","data":{"model":"Kestrel – größer"}}'),
  eventId: 'evt_0123456789abcdefghjkmnpqrs',
  eventTimestamp: '2026-11-21T10:00:00.250Z',
  created: 1_763_712_345,
};

const urls = [
  'https://hooks.example/svc',
  'https://hooks.example',
  'https://hooks.example/',
  'https://hooks.example:443/svc',
  'https://hooks.example:443',
  'https://hooks.example?tenant',
  'https://hooks.example/svc?',
  'https://hooks.example/svc?tenant&empty=&b=2&a=1',
  'https://hooks.example/a%20b/%C3%BC/%2F%2f//c;v=1/~x',
  "https://hooks.example/it's(not)!*?q=%22a%22+b|c{d}",
  'https://xn--bcher-kva.example/%7Euser',
];

test.each(urls)('two independent implementations verify a delivery to %s', async (url) => {
  const request = received(url);
  expect(verifyByRfc9421(request, 'svc', jwks).get('created')).toBe(delivery.created);
  expect(() => checkDigest(request)).not.toThrow();
  await expect(verifyByLibrary(request)).resolves.toMatchObject({ label: 'svc', algorithm: 'ed25519', parameters: { keyid: key.kid } });
});

test.each([
  ['URL that a parser has normalized', 'https://hooks.example', { targetUri: 'https://hooks.example/' }],
  ['URL without its port', 'https://hooks.example:443/svc', { targetUri: 'https://hooks.example/svc' }],
  ['URL with other letters in its encoding', 'https://hooks.example/%2f', { targetUri: 'https://hooks.example/%2F' }],
  ['method', 'https://hooks.example/svc', { method: 'PUT' }],
] as const)('both implementations refuse another %s', async (_what, url, change) => {
  const request = { ...received(url), ...change };
  expect(() => verifyByRfc9421(request, 'svc', jwks)).toThrow('the signature is wrong');
  await expect(verifyByLibrary(request)).rejects.toThrow('Signature verification failed');
});

test.each(['content-digest', 'x-svc-event-id', 'x-svc-event-timestamp'])('both implementations refuse another %s', async (name) => {
  const { headers, ...request } = received('https://hooks.example/svc');
  const value = headers[name] ?? '';
  const altered = { ...request, headers: { ...headers, [name]: value.replace(/\w(?=\W*$)/, (last) => (last === 'A' ? 'B' : 'A')) } };
  expect(() => verifyByRfc9421(altered, 'svc', jwks)).toThrow('the signature is wrong');
  await expect(verifyByLibrary(altered)).rejects.toThrow('Signature verification failed');
});

test('a delivery has exactly the headers of the specification', () => {
  const headers = signDelivery({ ...delivery, url: 'https://hooks.example/svc', key });
  expect(headers).toEqual({
    'Content-Type': 'application/json',
    'Content-Digest': expect.stringMatching(/^sha-256=:[A-Za-z0-9+/]{43}=:$/),
    'X-SVC-Event-ID': delivery.eventId,
    'X-SVC-Event-Timestamp': delivery.eventTimestamp,
    'Signature-Input': `svc=("@method" "@target-uri" "content-digest" "x-svc-event-id" "x-svc-event-timestamp");created=1763712345;keyid="${key.kid}";alg="ed25519"`,
    Signature: expect.stringMatching(/^svc=:[A-Za-z0-9+/]{86}==:$/),
    'User-Agent': 'Svc-Webhook/1.0',
  });
});

test('each attempt has its own moment and key in its signature', () => {
  const other = { kid: 'another', privateKey: generateKeyPairSync('ed25519').privateKey };
  const url = 'https://hooks.example/svc';
  const inputs = [
    signDelivery({ ...delivery, url, key }),
    signDelivery({ ...delivery, url, key, created: delivery.created + 1 }),
    signDelivery({ ...delivery, url, key: other, created: delivery.created + 1 }),
    signDelivery({ ...delivery, url, key }),
  ].map((headers) => /created=(\d+);keyid="(.*?)"/.exec(headers['Signature-Input'])?.slice(1));
  const next = String(delivery.created + 1);
  expect(inputs).toEqual([
    ['1763712345', key.kid],
    [next, key.kid],
    [next, 'another'],
    ['1763712345', key.kid],
  ]);
});

test('what verifies in these tests verifies the example of RFC 9421, B.2.6', () => {
  const request = {
    method: 'POST',
    targetUri: 'https://example.com/foo?param=Value&Pet=dog',
    headers: {
      date: 'Tue, 20 Apr 2021 02:07:55 GMT',
      'content-type': 'application/json',
      'content-length': '18',
      'signature-input':
        'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
      signature: 'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
    },
    body: Buffer.from('{"hello": "world"}'),
  };
  const example = { kty: 'OKP', crv: 'Ed25519', kid: 'test-key-ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' };
  expect(verifyByRfc9421(request, 'sig-b26', [example]).get('created')).toBe(1_618_884_473);
  expect(() => verifyByRfc9421({ ...request, method: 'PUT' }, 'sig-b26', [example])).toThrow('the signature is wrong');
});

function received(url: string): SignedRequest {
  const headers = signDelivery({ ...delivery, url, key });
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { method: 'POST', targetUri: url, headers: Object.fromEntries(lowerCase) as Record<string, string>, body: delivery.body };
}

async function verifyByLibrary({ method, targetUri, headers }: SignedRequest) {
  const jwk = { ...createPublicKey(privateKey).export({ format: 'jwk' }) };
  const verifier = webcrypto.verifier(await crypto.subtle.importKey('jwk', jwk, 'Ed25519', true, ['verify']));
  const fields = Object.entries(headers).map(([name, value]) => ({ name, value }));
  const requiredComponents = ['@method', '@target-uri', 'content-digest', 'x-svc-event-id', 'x-svc-event-timestamp'];
  const policy = { algorithms: ['ed25519'], requiredComponents, requiredParameters: ['created', 'keyid', 'alg'], now: delivery.created };
  return verifySignature({ kind: 'request', method, targetUri, fields }, { label: 'svc', policy, resolveVerifier: () => verifier });
}
