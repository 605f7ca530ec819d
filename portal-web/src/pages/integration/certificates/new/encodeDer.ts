/** The tags of the elements that a certificate request consists of (X.680). */
export const tag = {
  integer: 0x02,
  bitString: 0x03,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
} as const;

type Bytes = Uint8Array<ArrayBuffer>;

/** One DER element: the tag, the length of the contents, and the contents one after the other (X.690, 8.1 and 10.1). */
export function element(tagByte: number, ...contents: readonly Uint8Array[]): Bytes {
  const length = contents.reduce((sum, { length: bytes }) => sum + bytes, 0);
  return joined(Uint8Array.of(tagByte), encodedLength(length), ...contents);
}

/** A BIT STRING of whole bytes. */
export function bitString(bytes: Uint8Array): Bytes {
  return element(tag.bitString, Uint8Array.of(0), bytes);
}

/** A non-negative INTEGER: as short as possible, with a zero byte in front where it would otherwise read as negative (X.690, 8.3). */
export function integer(bigEndian: Uint8Array): Bytes {
  const first = bigEndian.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Uint8Array.of(0) : bigEndian.subarray(first);
  return element(tag.integer, ...((digits[0] ?? 0) >= 0x80 ? [Uint8Array.of(0)] : []), digits);
}

function encodedLength(length: number): Bytes {
  if (length < 0x80) return Uint8Array.of(length);
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return Uint8Array.of(0x80 + digits.length, ...digits);
}

function joined(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
