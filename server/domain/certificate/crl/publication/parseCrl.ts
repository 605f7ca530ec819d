import { type KeyObject, verify } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AuthorityKeyIdentifier,
  CertificateList,
  id_ce_authorityKeyIdentifier,
  id_ce_cRLNumber,
  type Extension,
  type TBSCertList,
} from '@peculiar/asn1-x509';
import { DomainError } from '../../../shared/DomainError.ts';
import { limits } from '../../../shared/limits.ts';
import { derElements } from '../../derElements.ts';

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

/** The hash of each signature algorithm that a list may have: ECDSA or RSA with SHA-256, SHA-384 or SHA-512. */
const hashes: Readonly<Record<string, string>> = {
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
};

/**
 * Reads a complete revocation list of version 2 (RFC 5280, section 5) in PEM or DER. Nothing says yet who has signed it. Errors:
 * invalid_request, in words.
 */
export function parseCrl(file: Buffer): ParsedCrl {
  if (file.length > limits.importedCrlBytes) throw refused(`A revocation list has at most ${limits.importedCrlBytes} bytes.`);
  const der = derOf(file);
  const { body, list, parts } = decode(der);
  const { tbsCertList: content, signatureAlgorithm, signature } = list;
  const hash = hashes[signatureAlgorithm.algorithm];
  if (hash === undefined || content.signature.algorithm !== signatureAlgorithm.algorithm)
    throw refused('The list has to be signed with ECDSA or RSA, and with SHA-256, SHA-384 or SHA-512.');
  if (Number(content.version) !== 1) throw refused('The list has to be of version 2; with openssl, set crl_extensions.');
  if (!content.nextUpdate) throw refused('The list has to say until when it is valid (nextUpdate).');
  return {
    der,
    issuer: parts[2]?.bytes ?? Buffer.alloc(0),
    ...extensionsOf(content),
    thisUpdate: content.thisUpdate.getTime(),
    nextUpdate: content.nextUpdate.getTime(),
    serials: (content.revokedCertificates ?? []).map(({ userCertificate }) => BigInt(`0x${hex(userCertificate)}`)),
    isSignedBy: (key) => verify(hash, body, key, new Uint8Array(signature)),
  };
}

const pemBlock = /^\s*-----BEGIN X509 CRL-----([\sA-Za-z0-9+/=]*)-----END X509 CRL-----\s*$/;

function derOf(file: Buffer): Buffer {
  if (file[0] === 0x30) return file;
  const encoded = pemBlock.exec(file.toString('latin1'))?.[1];
  if (encoded === undefined) throw refused('The file is no revocation list: it has to be one PEM block with the label X509 CRL, or DER.');
  return Buffer.from(encoded, 'base64');
}

function decode(der: Buffer) {
  try {
    const [whole, ...more] = derElements(der);
    const [body] = derElements(whole?.contents ?? Buffer.alloc(0));
    if (!body || more.length > 0) throw new RangeError('not one element');
    return { body: body.bytes, parts: derElements(body.contents), list: AsnConvert.parse(der, CertificateList) };
  } catch {
    throw refused('The file is no revocation list, or is damaged.');
  }
}

/** Openssl writes both of them if its configuration says so, and RFC 5280 requires them (5.2.1, 5.2.3). */
function extensionsOf({ crlExtensions = [] }: TBSCertList): Pick<ParsedCrl, 'authorityKey' | 'number'> {
  const known = new Set([id_ce_authorityKeyIdentifier, id_ce_cRLNumber]);
  // What is critical limits what the list is about (5.2.4, 5.2.5): it is then not the complete one.
  if (crlExtensions.some(({ critical, extnID }) => critical && !known.has(extnID)))
    throw refused('The list has to be a complete one, without critical extensions.');
  const valueOf = (id: string) => crlExtensions.find(({ extnID }: Extension) => extnID === id)?.extnValue.buffer;
  const [key, number] = [valueOf(id_ce_authorityKeyIdentifier), valueOf(id_ce_cRLNumber)];
  if (!key || !number) {
    throw refused('The list has to have a number and the key identifier of its authority; with openssl, set crlnumber and crl_extensions.');
  }
  try {
    const { keyIdentifier } = AsnConvert.parse(key, AuthorityKeyIdentifier);
    const [integer] = derElements(Buffer.from(number));
    return { authorityKey: keyIdentifier ? hex(keyIdentifier.buffer) : '', number: BigInt(`0x${integer?.contents.toString('hex')}`) };
  } catch {
    throw refused('The file is no revocation list, or is damaged.');
  }
}

const hex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('hex');

function refused(detail: string): DomainError {
  return new DomainError('invalid_request', { detail });
}
