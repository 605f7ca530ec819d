import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createCursorCodec } from '../../../server/domain/feed/cursor.ts';

const codec = createCursorCodec(randomBytes(32));
const position = { clientNo: 7, epoch: 3, position: 123_456_789_012 };

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
