import { hkdfSync, randomBytes, webcrypto } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createCursorCodec } from '../../../server/domain/feed/cursor.ts';

const codec = createCursorCodec(randomBytes(32));
const position = { clientNumber: 7, epoch: 3, position: 123_456_789_012 };

test('a cursor comes back as the position that it was made of, for its client only', () => {
  expect(codec.decode(codec.encode(position), 7)).toEqual(position);
  expect(codec.decode(codec.encode(position), 8)).toBeNull();
});

test('equal positions have equal cursors, and a cursor tells nothing of its position', () => {
  expect(codec.encode(position)).toBe(codec.encode({ ...position }));
  const next = codec.encode({ ...position, position: position.position + 1 });
  expect(next.slice(0, 8)).not.toBe(codec.encode(position).slice(0, 8));
});

test('a cursor with any one bit changed, or of another key, is refused', () => {
  const bytes = Buffer.from(codec.encode(position), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const altered = Buffer.from(bytes);
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(codec.decode(altered.toString('base64url'), 7)).toBeNull();
  }
  expect(createCursorCodec(randomBytes(32)).decode(codec.encode(position), 7)).toBeNull();
});

test('text that no cursor looks like is refused without an error', () => {
  for (const text of ['', 'x', 'a'.repeat(43), 'a'.repeat(45), '='.repeat(44), `${codec.encode(position)}=`, ` ${codec.encode(position)}`])
    expect(codec.decode(text, 7)).toBeNull();
});

test('a cursor that a client has kept stays valid: its bytes are the same in every version of the service', () => {
  const lasting = createCursorCodec(Buffer.from(Array.from({ length: 32 }, (_, index) => index)));
  for (const [clientNumber, epoch, reached, cursor] of [
    [1, 0, 0, '5MIylwQ5_xIe_Nzzsg8bXW04QYPIpLeT72SZOMvH7HcV'],
    [7, 3, 123_456_789_012, '6TIiM3s8Mylw6YObSVrFvj0gQzIuvKYYJ3EQaTH5G3xN'],
    [2 ** 31 - 1, 1_000_000, Number.MAX_SAFE_INTEGER, 'HQOjw9jQviTy9A_kq9fuh8DB_oqYY3m0puUUaMc_cJqd'],
  ] as const) {
    expect(lasting.encode({ clientNumber, epoch, position: reached })).toBe(cursor);
    expect(lasting.decode(cursor, clientNumber)).toEqual({ clientNumber, epoch, position: reached });
  }
});

test('a cursor is made of the standard functions alone: HKDF, HMAC-SHA256 as the nonce, and AES-256-CTR', async () => {
  const { subtle } = webcrypto;
  const key = randomBytes(32);
  const derive = (use: string) => hkdfSync('sha256', key, Buffer.alloc(0), use, 32);
  const macKey = await subtle.importKey('raw', derive('cursor nonce'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const cipherKey = await subtle.importKey('raw', derive('cursor encryption'), 'AES-CTR', false, ['encrypt']);
  const plaintext = Buffer.from('01_00000007_00000003_0000001cbe991a14'.replaceAll('_', ''), 'hex');
  const nonce = Buffer.from(await subtle.sign('HMAC', macKey, plaintext)).subarray(0, 16);
  const ciphertext = await subtle.encrypt({ name: 'AES-CTR', counter: nonce, length: 128 }, cipherKey, plaintext);
  expect(createCursorCodec(key).encode(position)).toBe(Buffer.concat([nonce, Buffer.from(ciphertext)]).toString('base64url'));
});
