import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** DER written by hand, so that tests can say what no correct library would write. */
export function der(tag: number, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const length: number[] = [];
  for (let rest = body.length; rest > 0; rest = Math.floor(rest / 256)) length.unshift(rest % 256);
  const header = body.length < 0x80 ? [tag, body.length] : [tag, 0x80 + length.length, ...length];
  return Buffer.concat([Buffer.from(header), body]);
}

export const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
export const set = (...parts: Buffer[]) => der(0x31, ...parts);
export const integer = (...bytes: number[]) => der(0x02, Buffer.from(bytes));
export const bits = (content: Buffer, unused = 0) => der(0x03, Buffer.from([unused]), content);
export const asn1Null = der(0x05);

/** Object identifiers in DER. */
export const oids = {
  commonName: Buffer.from('0603550403', 'hex'),
  organization: Buffer.from('060355040a', 'hex'),
  rsaEncryption: Buffer.from('06092a864886f70d010101', 'hex'),
  sha1WithRsa: Buffer.from('06092a864886f70d010105', 'hex'),
  rsaPss: Buffer.from('06092a864886f70d01010a', 'hex'),
  sha256WithRsa: Buffer.from('06092a864886f70d01010b', 'hex'),
  sha384WithRsa: Buffer.from('06092a864886f70d01010c', 'hex'),
  ecdsaWithSha256: Buffer.from('06082a8648ce3d040302', 'hex'),
  ecdsaWithSha384: Buffer.from('06082a8648ce3d040303', 'hex'),
  ecPublicKey: Buffer.from('06072a8648ce3d0201', 'hex'),
  p256: Buffer.from('06082a8648ce3d030107', 'hex'),
} as const;

export const stringTags = {
  utf8: 0x0c,
  printable: 0x13,
  teletex: 0x14,
  ia5: 0x16,
  universal: 0x1c,
  bmp: 0x1e,
} as const;

/** One attribute (type and value) of a name. */
export function attribute(value: Buffer | string, { tag = stringTags.utf8, type = oids.commonName }: { tag?: number; type?: Buffer } = {}) {
  return sequence(type, der(tag, Buffer.from(value as string)));
}

/** A name of one RDN per argument, each with one attribute. */
export const nameOf = (...attributes: Buffer[]) => sequence(...attributes.map((one) => set(one)));

const keys = new Map<string, KeyObject>();

/** An EC key on a curve by its OpenSSL name, made once per file. */
export function ecKey(namedCurve = 'prime256v1'): KeyObject {
  return remember(namedCurve, () => generateKeyPairSync('ec', { namedCurve }).privateKey);
}

export function rsaKey(modulusLength = 3072, publicExponent = 65537): KeyObject {
  return remember(`${modulusLength}/${publicExponent}`, () => generateKeyPairSync('rsa', { modulusLength, publicExponent }).privateKey);
}

function remember(name: string, make: () => KeyObject): KeyObject {
  const key = keys.get(name) ?? make();
  keys.set(name, key);
  return key;
}

export const spkiOf = (key: KeyObject) => createPublicKey(key).export({ format: 'der', type: 'spki' });

export type CsrParts = {
  key?: KeyObject;
  subject?: Buffer;
  spki?: Buffer;
  version?: Buffer;
  attributes?: Buffer;
  signatureAlgorithm?: Buffer;
  hash?: string;
  signature?: Buffer;
  /** Makes the signature in place of the key. */
  signWith?: (info: Buffer) => Buffer;
};

export const commonName = 'svc:sandbox:cli_0123456789abcdefghjkmnpqrs';

/** A request in DER, sound unless a part is replaced; the signature is over whatever the parts make. */
export function csrDer(parts: CsrParts = {}): Buffer {
  const key = parts.key ?? ecKey();
  const rsa = key.asymmetricKeyType === 'rsa';
  const info = sequence(
    parts.version ?? integer(0),
    parts.subject ?? nameOf(attribute(commonName)),
    parts.spki ?? spkiOf(key),
    parts.attributes ?? der(0xa0),
  );
  const algorithm = parts.signatureAlgorithm ?? (rsa ? sequence(oids.sha256WithRsa, asn1Null) : sequence(oids.ecdsaWithSha256));
  return sequence(info, algorithm, bits(parts.signature ?? parts.signWith?.(info) ?? sign(parts.hash ?? 'sha256', info, key)));
}

/** PEM text around any bytes. */
export function pemOf(bytes: Buffer, label = 'CERTIFICATE REQUEST'): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

export const csrPem = (parts: CsrParts = {}) => pemOf(csrDer(parts));
