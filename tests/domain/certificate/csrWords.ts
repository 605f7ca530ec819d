import type { CsrRefusal } from '../../../server/domain/certificate/csr/csrRefusals.ts';

/** The words of each refusal as the page shows them to the client of these tests, with {} for what they repeat from the request. */
export const csrWords: Record<CsrRefusal, string> = {
  tooLarge: 'The certificate request is larger than 16 KiB. Upload only the request itself, without anything else.',
  notPem:
    'This is not a certificate request in PEM text. It must start with -----BEGIN CERTIFICATE REQUEST----- and end with -----END CERTIFICATE REQUEST-----. To convert a DER file: openssl req -inform DER -in request.der -out request.csr',
  privateKey:
    'The upload contains a private key. It was not kept, but a private key must never leave your server: discard it, create a new key, and upload only the new certificate request.',
  severalBlocks: 'The upload contains more than one PEM block. It must be exactly one certificate request.',
  wrongLabel: 'The PEM block is a {}. It must be a CERTIFICATE REQUEST.',
  pemHeaders: 'The PEM block has header lines before its content. Create the request again without encryption headers or comments.',
  badBase64: 'The content of the PEM block is not valid base64. The file may have been cut short or altered; upload it again.',
  trailingData: 'The content is not exactly one certificate request: it was cut short, or something follows it. Create the request again.',
  unreadable: 'The content is not a PKCS#10 certificate request. Create the request again, for example with openssl req -new.',
  notCanonical: 'The certificate request is not encoded in DER. Create it again with a current tool, for example openssl req -new.',
  unsupportedVersion: 'The certificate request has an unknown version. It must be PKCS#10 version 1 (encoded as 0).',
  subjectNotSingleCommonName:
    'The subject of the certificate request must be one common name and nothing else. With openssl: -subj "/CN=svc:sandbox:cli_0123456789abcdefghjkmnpqrs"',
  commonNameEncoding: 'The common name is encoded as {}. It must be a UTF8String or a PrintableString, which openssl uses by default.',
  commonNameCharacters:
    'The common name contains bytes that are not plain text. It must be exactly svc:sandbox:cli_0123456789abcdefghjkmnpqrs. Copy it from above.',
  commonNameMismatch:
    'The certificate request names CN={}. It must be exactly svc:sandbox:cli_0123456789abcdefghjkmnpqrs. Copy it from above.',
  unsupportedKeyType:
    'The key is of an unsupported type ({}). Use EC P-256, EC P-384 or RSA with 3072 to 8192 bits. With openssl: -newkey ec -pkeyopt ec_paramgen_curve:P-256',
  unsupportedCurve:
    'The EC key is not on a supported curve, or does not name its curve. Use EC P-256 (prime256v1) or EC P-384 (secp384r1) as a named curve. With openssl: -newkey ec -pkeyopt ec_paramgen_curve:P-256',
  compressedPoint:
    'The EC public key is in compressed form. Create the request with the uncompressed form, which is the default of openssl.',
  invalidKey: 'The public key in the certificate request is not valid. Create a new key and a new request.',
  rsaKeySize: 'The RSA key has {} bits. It must have 3072 to 8192 bits. With openssl: -newkey rsa:3072',
  rsaExponent: 'The public exponent of the RSA key is not an odd number of at least 65537. Create a new key with the default exponent.',
  rsaSmallFactor:
    'The modulus of the RSA key is divisible by {}, so it is not the product of two large primes, and anybody can calculate its private key. Create a new key with a current tool, for example openssl, and a new request.',
  rsaRoca:
    'The RSA key looks like those of faulty security chips (ROCA, CVE-2017-15361), whose private keys can be calculated from their public keys. Create a new key in software, for example with openssl, and a new request.',
  rsaClosePrimes:
    'The two primes of the RSA key are so close to each other that anybody can calculate its private key. Create a new key with a current tool, for example openssl, and a new request.',
  rsaPrime:
    'The modulus of the RSA key is itself a prime, not the product of two, so anybody can calculate its private key. Create a new key with a current tool, for example openssl, and a new request.',
  signaturePadding:
    'The certificate request is signed with RSASSA-PSS. It must be sha256WithRSAEncryption for an RSA key. With openssl, leave out ' +
    '-sigopt rsa_padding_mode:pss.',
  signatureOfOtherKey:
    'The certificate request says that it is signed with {}, which its own key cannot do: an RSA key signs with sha256WithRSAEncryption, an EC key with ecdsa-with-SHA256. Create the request again, for example with openssl req -new.',
  signatureParameters:
    'The signature algorithm of the certificate request, {}, has parameters that do not belong there (RFC 4055 and RFC 5758: none with ECDSA, NULL or none with RSA). Create the request again with a current tool, for example openssl req -new.',
  signatureAlgorithm:
    'The certificate request is signed with {}. It must be sha256WithRSAEncryption for an RSA key or ecdsa-with-SHA256 for an EC key. With openssl, add -sha256 (also for a P-384 key).',
  invalidSignature:
    'The signature of the certificate request does not match its key and content. The file may have been altered; create the request again.',
  keyUsedBefore:
    'A certificate has already been requested for this key. A key is used for one certificate only, here or anywhere else, and never again after it was replaced or revoked. Create a new key and a new request.',
};
