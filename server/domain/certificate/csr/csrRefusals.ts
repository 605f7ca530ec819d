import { KiB } from '../../shared/limits.ts';
import { csrAdvice, type CsrTool } from './csrTools.ts';

/** How large an upload may be, whatever surrounds the request in it. */
export const csrBytes = 16 * KiB;

/**
 * Every reason for which a certificate request is refused, with the words that the portal shows. `detail` is what the request contained,
 * already shortened and made printable. `expected` is the common name that the portal displays; `hint` says where to copy it from, if
 * the reader has it in view. `tool` is what has made the request, as far as it shows that.
 */
export const csrRefusals = {
  tooLarge: () => `The certificate request is larger than ${csrBytes / KiB} KiB. Upload only the request itself, without anything else.`,
  notPem: () =>
    'This is not a certificate request in PEM text. It must start with -----BEGIN CERTIFICATE REQUEST----- and end with ' +
    '-----END CERTIFICATE REQUEST-----. To convert a DER file: openssl req -inform DER -in request.der -out request.csr',
  privateKey: () =>
    'The upload contains a private key. It was not kept, but a private key must never leave your server: ' +
    'discard it, create a new key, and upload only the new certificate request.',
  severalBlocks: () => 'The upload contains more than one PEM block. It must be exactly one certificate request.',
  wrongLabel: ({ detail }) => `The PEM block is a ${detail}. It must be a CERTIFICATE REQUEST.`,
  pemHeaders: () => 'The PEM block has header lines before its content. Create the request again without encryption headers or comments.',
  badBase64: () => 'The content of the PEM block is not valid base64. The file may have been cut short or altered; upload it again.',
  trailingData: () =>
    'The content is not exactly one certificate request: it was cut short, or something follows it. Create the request again.',
  unreadable: () => 'The content is not a PKCS#10 certificate request. Create the request again, for example with openssl req -new.',
  notCanonical: () => 'The certificate request is not encoded in DER. Create it again with a current tool, for example openssl req -new.',
  unsupportedVersion: () => 'The certificate request has an unknown version. It must be PKCS#10 version 1 (encoded as 0).',
  subjectNotSingleCommonName: ({ expected, tool }) =>
    `The subject of the certificate request must be one common name and nothing else. ${csrAdvice[tool].subject(expected)}`,
  commonNameEncoding: ({ detail }) =>
    `The common name is encoded as ${detail}. It must be a UTF8String or a PrintableString, which openssl uses by default.`,
  commonNameCharacters: ({ expected, hint }) =>
    `The common name contains bytes that are not plain text. It must be exactly ${expected}.${hint}`,
  commonNameMismatch: ({ detail, expected, hint }) => `The certificate request names CN=${detail}. It must be exactly ${expected}.${hint}`,
  unsupportedKeyType: ({ detail, tool }) =>
    `The key is of an unsupported type (${detail}). Use EC P-256, EC P-384 or RSA with 3072 to 8192 bits. ${csrAdvice[tool].ecKey}`,
  unsupportedCurve: ({ tool }) =>
    'The EC key is not on a supported curve, or does not name its curve. Use EC P-256 (prime256v1) or EC P-384 (secp384r1) as a named curve. ' +
    csrAdvice[tool].ecKey,
  compressedPoint: () =>
    'The EC public key is in compressed form. Create the request with the uncompressed form, which is the default of openssl.',
  invalidKey: () => 'The public key in the certificate request is not valid. Create a new key and a new request.',
  rsaKeySize: ({ detail, tool }) => `The RSA key has ${detail} bits. It must have 3072 to 8192 bits. ${csrAdvice[tool].rsaKey}`,
  rsaExponent: () =>
    'The public exponent of the RSA key is not an odd number of at least 65537. Create a new key with the default exponent.',
  rsaSmallFactor: ({ detail }) =>
    `The modulus of the RSA key is divisible by ${detail}, so it is not the product of two large primes, and anybody can calculate its ` +
    'private key. Create a new key with a current tool, for example openssl, and a new request.',
  rsaRoca: () =>
    'The RSA key looks like those of faulty security chips (ROCA, CVE-2017-15361), whose private keys can be calculated from their public ' +
    'keys. Create a new key in software, for example with openssl, and a new request.',
  rsaClosePrimes: () =>
    'The two primes of the RSA key are so close to each other that anybody can calculate its private key. Create a new key with a current ' +
    'tool, for example openssl, and a new request.',
  rsaPrime: () =>
    'The modulus of the RSA key is itself a prime, not the product of two, so anybody can calculate its private key. Create a new key with a ' +
    'current tool, for example openssl, and a new request.',
  signatureAlgorithm: ({ detail, tool }) =>
    `The certificate request is signed with ${detail}. It must be sha256WithRSAEncryption for an RSA key or ecdsa-with-SHA256 for an EC key. ` +
    csrAdvice[tool].signature,
  signaturePadding: () =>
    'The certificate request is signed with RSASSA-PSS. It must be sha256WithRSAEncryption for an RSA key. With openssl, leave out ' +
    '-sigopt rsa_padding_mode:pss.',
  signatureOfOtherKey: ({ detail }) =>
    `The certificate request says that it is signed with ${detail}, which its own key cannot do: an RSA key signs with sha256WithRSAEncryption, ` +
    'an EC key with ecdsa-with-SHA256. Create the request again, for example with openssl req -new.',
  signatureParameters: ({ detail }) =>
    `The signature algorithm of the certificate request, ${detail}, has parameters that do not belong there (RFC 4055 and RFC 5758: none with ` +
    'ECDSA, NULL or none with RSA). Create the request again with a current tool, for example openssl req -new.',
  invalidSignature: () =>
    'The signature of the certificate request does not match its key and content. The file may have been altered; create the request again.',
  keyUsedBefore: () =>
    'A certificate has already been requested for this key. A key is used for one certificate only, here or anywhere else, and never again ' +
    'after it was replaced or revoked. Create a new key and a new request.',
} as const satisfies Record<string, (facts: CsrRefusalFacts) => string>;

/** What the words of a refusal may mention. */
type CsrRefusalFacts = { detail: string; expected: string; hint: string; tool: CsrTool };

/** A reason code: the key of a row of `csrRefusals`. */
export type CsrRefusal = keyof typeof csrRefusals;

/** Thrown by the steps of the check and caught by `checkCsr`. It never leaves it. */
export class CsrRefused extends Error {
  readonly reason: CsrRefusal;
  readonly detail: string;

  constructor(reason: CsrRefusal, detail = '') {
    super(reason);
    this.reason = reason;
    this.detail = detail;
  }
}
