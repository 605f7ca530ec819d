export type DerElement = { tag: number; contents: Buffer; bytes: Buffer };

/**
 * The elements that follow one another in `der` (X.690: definite, shortest lengths; single-byte tags). Throws RangeError on anything else.
 * It exists because a parser that decodes strings cannot show the bytes that were sent.
 */
export function derElements(der: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < der.length;) {
    const element = elementAt(der, at);
    elements.push(element);
    at += element.bytes.length;
  }
  return elements;
}

/** The elements in one that must have this tag. Throws RangeError if it is missing or has another one. */
export function elementsIn(element: DerElement | undefined, tag: number): DerElement[] {
  if (element?.tag !== tag) throw new RangeError('not the element that belongs here');
  return derElements(element.contents);
}

function elementAt(der: Buffer, at: number): DerElement {
  const tag = der[at] ?? 0;
  const first = der[at + 1];
  if (first === undefined || (tag & 0x1f) === 0x1f) throw new RangeError('not a DER element');
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + lengthBytes;
  if (first === 0x80 || lengthBytes > 3 || der.length < start) throw new RangeError('not a DER length');
  const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
  const shortest = length < 0x80 ? 0 : length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
  const end = start + length;
  if (lengthBytes !== shortest || end > der.length) throw new RangeError('not a DER length');
  return { tag, contents: der.subarray(start, end), bytes: der.subarray(at, end) };
}
