import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { CertificationRequest } from '@peculiar/asn1-csr';
import { AsnParser, AsnSerializer } from '@peculiar/asn1-schema';
import type { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { CsrRefused, csrRefusals } from './csrRefusals.ts';
import type { CsrRefusal } from './csrRefusals.ts';
import { derElements } from './derElements.ts';
import { readPemBlock } from './readPemBlock.ts';

/** The kinds of key that a client certificate may have, as the portal shows them. */
export type CsrKeyType = 'EC P-256' | 'EC P-384' | `RSA-${number}`;

/** A request that may be certified: its DER and its public key (SubjectPublicKeyInfo DER). */
export type AcceptedCsr = { csrDer: Buffer; publicKeyDer: Buffer; keyType: CsrKeyType };

/** The verdict on an upload: the request, or the reason why it is refused. */
export type CsrVerdict = ({ accepted: true } & AcceptedCsr) | { accepted: false; reason: CsrRefusal; message: string };

const oid = {
  commonName: Buffer.from('0603550403', 'hex'),
  rsaEncryption: '1.2.840.113549.1.1.1',
  ecPublicKey: '1.2.840.10045.2.1',
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
  '1.2.840.113549.1.1.10': 'RSASSA-PSS',
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
const tag = { sequence: 0x30, set: 0x31, utf8String: 0x0c, printableString: 0x13 } as const;
const stringTypes: Record<number, string | undefined> = {
  0x14: 'a TeletexString',
  0x16: 'an IA5String',
  0x1c: 'a UniversalString',
  0x1e: 'a BMPString',
};

/**
 * Whether an uploaded PKCS#10 request (RFC 2986, PEM) may become a client certificate for `expectedCommonName` (docs/specification.md,
 * “Certificate requests”). Never throws because of what was uploaded. Extensions in the request are ignored.
 */
export function checkCsr(pem: Buffer | string, expectedCommonName: string): CsrVerdict {
  try {
    return { accepted: true, ...acceptedRequest(pem, expectedCommonName) };
  } catch (error) {
    // What a parser cannot read is not a request, and the parser's own words mean nothing to the reader.
    const { reason, detail } = error instanceof CsrRefused ? error : new CsrRefused('unreadable');
    return { accepted: false, reason, message: csrRefusals[reason]({ detail, expected: expectedCommonName }) };
  }
}

function acceptedRequest(pem: Buffer | string, expectedCommonName: string): AcceptedCsr {
  const csrDer = readPemBlock(pem);
  const infoDer = requestInfo(csrDer);
  const commonName = readCommonName(infoDer);
  const request = parseCanonically(csrDer);
  const { version, subjectPKInfo } = request.certificationRequestInfo;
  if (version !== 0) throw new CsrRefused('unsupportedVersion');
  const publicKeyDer = Buffer.from(AsnSerializer.serialize(subjectPKInfo));
  const { key, keyType } = checkKey(subjectPKInfo.algorithm, Buffer.from(subjectPKInfo.subjectPublicKey), publicKeyDer);
  checkSignatureAlgorithm(request.signatureAlgorithm, key);
  if (!verify('sha256', infoDer, key, Buffer.from(request.signature))) throw new CsrRefused('invalidSignature');
  checkCommonName(commonName, expectedCommonName);
  return { csrDer, publicKeyDer, keyType };
}

/** The raw CertificationRequestInfo, which the signature covers, once it is certain that the outer SEQUENCE is exactly what was sent. */
function requestInfo(csrDer: Buffer): Buffer {
  const [outer, ...more] = elementsOr('trailingData', csrDer);
  if (outer?.tag !== tag.sequence) throw new CsrRefused('unreadable');
  if (more.length > 0) throw new CsrRefused('trailingData');
  const info = elementsOr('unreadable', outer.contents)[0];
  if (info?.tag !== tag.sequence) throw new CsrRefused('unreadable');
  return info.bytes;
}

function parseCanonically(csrDer: Buffer): CertificationRequest {
  const request = AsnParser.parse(csrDer, CertificationRequest);
  // If something encodes back differently, it has a second reading, and two programs could read it in different ways.
  if (!csrDer.equals(Buffer.from(AsnSerializer.serialize(request)))) throw new CsrRefused('notCanonical');
  return request;
}

/** The value of the subject's only attribute, read from the bytes: exactly one RDN with exactly one attribute, CN. */
function readCommonName(infoDer: Buffer): string {
  const subject = elementsOr('unreadable', elementsOr('unreadable', infoDer)[0]?.contents)[1];
  if (subject?.tag !== tag.sequence) throw new CsrRefused('unreadable');
  const attribute = onlyElement(onlyElement(subject.contents, tag.set).contents, tag.sequence);
  const [type, value, ...more] = elementsOr('unreadable', attribute.contents);
  if (!type?.bytes.equals(oid.commonName) || !value || more.length > 0) {
    throw new CsrRefused('subjectNotSingleCommonName');
  }
  if (value.tag !== tag.utf8String && value.tag !== tag.printableString) {
    throw new CsrRefused('commonNameEncoding', stringTypes[value.tag] ?? 'something else');
  }
  return plainText(value.contents);
}

/** With a control character, a direction mark or broken UTF-8, our words would misrepresent what was sent. */
function plainText(contents: Buffer): string {
  const text = contents.toString('utf8');
  if (/\p{C}/u.test(text) || !contents.equals(Buffer.from(text))) throw new CsrRefused('commonNameCharacters');
  return text;
}

function onlyElement(der: Buffer, expectedTag: number) {
  const [element, ...more] = elementsOr('unreadable', der);
  if (element?.tag !== expectedTag || more.length > 0) throw new CsrRefused('subjectNotSingleCommonName');
  return element;
}

function elementsOr(reason: CsrRefusal, der: Buffer = Buffer.alloc(0)) {
  try {
    return derElements(der);
  } catch {
    throw new CsrRefused(reason);
  }
}

function checkCommonName(commonName: string, expected: string): void {
  if (commonName === expected) return;
  const characters = [...commonName];
  const shown = characters.length > 100 ? `${characters.slice(0, 100).join('')}…` : commonName;
  throw new CsrRefused('commonNameMismatch', shown);
}

function checkKey(algorithm: AlgorithmIdentifier, keyBits: Buffer, publicKeyDer: Buffer) {
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
  return `RSA-${modulusLength}`;
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

/** RFC 4055 and RFC 5758: NULL or no parameters for RSA, none for ECDSA. */
function checkSignatureAlgorithm(algorithm: AlgorithmIdentifier, key: KeyObject): void {
  const parameters = parametersOf(algorithm);
  const fits =
    key.asymmetricKeyType === 'rsa'
      ? algorithm.algorithm === oid.sha256WithRsa && (parameters === derNull || parameters === '')
      : algorithm.algorithm === oid.ecdsaWithSha256 && parameters === '';
  if (!fits) throw new CsrRefused('signatureAlgorithm', nameOf(algorithm));
}

/** The parameters' DER in hex, or the empty text if they are absent. The library reads an ASN.1 NULL as null. */
function parametersOf({ parameters }: AlgorithmIdentifier): string {
  if (parameters === null) return derNull;
  return parameters ? Buffer.from(parameters).toString('hex') : '';
}

function nameOf({ algorithm }: AlgorithmIdentifier): string {
  return algorithmNames[algorithm] ?? algorithm;
}
