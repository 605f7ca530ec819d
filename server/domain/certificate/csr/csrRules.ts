import { verify } from 'node:crypto';
import { CertificationRequest } from '@peculiar/asn1-csr';
import { AsnParser, AsnSerializer } from '@peculiar/asn1-schema';
import { checkKey, checkSignatureAlgorithm, refusePrimeModulus } from './csrKeys.ts';
import type { CsrKeyType } from './csrKeys.ts';
import { CsrRefused, csrRefusals } from './csrRefusals.ts';
import type { CsrRefusal } from './csrRefusals.ts';
import { type CsrTool, toolOf } from './csrTools.ts';
import { derElements } from '../../shared/der/derElements.ts';
import { readPemBlock, type UploadedCsr } from './readPemBlock.ts';

/** A request that may be certified: its DER and its public key (SubjectPublicKeyInfo DER). */
export type AcceptedCsr = { csrDer: Buffer; publicKeyDer: Buffer; keyType: CsrKeyType };

/** The verdict on an upload: the request, or the reason why it is refused. */
export type CsrVerdict = ({ accepted: true } & AcceptedCsr) | { accepted: false; reason: CsrRefusal; message: string };

const commonNameOid = Buffer.from('0603550403', 'hex');
const tag = { sequence: 0x30, set: 0x31, utf8String: 0x0c, printableString: 0x13 } as const;
const stringTypes: Record<number, string | undefined> = {
  0x14: 'a TeletexString',
  0x16: 'an IA5String',
  0x1c: 'a UniversalString',
  0x1e: 'a BMPString',
};

/**
 * Whether an uploaded PKCS#10 request (RFC 2986, PEM) may become a client certificate for `expectedCommonName` (docs/specification.md,
 * “Certificate requests”). Never rejects because of what was uploaded. Extensions in the request are ignored.
 */
export function checkCsr(pem: Buffer | string, expectedCommonName: string): Promise<CsrVerdict> {
  return verdictOn(() => readPemBlock(pem), { expected: expectedCommonName, hint: ' Copy it from above.' });
}

/** The same for a request in DER, which a machine sent (at most 16 KiB): the words then mention no page. */
export function checkCsrDer(csrDer: Buffer, expectedCommonName: string): Promise<CsrVerdict> {
  return verdictOn(() => ({ csrDer, tool: toolOf({ csrDer }) }), { expected: expectedCommonName, hint: '' });
}

async function verdictOn(read: () => UploadedCsr, facts: { expected: string; hint: string }): Promise<CsrVerdict> {
  let tool: CsrTool = 'openssl';
  try {
    const uploaded = read();
    tool = uploaded.tool;
    return { accepted: true, ...(await acceptedRequest(uploaded.csrDer, facts.expected)) };
  } catch (error) {
    // What a parser cannot read is not a request, and the parser's own words mean nothing to the reader.
    const { reason, detail } = error instanceof CsrRefused ? error : new CsrRefused('unreadable');
    return { accepted: false, reason, message: csrRefusals[reason]({ detail, tool, ...facts }) };
  }
}

async function acceptedRequest(csrDer: Buffer, expectedCommonName: string): Promise<AcceptedCsr> {
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
  await refusePrimeModulus(key);
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
  if (!type?.bytes.equals(commonNameOid) || !value || more.length > 0) {
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
