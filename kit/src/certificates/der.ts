/** One element of DER: its tag and its content. */
export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const hex = body.length.toString(16);
  const long = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  return Buffer.concat([body.length < 128 ? Buffer.from([tag, body.length]) : Buffer.from([tag, 0x80 | long.length, ...long]), body]);
}

export const sequence = (...content: readonly Uint8Array[]): Buffer => element(0x30, ...content);

/** The elements that stand one after the other. Throws RangeError where the bytes end within one. */
export function elementsIn(der: Buffer): { readonly tag: number; readonly content: Buffer; readonly whole: Buffer }[] {
  const found: { tag: number; content: Buffer; whole: Buffer }[] = [];
  for (let at = 0; at < der.length;) {
    const first = der.readUInt8(at + 1);
    const long = first < 128 ? 0 : first & 0x7f;
    const start = at + 2 + long;
    const end = start + (long === 0 ? first : der.readUIntBE(at + 2, long));
    if (end > der.length) throw new RangeError('The DER ends within an element.');
    found.push({ tag: der.readUInt8(at), content: der.subarray(start, end), whole: der.subarray(at, end) });
    at = end;
  }
  return found;
}
