import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { CsrRefused } from './csrRefusals.ts';
import { isPrime, rsaWeakness } from './rsaWeakness.ts';

/** The kinds of key that a client certificate may have, as the portal shows them. */
export type CsrKeyType = 'EC P-256' | 'EC P-384' | `RSA-${number}`;

const oid = {
  rsaEncryption: '1.2.840.113549.1.1.1',
  ecPublicKey: '1.2.840.10045.2.1',
  rsaPss: '1.2.840.113549.1.1.10',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;
const derNull = '0500';
/** Named-curve parameters in DER, with the length of an uncompressed point. */
const curves: Record<string, { keyType: CsrKeyType; pointBytes: number } | undefined> = {
  '06082a8648ce3d030107': { keyType: 'EC P-256', pointBytes: 65 },
  '06052b81040022': { keyType: 'EC P-384', pointBytes: 97 },
};
/** Names for what people really send. Any other algorithm is shown by its object identifier. */
const algorithmNames: Record<string, string | undefined> = {
  '1.2.840.113549.1.1.4': 'md5WithRSAEncryption',
  '1.2.840.113549.1.1.5': 'sha1WithRSAEncryption',
  [oid.rsaPss]: 'RSASSA-PSS',
  [oid.sha256WithRsa]: 'sha256WithRSAEncryption',
  '1.2.840.113549.1.1.12': 'sha384WithRSAEncryption',
  '1.2.840.113549.1.1.13': 'sha512WithRSAEncryption',
  '1.2.840.10045.4.1': 'ecdsa-with-SHA1',
  [oid.ecdsaWithSha256]: 'ecdsa-with-SHA256',
  '1.2.840.10045.4.3.3': 'ecdsa-with-SHA384',
  '1.2.840.10045.4.3.4': 'ecdsa-with-SHA512',
  '1.2.840.10040.4.1': 'DSA',
  '1.3.101.112': 'Ed25519',
  '1.3.101.113': 'Ed448',
};

/** The public key of a request, once it is certain that it may be certified (docs/specification.md, “Certificate requests”). Throws CsrRefused. */
export function checkKey(algorithm: AlgorithmIdentifier, keyBits: Buffer, publicKeyDer: Buffer) {
  if (algorithm.algorithm === oid.ecPublicKey) {
    const keyType = checkCurve(parametersOf(algorithm), keyBits);
    return { key: importKey(publicKeyDer), keyType };
  }
  if (algorithm.algorithm !== oid.rsaEncryption) throw new CsrRefused('unsupportedKeyType', nameOf(algorithm));
  if (parametersOf(algorithm) !== derNull) throw new CsrRefused('invalidKey');
  const key = importKey(publicKeyDer);
  return { key, keyType: checkRsaKey(key) };
}

/** Named curves only, because explicit parameters can describe a curve on which anyone can sign. */
function checkCurve(parameters: string, point: Buffer): CsrKeyType {
  const curve = curves[parameters];
  if (!curve) throw new CsrRefused('unsupportedCurve');
  if (point[0] === 2 || point[0] === 3) throw new CsrRefused('compressedPoint');
  if (point[0] !== 4 || point.length !== curve.pointBytes) throw new CsrRefused('invalidKey');
  return curve.keyType;
}

function checkRsaKey(key: KeyObject): CsrKeyType {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < 3072 || modulusLength > 8192) throw new CsrRefused('rsaKeySize', String(modulusLength));
  if (publicExponent < 65537n || publicExponent % 2n === 0n) throw new CsrRefused('rsaExponent');
  const weakness = rsaWeakness(modulusOf(key));
  if (weakness) throw new CsrRefused(weakness.reason, weakness.detail);
  return `RSA-${modulusLength}`;
}

/** What takes too long for a request that nobody has signed: whether the modulus of an RSA key is a prime. Rejects with CsrRefused. */
export async function refusePrimeModulus(key: KeyObject): Promise<void> {
  if (key.asymmetricKeyType === 'rsa' && (await isPrime(modulusOf(key)))) throw new CsrRefused('rsaPrime');
}

function modulusOf(key: KeyObject): bigint {
  return BigInt(`0x${Buffer.from(key.export({ format: 'jwk' }).n ?? '', 'base64url').toString('hex')}`);
}

/** OpenSSL refuses points off the curve. A key that it writes back differently was not in DER. */
function importKey(publicKeyDer: Buffer): KeyObject {
  try {
    const key = createPublicKey({ key: publicKeyDer, format: 'der', type: 'spki' });
    if (key.export({ format: 'der', type: 'spki' }).equals(publicKeyDer)) return key;
  } catch {
    // Refused below, in our words.
  }
  throw new CsrRefused('invalidKey');
}

/** RFC 4055 and RFC 5758: NULL or no parameters for RSA, none for ECDSA. Throws CsrRefused. */
export function checkSignatureAlgorithm(algorithm: AlgorithmIdentifier, key: KeyObject): void {
  const isRsa = key.asymmetricKeyType === 'rsa';
  const [fitting, foreign] = isRsa ? [oid.sha256WithRsa, oid.ecdsaWithSha256] : [oid.ecdsaWithSha256, oid.sha256WithRsa];
  if (algorithm.algorithm === foreign) throw new CsrRefused('signatureOfOtherKey', nameOf(algorithm));
  if (isRsa && algorithm.algorithm === oid.rsaPss) throw new CsrRefused('signaturePadding');
  if (algorithm.algorithm !== fitting) throw new CsrRefused('signatureAlgorithm', nameOf(algorithm));
  const parameters = parametersOf(algorithm);
  if (parameters === '' || (isRsa && parameters === derNull)) return;
  throw new CsrRefused('signatureParameters', nameOf(algorithm));
}

/** The parameters' DER in hex, or the empty text if they are absent. The library reads an ASN.1 NULL as null. */
function parametersOf({ parameters }: AlgorithmIdentifier): string {
  if (parameters === null) return derNull;
  return parameters ? Buffer.from(parameters).toString('hex') : '';
}

function nameOf({ algorithm }: AlgorithmIdentifier): string {
  return algorithmNames[algorithm] ?? algorithm;
}
