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
  return derHexInteger(value.toString(16));
}

/** The same of a number in hexadecimal digits. */
export function derHexInteger(digits: string): Buffer {
  const hex = digits.startsWith('0') ? digits.replace(/^0+(?=.)/, '') : digits;
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return (bytes[0] ?? 0) >= 0x80 ? der(tags.integer, Buffer.from([0]), bytes) : der(tags.integer, bytes);
}

/** A time in whole seconds (RFC 5280, 5.1.2.4): UTCTime until 2049, GeneralizedTime from 2050 on. */
export function derTime(time: Date): Buffer {
  const year = time.getUTCFullYear();
  const parts = [year % 100, time.getUTCMonth() + 1, time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()];
  if (year >= 2050) parts.unshift(Math.floor(year / 100));
  const element = Buffer.allocUnsafe(parts.length * 2 + 3);
  element[0] = year < 2050 ? tags.utcTime : tags.generalizedTime;
  element[1] = parts.length * 2 + 1;
  for (const [place, part] of parts.entries()) {
    element[2 + place * 2] = 0x30 + Math.floor(part / 10);
    element[3 + place * 2] = 0x30 + (part % 10);
  }
  element[element.length - 1] = 0x5a;
  return element;
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 0x100)) bytes.unshift(rest % 0x100);
  return [0x80 + bytes.length, ...bytes];
}
