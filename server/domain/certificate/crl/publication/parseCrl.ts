import { type KeyObject, verify } from 'node:crypto';
import { DomainError } from '../../../shared/DomainError.ts';
import { certificateLimits } from '../../certificateLimits.ts';
import { type DerElement, derElements, elementsIn } from '../../../shared/der/derElements.ts';
import { isTime, timeOf } from '../../../shared/der/derTime.ts';
import { tags } from '../../../shared/der/derWriting.ts';
import { extensionOids, extensionsIn } from '../../lintCertificate.ts';

/** A revocation list that was made elsewhere. The key identifier is in lower-case hexadecimal. */
export type ParsedCrl = {
  readonly der: Buffer;
  /** The issuer’s name, byte for byte. */
  readonly issuer: Buffer;
  readonly authorityKey: string;
  readonly number: bigint;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  readonly serials: readonly bigint[];
  /** Whether the key made its signature. */
  isSignedBy(key: KeyObject): boolean;
};

/**
 * The hash of each signature algorithm that a list may have, by its identifier as it is encoded: ECDSA or RSA with SHA-256, SHA-384 or
 * SHA-512.
 */
const hashes: Readonly<Record<string, string>> = {
  '06082a8648ce3d040302': 'sha256',
  '06082a8648ce3d040303': 'sha384',
  '06082a8648ce3d040304': 'sha512',
  '06092a864886f70d01010b': 'sha256',
  '06092a864886f70d01010c': 'sha384',
  '06092a864886f70d01010d': 'sha512',
};

/**
 * Reads a complete revocation list of version 2 (RFC 5280, section 5) in PEM or DER. Nothing says yet who has signed it. Errors:
 * invalid_request, in words.
 */
export function parseCrl(file: Buffer): ParsedCrl {
  if (file.length > certificateLimits.importedCrlBytes)
    throw refused(`A revocation list has at most ${certificateLimits.importedCrlBytes} bytes.`);
  const der = derOf(file);
  try {
    return read(der);
  } catch (error) {
    // Whatever else the bytes lead to.
    throw error instanceof DomainError ? error : refused('The file is no revocation list, or is damaged.');
  }
}

const implicit0 = 0x80;
const pemBlock = /^\s*-----BEGIN X509 CRL-----([\sA-Za-z0-9+/=]*)-----END X509 CRL-----\s*$/;

function derOf(file: Buffer): Buffer {
  if (file[0] === tags.sequence) return file;
  const encoded = pemBlock.exec(file.toString('latin1'))?.[1];
  if (encoded === undefined) throw refused('The file is no revocation list: it has to be one PEM block with the label X509 CRL, or DER.');
  return Buffer.from(encoded, 'base64');
}

function read(der: Buffer): ParsedCrl {
  const [whole, ...more] = derElements(der);
  if (more.length > 0) throw new RangeError('not one element');
  const [body, algorithm, signature, ...rest] = elementsIn(whole, tags.sequence);
  if (!body || !algorithm || rest.length > 0) throw new RangeError('not a signed list');
  const signed = signatureOf(signature);
  const parts = elementsIn(body, tags.sequence);
  const version = parts[0]?.tag === tags.integer ? integerOf(parts.shift()) : 0n;
  const [inner, issuer] = [parts.shift(), parts.shift()];
  const hash = hashes[hex(elementsIn(algorithm, tags.sequence)[0]?.bytes)];
  if (hash === undefined || !inner?.bytes.equals(algorithm.bytes))
    throw refused('The list has to be signed with ECDSA or RSA, and with SHA-256, SHA-384 or SHA-512.');
  if (version !== 1n) throw refused('The list has to be of version 2; with openssl, set crl_extensions.');
  if (issuer?.tag !== tags.sequence) throw new RangeError('not a name');
  const thisUpdate = timeOf(parts.shift());
  if (!isTime(parts[0])) throw refused('The list has to say until when it is valid (nextUpdate).');
  const nextUpdate = timeOf(parts.shift());
  const entries = parts[0]?.tag === tags.sequence ? elementsIn(parts.shift(), tags.sequence) : [];
  const extensions = parts[0] === undefined ? [] : extensionsIn(elementsIn(parts.shift(), tags.explicit0)[0]);
  if (parts.length > 0) throw new RangeError('more than a list has');
  return {
    der,
    issuer: issuer.bytes,
    ...numbered(extensions),
    thisUpdate,
    nextUpdate,
    serials: entries.map((entry) => integerOf(elementsIn(entry, tags.sequence)[0])),
    isSignedBy: (key) => isSignature(hash, body.bytes, key, signed),
  };
}

/** Openssl writes both of them if its configuration says so, and RFC 5280 requires them (5.2.1, 5.2.3). */
function numbered(extensions: ReturnType<typeof extensionsIn>): Pick<ParsedCrl, 'authorityKey' | 'number'> {
  const { authorityKeyIdentifier, crlNumber } = extensionOids;
  // What is critical limits what the list is about (5.2.4, 5.2.5): it is then not the complete one.
  if (extensions.some(({ oid, critical }) => critical && oid !== authorityKeyIdentifier && oid !== crlNumber))
    throw refused('The list has to be a complete one, without critical extensions.');
  const [key, number] = [authorityKeyIdentifier, crlNumber].map((wanted) => extensions.find(({ oid }) => oid === wanted)?.value);
  if (!key || !number) {
    throw refused('The list has to have a number and the key identifier of its authority; with openssl, set crlnumber and crl_extensions.');
  }
  const identifier = elementsIn(derElements(key)[0], tags.sequence).find(({ tag }) => tag === implicit0);
  return { authorityKey: hex(identifier?.contents), number: integerOf(derElements(number)[0]) };
}

/** A number that is not negative, as serials and numbers of lists are. */
function integerOf(element: DerElement | undefined): bigint {
  if (element?.tag !== tags.integer || element.contents.length === 0 || (element.contents[0] ?? 0) >= 0x80)
    throw new RangeError('not a number');
  return BigInt(`0x${hex(element.contents)}`);
}

function signatureOf(element: DerElement | undefined): Buffer {
  if (element?.tag !== tags.bitString || element.contents[0] !== 0) throw new RangeError('not a signature');
  return element.contents.subarray(1);
}

function isSignature(hash: string, body: Buffer, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify(hash, body, key, signature);
  } catch {
    return false;
  }
}

function hex(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes).toString('hex');
}

function refused(detail: string): DomainError {
  return new DomainError('invalid_request', { detail });
}
