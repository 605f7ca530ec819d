import { type DerElement, derElements, elementsIn } from '../../../shared/der/derElements.ts';
import { isTime, timeOf } from '../../../shared/der/derTime.ts';
import { limits } from '../../../shared/limits.ts';
import type { RevocationReason } from '../../Certificate.ts';
import type { SigningKey } from '../../CertificateSigner.ts';
import { authorityKeyOf, authorityParts, extensionOids, extensionsIn, signatureAlgorithms } from '../../lintCertificate.ts';
import { lint } from '../../lintCertificate.ts';
import type { CrlContent } from './CrlContent.ts';

const tag = { integer: 0x02, sequence: 0x30, explicit0: 0xa0 } as const;

/** The extensions of an entry for each reason (RFC 5280, 5.3.1), in hexadecimal; without a reason there are none. */
const reasons: Readonly<Record<RevocationReason, string | undefined>> = {
  key_compromise: '300c300a0603551d1504030a0101',
  superseded: '300c300a0603551d1504030a0104',
  cessation_of_operation: '300c300a0603551d1504030a0105',
  unspecified: undefined,
};

/** What a list follows, and how long it may be valid at most. */
export type CrlPolicy = {
  readonly last: { readonly number: bigint; readonly thisUpdate?: Date };
  readonly lifetime: number;
};

type Asked = {
  readonly issuerDer: Buffer;
  readonly algorithm: SigningKey['algorithm'];
  readonly content: CrlContent;
  readonly policy: CrlPolicy;
};

/**
 * Reads the body of a revocation list (TBSCertList) back before it is signed, and compares it with what was asked for and with the list before
 * it. Throws `LintRefused`.
 */
export function lintCrl(body: Buffer, { issuerDer, algorithm, content, policy: { last, lifetime } }: Asked): void {
  const { number, thisUpdate, nextUpdate, revoked } = content;
  lint('revocation list', () => ({ ...listParts(body), authority: authorityParts(issuerDer) }), {
    // Version 2.
    version: (list) => list.version === '020101',
    'signature algorithm': (list) => list.algorithm === signatureAlgorithms[algorithm],
    issuer: ({ issuer, authority }) => issuer.equals(authority.subject),
    authorityKeyIdentifier: ({ extensions, authority }) => authorityKeyOf({ extensions }).equals(authority.keyIdentifier),
    number: (list) => list.number === number.toString(16) && number > last.number && number < 2n ** 159n,
    thisUpdate: (list) =>
      list.thisUpdate.getTime() === thisUpdate.getTime() && (last.thisUpdate === undefined || list.thisUpdate >= last.thisUpdate),
    nextUpdate: (list) =>
      list.nextUpdate.getTime() === nextUpdate.getTime() &&
      list.nextUpdate > list.thisUpdate &&
      list.nextUpdate.getTime() - list.thisUpdate.getTime() <= lifetime + limits.clockTolerance,
    // A complete list: one that is limited to some certificates says so in an extension of its own.
    'no other extension': ({ extensions }) => extensions.length === 2,
    'number of entries': ({ entries }) =>
      entries === null ? revoked.length === 0 : entries.length === revoked.length && entries.length > 0,
    'serials of entries': ({ entries }) =>
      (entries ?? []).every(
        ({ serial, bytes }, place) => bytes <= 20 && serial === withoutZeros(revoked[place]?.serial.toLowerCase() ?? ''),
      ),
    'no entry twice': () => new Set(revoked.map(({ serial }) => serial)).size === revoked.length,
    // Revocations are dated by the clock, which lists are behind of.
    'dates of entries': ({ entries }) =>
      (entries ?? []).every(
        ({ revokedAt }, place) =>
          revokedAt === revoked[place]?.revokedAt.getTime() && revokedAt <= thisUpdate.getTime() + limits.clockTolerance + 1000,
      ),
    'reasons of entries': ({ entries }) =>
      (entries ?? []).every(({ extensions }, place) => {
        const asked = revoked[place];
        return asked !== undefined && extensions === reasons[asked.reason];
      }),
  });
}

function listParts(der: Buffer) {
  const [body, ...more] = derElements(der);
  const parts = elementsIn(body, tag.sequence);
  const [version, algorithm, issuer, thisUpdate, nextUpdate] = parts.splice(0, 5);
  const entries = isTime(nextUpdate) && parts[0]?.tag === tag.sequence ? elementsIn(parts.shift(), tag.sequence) : null;
  const [extensions, ...rest] = parts;
  if (!version || !algorithm || !issuer || more.length + rest.length > 0) throw new RangeError('not the parts of a list');
  const found = extensionsIn(elementsIn(extensions, tag.explicit0)[0]);
  const number = found.find(({ oid, critical }) => oid === extensionOids.crlNumber && !critical);
  return {
    version: version.bytes.toString('hex'),
    algorithm: algorithm.bytes.toString('hex'),
    issuer: issuer.bytes,
    thisUpdate: timeOf(thisUpdate),
    nextUpdate: timeOf(nextUpdate),
    entries: entries?.map(entryParts) ?? null,
    extensions: found,
    number: positive(derElements(number?.value ?? Buffer.alloc(0))[0]),
  };
}

/** What is compared, and no more: twenty thousand of them are held at once. */
function entryParts(entry: DerElement) {
  const [serial, date, extensions, ...more] = elementsIn(entry, tag.sequence);
  if (!serial || more.length > 0) throw new RangeError('not an entry');
  return {
    serial: positive(serial),
    bytes: serial.length,
    revokedAt: timeOf(date).getTime(),
    extensions: extensions?.bytes.toString('hex'),
  };
}

/** The digits of a positive number that takes as few bytes as it can, as DER has it; in hexadecimal, without zeros before them. */
function positive(element: DerElement | undefined): string {
  const [first = 0, second = 0] = [element?.contents[0], element?.contents[1]];
  if (element?.tag !== tag.integer || first >= 0x80 || (first === 0 && second < 0x80)) throw new RangeError('not a positive number');
  return withoutZeros(element.contents.toString('hex'));
}

function withoutZeros(hex: string): string {
  return hex.startsWith('0') ? hex.replace(/^0+/, '') : hex;
}
