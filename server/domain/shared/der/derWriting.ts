/** DER tags (X.690) of revocation lists, which are written by hand: libraries take seconds for twenty thousand entries. */
export const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  enumerated: 0x0a,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  explicit0: 0xa0,
} as const;

/** One element with these contents. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const length = contents.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const head = [tag, ...lengthOf(length)];
  const element = Buffer.allocUnsafe(head.length + length);
  element.set(head);
  let at = head.length;
  for (const part of contents) {
    element.set(part, at);
    at += part.byteLength;
  }
  return element;
}

/** A number that is not negative, in as few bytes as it takes. */
export function derInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return der(tags.integer, ...((bytes[0] ?? 0) >= 0x80 ? [Buffer.from([0])] : []), bytes);
}

/** A time in whole seconds (RFC 5280, 5.1.2.4): UTCTime until 2049, GeneralizedTime from 2050 on. */
export function derTime(time: Date): Buffer {
  const iso = time.toISOString();
  const digits = iso.slice(0, 4) + iso.slice(5, 7) + iso.slice(8, 10) + iso.slice(11, 13) + iso.slice(14, 16) + iso.slice(17, 19);
  return time.getUTCFullYear() < 2050
    ? der(tags.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : der(tags.generalizedTime, Buffer.from(`${digits}Z`));
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 0x100)) bytes.unshift(rest % 0x100);
  return [0x80 + bytes.length, ...bytes];
}
