import { derElements } from '../../domain/shared/der/derElements.ts';
import { tags } from '../../domain/shared/der/derWriting.ts';

/** Object identifiers of keys (RFC 8017, A.1; RFC 5480, 2.1.1; RFC 8410, 3), in hexadecimal. */
const keyType = {
  rsa: '2a864886f70d010101',
  rsaPss: '2a864886f70d01010a',
  ellipticCurve: '2a8648ce3d0201',
  ed25519: '2b6570',
  ed448: '2b6571',
} as const;

/** 64 bits and the sign. OpenSSL allows no more for keys of over 3,072 bits, and anything for shorter ones. */
const longestExponent = 9;

/**
 * Whether the key of this certificate (X.509, in DER) takes as long to read and to verify with as keys usually do: RSA with a short exponent, a curve
 * that has a name, or an Edwards curve. The certificate is not verified. Throws RangeError if it is not in DER.
 */
export function hasUsualKey(certificateDer: Buffer): boolean {
  const [signed] = derElements(only(derElements(certificateDer)).contents);
  const fields = derElements(part(signed).contents);
  // RFC 5280, 4.1: the version, which may be missing, the serial number, the signature’s algorithm, issuer, validity, subject and key.
  const key = fields[fields[0]?.tag === tags.explicit0 ? 6 : 5];
  const [algorithm, bits] = derElements(part(key).contents);
  const [identifier, parameters] = derElements(part(algorithm).contents);
  switch (part(identifier).contents.toString('hex')) {
    case keyType.rsa:
    case keyType.rsaPss: {
      const [, exponent] = derElements(only(derElements(part(bits).contents.subarray(1))).contents);
      return part(exponent).contents.length <= longestExponent;
    }
    case keyType.ellipticCurve:
      return parameters?.tag === tags.objectIdentifier;
    case keyType.ed25519:
    case keyType.ed448:
      return true;
    default:
      return false;
  }
}

function only<Element>(elements: readonly Element[]): Element {
  if (elements.length !== 1) throw new RangeError('not one element');
  return part(elements[0]);
}

function part<Element>(element: Element | undefined): Element {
  if (element === undefined) throw new RangeError('an element is missing');
  return element;
}
