import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { parseCrl } from '../../../../server/domain/certificate/crl/publication/parseCrl.ts';
import { signCrl } from '../../../../server/domain/certificate/crl/publication/signCrl.ts';
import { derElements } from '../../../../server/domain/shared/der/derElements.ts';
import { der, tags } from '../../../../server/domain/shared/der/derWriting.ts';
import { DomainError } from '../../../../server/domain/shared/DomainError.ts';
import { firstList, makeAuthorities } from '../authorityFactory.ts';

const now = new Date(Math.floor(Date.now() / 1000) * 1000);
const key = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey;

let list: Buffer;
let sign: (count: number) => Promise<Buffer>;
beforeAll(async () => {
  const { rootSigner } = await makeAuthorities(now);
  const revokedOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      serial: `41${index.toString(16).padStart(30, '0')}`,
      revokedAt: now,
      reason: index % 2 === 0 ? ('superseded' as const) : ('unspecified' as const),
    }));
  sign = async (count) =>
    (
      await signCrl(
        rootSigner,
        { number: 3n, thisUpdate: now, nextUpdate: new Date(Date.UTC(2051, 0, 1)), revoked: revokedOf(count) },
        firstList,
      )
    ).der;
  list = await sign(2);
});

/** What becomes of a list on the way to its import: null if it can be read, or the refusal in words. Anything else is thrown. */
function outcome(file: Buffer): string | null {
  try {
    const read = parseCrl(file);
    const { thisUpdate, nextUpdate, serials } = read;
    expect([read.isSignedBy(key), serials.every((serial) => serial >= 0n)]).toEqual([false, true]);
    expect(thisUpdate.toISOString() + nextUpdate.toISOString()).not.toContain('Invalid');
    return null;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_request') throw error;
    return error.message;
  }
}

test('a list of 20,000 entries is read whole, each serial with its number, and both kinds of time', async () => {
  const { serials, number, thisUpdate, nextUpdate } = parseCrl(await sign(20_000));
  expect([serials.length, serials[1], number]).toEqual([20_000, BigInt(`0x41${'1'.padStart(30, '0')}`), 3n]);
  expect([thisUpdate, nextUpdate]).toEqual([now, new Date(Date.UTC(2051, 0, 1))]);
});

test('a list that was cut off anywhere is refused in words', () => {
  const pem = `-----BEGIN X509 CRL-----\n${list.toString('base64')}\n-----END X509 CRL-----`;
  for (const whole of [list, Buffer.from(pem)]) {
    for (let length = 0; length < whole.length; length += 1) expect(outcome(whole.subarray(0, length))).not.toBeNull();
    expect(outcome(whole)).toBeNull();
  }
});

test('a list with any bit turned over is read or refused in words, and nothing else', () => {
  const outcomes = new Map<string | null, number>();
  for (let bit = 0; bit < list.length * 8; bit += 1) {
    const file = Buffer.from(list);
    file[bit >> 3] = (file[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const words = outcome(file);
    outcomes.set(words, (outcomes.get(words) ?? 0) + 1);
  }
  expect(outcomes.size).toBeGreaterThan(4);
});

const elements = () => derElements(derElements(derElements(list)[0]?.contents ?? Buffer.alloc(0))[0]?.contents ?? Buffer.alloc(0));
const withParts = (change: (parts: Buffer[]) => Buffer[]): Buffer => {
  const [, algorithm, signature] = derElements(derElements(list)[0]?.contents ?? Buffer.alloc(0));
  const body = der(tags.sequence, ...change(elements().map(({ bytes }) => bytes)));
  return der(tags.sequence, body, algorithm?.bytes ?? Buffer.alloc(0), signature?.bytes ?? Buffer.alloc(0));
};
const time = (text: string, tag: number = tags.generalizedTime) => der(tag, Buffer.from(text));
test.each([
  ['no moment of the calendar', (parts: Buffer[]) => parts.with(3, time('20260230000000Z'))],
  ['a time with a fraction', (parts: Buffer[]) => parts.with(3, time('20260101000000.5Z'))],
  ['a time with an offset', (parts: Buffer[]) => parts.with(4, time('260101000000+0100', tags.utcTime))],
  ['a year that no clock shows', (parts: Buffer[]) => parts.with(3, time('00000101000000Z'))],
  [
    'an empty serial',
    (parts: Buffer[]) => parts.with(5, der(tags.sequence, der(tags.sequence, der(tags.integer), time('20260101000000Z')))),
  ],
  ['a negative serial', (parts: Buffer[]) => parts.with(5, der(tags.sequence, der(tags.sequence, der(tags.integer, Buffer.from([0x80])))))],
  ['something behind its extensions', (parts: Buffer[]) => [...parts, der(tags.sequence)]],
  ['an empty entry', (parts: Buffer[]) => parts.with(5, der(tags.sequence, der(tags.sequence)))],
  ['no issuer', (parts: Buffer[]) => parts.toSpliced(2, 1)],
])('a list with %s is refused as damaged', (_what, change) => {
  expect(outcome(withParts((parts) => parts))).toBeNull();
  expect(outcome(withParts(change))).toBe('The file is no revocation list, or is damaged.');
});

test('a key of another kind than the signature has made no signature, and no error', () => {
  const keys = [generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey, generateKeyPairSync('ed25519').publicKey, key];
  expect(keys.map((each) => parseCrl(list).isSignedBy(each))).toEqual([false, false, false]);
});
