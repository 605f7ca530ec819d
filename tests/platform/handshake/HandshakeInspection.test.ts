import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { certificate, hostileChain } from '../../../bench/hostile/hostileChain.ts';
import { HandshakeInspection } from '../../../server/platform/handshake/HandshakeInspection.ts';
import { hasUsualKey } from '../../../server/platform/handshake/hasUsualKey.ts';

const KiB = 1_024;
const type = { changeCipherSpec: 20, alert: 21, handshake: 22, applicationData: 23 } as const;

function record(recordType: number, body: Buffer): Buffer {
  const header = Buffer.from([recordType, 3, 3, 0, 0]);
  header.writeUInt16BE(body.length, 3);
  return Buffer.concat([header, body]);
}

function sized(bytes: Buffer): Buffer {
  const size = Buffer.alloc(3);
  size.writeUIntBE(bytes.length, 0, 3);
  return Buffer.concat([size, bytes]);
}

const message = (messageType: number, body: Buffer) => Buffer.concat([Buffer.from([messageType]), sized(body)]);
const certificateMessage = (...ders: Buffer[]) => message(11, sized(Buffer.concat(ders.map(sized))));
const hello = message(1, Buffer.alloc(200));
const changed = record(type.changeCipherSpec, Buffer.from([1]));

const dersOf = (certPem: string) =>
  (certPem.match(/-----BEGIN[^]*?END CERTIFICATE-----/g) ?? []).map((pem) => Buffer.from(pem.split('\n').slice(1, -1).join(''), 'base64'));
const [usual] = dersOf(hostileChain(0).certPem) as [Buffer];
const [, dear] = dersOf(hostileChain(1).certPem) as [Buffer, Buffer];

/** The first refusal of what a client sends, and how many records came before it. */
function verdict(records: readonly Buffer[], most = 8 * KiB) {
  const inspection = new HandshakeInspection('client', most);
  for (const [place, each] of records.entries()) {
    const refusal = inspection.refusal(each);
    if (refusal !== undefined) return `${refusal} at ${place}`;
  }
  return 'passes';
}

test.each([
  {
    words: 'a usual certificate',
    records: [record(type.handshake, hello), record(type.handshake, certificateMessage(usual))],
    is: 'passes',
  },
  { words: 'a dear one behind it', records: [record(type.handshake, certificateMessage(usual, dear))], is: 'unusual_key at 0' },
  {
    words: 'in the record of the greeting',
    records: [record(type.handshake, Buffer.concat([hello, certificateMessage(dear)]))],
    is: 'unusual_key at 0',
  },
  {
    words: 'byte by byte',
    records: [...certificateMessage(dear)].slice(0, 1_000).map((byte) => record(type.handshake, Buffer.from([byte]))),
    is: 'passes',
  },
  {
    words: 'in two parts',
    records: [certificateMessage(dear).subarray(0, 700), certificateMessage(dear).subarray(700)].map((part) =>
      record(type.handshake, part),
    ),
    is: 'unusual_key at 1',
  },
  {
    words: 'after an early change of ciphers',
    records: [changed, record(type.handshake, certificateMessage(dear))],
    is: 'unusual_key at 1',
  },
  {
    words: 'in parts, the first one as short as an encrypted end',
    records: [changed, ...[0, 96].map((at) => record(type.handshake, certificateMessage(dear).subarray(at, at === 0 ? 96 : undefined)))],
    is: 'unreadable at 2',
  },
  {
    words: 'in parts, with a change of ciphers between them',
    records: [record(type.handshake, certificateMessage(dear).subarray(0, 700)), changed],
    is: 'unreadable at 1',
  },
  { words: 'compressed', records: [record(type.handshake, message(25, Buffer.alloc(100)))], is: 'unreadable at 0' },
  { words: 'encrypted before there is a key', records: [record(type.applicationData, Buffer.alloc(100))], is: 'unreadable at 0' },
  {
    words: 'in a list that is longer than its message',
    records: [record(type.handshake, message(11, Buffer.from('0005dc00', 'hex')))],
    is: 'unreadable at 0',
  },
  { words: 'of no type', records: [record(24, Buffer.alloc(10))], is: 'unreadable at 0' },
  { words: 'alerts', records: Array.from({ length: 1_200 }, () => record(type.alert, Buffer.from([1, 90]))), is: 'too_large at 1170' },
])('$words', ({ records, is }) => {
  expect(verdict(records)).toBe(is);
});

test('records that do not fit the key of the log are not passed on', () => {
  const inspection = new HandshakeInspection('client', 8 * KiB);
  inspection.learn(Buffer.from(`CLIENT_HANDSHAKE_TRAFFIC_SECRET ${'00'.repeat(32)} ${'11'.repeat(32)}\n`));
  expect(inspection.refusal(record(type.applicationData, Buffer.alloc(100)))).toBe('unreadable');
});

test.each([
  { words: 'P-521', key: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }), usualKey: true },
  { words: 'RSA', key: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }), usualKey: true },
  { words: 'RSA-PSS', key: () => generateKeyPairSync('rsa-pss', { modulusLength: 2_048 }), usualKey: true },
  { words: 'Ed25519', key: () => generateKeyPairSync('ed25519'), usualKey: true },
  { words: 'Ed448', key: () => generateKeyPairSync('ed448'), usualKey: true },
  { words: 'DSA', key: () => generateKeyPairSync('dsa', { modulusLength: 1_024, divisorLength: 160 }), usualKey: false },
  {
    words: 'a named curve in full',
    key: () => generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' }),
    usualKey: false,
  },
])('$words', ({ key, usualKey }) => {
  expect(hasUsualKey(certificate('one', 'another', key().publicKey.export({ type: 'spki', format: 'der' })))).toBe(usualKey);
});
