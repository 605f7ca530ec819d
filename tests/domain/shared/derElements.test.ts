import { expect, test } from '@jest/globals';
import { derElements } from '../../../server/domain/shared/der/derElements.ts';

/** An OCTET STRING of `size` zero bytes, with its length written as `length`. */
const octets = (length: string, size: number) => Buffer.concat([Buffer.from(`04${length}`, 'hex'), Buffer.alloc(size)]);

const read = (bytes: Buffer) =>
  derElements(bytes).map(({ tag, length, contents, bytes: whole }) => ({ tag, length, contents, bytes: whole }));

test('an upload’s elements are read one after another, with the bytes that were sent', () => {
  const [first, second, third, ...more] = read(Buffer.from('0402aabb05003003020107', 'hex'));
  expect(first).toEqual({ tag: 4, length: 2, contents: Buffer.from('aabb', 'hex'), bytes: Buffer.from('0402aabb', 'hex') });
  expect(second).toEqual({ tag: 5, length: 0, contents: Buffer.alloc(0), bytes: Buffer.from('0500', 'hex') });
  expect(third).toEqual({ tag: 0x30, length: 3, contents: Buffer.from('020107', 'hex'), bytes: Buffer.from('3003020107', 'hex') });
  expect(more).toEqual([]);
  expect(derElements(Buffer.alloc(0))).toEqual([]);
});

test.each([
  ['7f', 0x7f],
  ['8180', 0x80],
  ['81ff', 0xff],
  ['820100', 0x100],
  ['82ffff', 0xffff],
  ['83010000', 0x1_0000],
])('an upload may write a length as %s, which is its shortest form', (length, size) => {
  const bytes = octets(length, size);
  expect(read(Buffer.concat([bytes, Buffer.from('0500', 'hex')]))).toEqual([
    { tag: 4, length: size, contents: Buffer.alloc(size), bytes },
    { tag: 5, length: 0, contents: Buffer.alloc(0), bytes: Buffer.from('0500', 'hex') },
  ]);
  expect(() => derElements(bytes.subarray(0, -1))).toThrow(RangeError);
});

test.each([
  ['has a length that is longer than needed', octets('817f', 0x7f)],
  ['has a length with a zero byte in front', octets('8200ff', 0xff)],
  ['has a length of three bytes that needs two', octets('8300ffff', 0xffff)],
  ['has a length of four bytes, far above what an upload may have', octets('8401000000', 0x100_0000)],
  ['has no definite length', Buffer.from('30800000', 'hex')],
  ['ends after its tag', Buffer.from('30', 'hex')],
  ['ends within its length', Buffer.from('308201', 'hex')],
  ['has within it what ends after it does', Buffer.from('30030402aabb', 'hex')],
  ['ends before its contents do', Buffer.from('300200', 'hex')],
  ['ends before its second element does', Buffer.from('05003001', 'hex')],
  ['has a tag of several bytes', Buffer.from('1f0100', 'hex')],
  ['has a constructed tag of several bytes', Buffer.from('bf0100', 'hex')],
])('an upload that %s is refused', (_, der) => {
  expect(() => derElements(der).map((element) => element.elements())).toThrow(RangeError);
});
