/** DER tags (X.690) of revocation lists and packages, which are written by hand. */
export const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  enumerated: 0x0a,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
  implicit0: 0x80,
  explicit0: 0xa0,
} as const;

/** One element with these contents. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const length = contents.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(length)]), ...contents]);
}

/** A number that is not negative, in as few bytes as it takes. */
export function derInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return der(tags.integer, ...((bytes[0] ?? 0) >= 0x80 ? [Buffer.from([0])] : []), bytes);
}

/** A time in whole seconds (RFC 5280, 5.1.2.4): UTCTime until 2049, GeneralizedTime from 2050 on. */
export function derTime(time: Date): Buffer {
  const digits = time.toISOString().replaceAll(/[-:T]|\..*/g, '');
  return time.getUTCFullYear() < 2050
    ? der(tags.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : der(tags.generalizedTime, Buffer.from(`${digits}Z`));
}

/** An object identifier, from its dotted form. */
export function derOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(tags.objectIdentifier, Buffer.from([40 * first + second, ...rest.flatMap(base128)]));
}

function base128(arc: number): number[] {
  const digits = [arc % 0x80];
  for (let left = Math.floor(arc / 0x80); left > 0; left = Math.floor(left / 0x80)) digits.unshift(0x80 + (left % 0x80));
  return digits;
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 0x100)) bytes.unshift(rest % 0x100);
  return [0x80 + bytes.length, ...bytes];
}
