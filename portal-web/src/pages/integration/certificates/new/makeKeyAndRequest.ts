/** A private key that was made on this page (PKCS#8) and the certificate request for it (PKCS#10), both as PEM text. */
type KeyAndRequest = { readonly keyPem: string; readonly csrPem: string };

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** The tags of the elements that a certificate request consists of (X.680). */
const tag = {
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
function element(tagByte: number, ...contents: readonly Uint8Array[]): Bytes {
  const length = contents.reduce((sum, { length: bytes }) => sum + bytes, 0);
  return joined(Uint8Array.of(tagByte), encodedLength(length), ...contents);
}

/** A BIT STRING of whole bytes. */
function bitString(bytes: Uint8Array): Bytes {
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

/** 2.5.4.3 and 1.2.840.10045.4.3.2, with their tags and lengths. */
const commonNameType = Uint8Array.of(tag.objectIdentifier, 3, 0x55, 4, 3);
const ecdsaWithSha256 = element(tag.sequence, Uint8Array.of(tag.objectIdentifier, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2));

/**
 * Makes an EC P-256 key in the browser and a certificate request for it, with this common name and nothing else (docs/specification.md,
 * “Certificate requests”). Only the request is meant to be sent. Rejects if the browser cannot make keys on this page.
 */
export async function makeKeyAndRequest(commonName: string): Promise<KeyAndRequest> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const info = requestInfo(commonName, new Uint8Array(await crypto.subtle.exportKey('spki', publicKey)));
  const signature = new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, info));
  const request = element(tag.sequence, info, ecdsaWithSha256, bitString(ecdsaSignature(signature)));
  return {
    keyPem: pem('PRIVATE KEY', new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey))),
    csrPem: pem('CERTIFICATE REQUEST', request),
  };
}

/** CertificationRequestInfo of RFC 2986: version 1 (encoded as 0), the subject, the public key, no attributes. */
function requestInfo(commonName: string, publicKey: Uint8Array) {
  const value = element(tag.utf8String, new TextEncoder().encode(commonName));
  const subject = element(tag.sequence, element(tag.set, element(tag.sequence, commonNameType, value)));
  return element(tag.sequence, integer(Uint8Array.of(0)), subject, publicKey, element(tag.context0));
}

/** WebCrypto returns r and s one after the other; X.509 wants a SEQUENCE of two INTEGERs (RFC 5480, appendix A). */
function ecdsaSignature(bytes: Uint8Array) {
  const half = bytes.length / 2;
  return element(tag.sequence, integer(bytes.subarray(0, half)), integer(bytes.subarray(half)));
}

function pem(label: string, bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
