/** One DER element: its tag byte, its contents, and all its bytes. */
export type DerElement = { tag: number; contents: Buffer; bytes: Buffer };

/**
 * The elements that follow one another in `der` (X.690: definite, shortest lengths; single-byte tags). Throws RangeError on anything else.
 * It exists because a parser that decodes strings cannot show the bytes that were sent.
 */
export function derElements(der: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let rest = der; rest.length > 0;) {
    const element = firstElement(rest);
    elements.push(element);
    rest = rest.subarray(element.bytes.length);
  }
  return elements;
}

function firstElement(der: Buffer): DerElement {
  const tag = der[0] ?? 0;
  const first = der[1];
  if (first === undefined || (tag & 0x1f) === 0x1f) throw new RangeError('not a DER element');
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  if (first === 0x80 || lengthBytes > 3 || der.length < 2 + lengthBytes) throw new RangeError('not a DER length');
  const length = lengthBytes === 0 ? first : der.readUIntBE(2, lengthBytes);
  const shortest = length < 0x80 ? 0 : Math.ceil(Math.log2(length + 1) / 8);
  const end = 2 + lengthBytes + length;
  if (lengthBytes !== shortest || end > der.length) throw new RangeError('not a DER length');
  return { tag, contents: der.subarray(2 + lengthBytes, end), bytes: der.subarray(0, end) };
}
