import { createHash } from 'node:crypto';
import { type DerElement, derElements, elementsIn } from '../shared/der/derElements.ts';
import { timeOf } from '../shared/der/derTime.ts';
import { limits } from '../shared/limits.ts';
import { certificateLimits } from './certificateLimits.ts';
import type { SigningKey } from './CertificateSigner.ts';
import { wholeSeconds } from './validity.ts';

type Linted = 'certificate' | 'revocation list';

/**
 * Thrown instead of signing: what was about to be signed is not what was asked for. It is a fault of the service, never of a caller. The words
 * name the broken rules and nothing else, because they reach the log.
 */
export class LintRefused extends Error {
  override readonly name = 'LintRefused';
  readonly code = 'LINT_REFUSED';

  constructor(what: Linted, rules: readonly string[]) {
    super(`The ${what} was not signed, because these rules are broken: ${rules.join(', ')}.`);
  }
}

/** Throws `LintRefused` with the names of the rules that do not hold. What cannot be read breaks a rule. */
export function lint<Read>(what: Linted, read: () => Read, rules: Readonly<Record<string, (parts: Read) => boolean>>): void {
  const parts = attempt(read);
  if (parts === undefined) throw new LintRefused(what, ['encoding']);
  const broken = Object.entries(rules).flatMap(([rule, holds]) => (attempt(() => holds(parts)) === true ? [] : [rule]));
  if (broken.length > 0) throw new LintRefused(what, broken);
}

function attempt<Value>(step: () => Value): Value | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}

const tag = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  implicit0: 0x80,
  implicit6: 0x86,
  explicit0: 0xa0,
  explicit3: 0xa3,
} as const;

/** The identifiers of extensions (RFC 5280, section 4.2.1), as they are encoded, in hexadecimal. */
export const extensionOids = {
  subjectKeyIdentifier: '551d0e',
  keyUsage: '551d0f',
  basicConstraints: '551d13',
  crlNumber: '551d14',
  cRLDistributionPoints: '551d1f',
  authorityKeyIdentifier: '551d23',
  extKeyUsage: '551d25',
} as const;
type ExtensionName = keyof typeof extensionOids;

/** One extension as it must be; the value is DER in hexadecimal. */
type ExpectedExtension = { readonly critical: boolean; readonly value: string };

/**
 * What a certificate of one kind must be, stated for a second time in bytes and not with the library that builds it: a mistake on one side alone
 * is then seen before anything is signed.
 */
export type CertificateProfile = {
  /** How long it may be valid at most. */
  readonly lifetime: number;
  /** All but the key identifiers and the address of the revocation list. */
  readonly extensions: Partial<Record<ExtensionName, ExpectedExtension>>;
};

const certSignAndCrlSign = { critical: true, value: '03020106' };
const clientAuthentication = { critical: false, value: '300a06082b06010505070302' };
const year = 365 * 24 * 60 * 60 * 1000;

/** docs/specification.md, “Certificates” and “Authorities”. */
export const certificateProfiles = {
  root: {
    lifetime: 20 * year,
    extensions: { basicConstraints: { critical: true, value: '30060101ff020101' }, keyUsage: certSignAndCrlSign },
  },
  issuing: {
    lifetime: 5 * year,
    extensions: {
      basicConstraints: { critical: true, value: '30060101ff020100' },
      keyUsage: certSignAndCrlSign,
      extKeyUsage: clientAuthentication,
    },
  },
  client: {
    lifetime: certificateLimits.certificateLifetime,
    extensions: {
      basicConstraints: { critical: true, value: '3000' },
      keyUsage: { critical: true, value: '03020780' },
      extKeyUsage: clientAuthentication,
    },
  },
} as const satisfies Record<string, CertificateProfile>;

type Asked = {
  readonly profile: CertificateProfile;
  /** Absent for a self-signed root. */
  readonly issuerCertificateDer?: Buffer;
  readonly key: Pick<SigningKey, 'algorithm'>;
  readonly publicKeyDer: Buffer;
  readonly commonName: string;
  readonly serial: Buffer;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly crlDistributionUrl?: string;
  /** The moment of signing, if the certificate has to be valid by then. */
  readonly now?: Date;
};

/** AlgorithmIdentifiers without parameters (RFC 5758, 3.2). */
export const signatureAlgorithms: Readonly<Record<SigningKey['algorithm'], string>> = {
  'ecdsa-with-SHA256': '300a06082a8648ce3d040302',
  'ecdsa-with-SHA384': '300a06082a8648ce3d040303',
};

/**
 * Reads the body of a certificate (TBSCertificate) back before it is signed, with a reader that shares nothing with what has built it, and compares
 * it with what was asked for. Throws `LintRefused`.
 */
export function lintCertificate(body: Buffer, asked: Asked): void {
  const { profile, issuerCertificateDer, key, publicKeyDer, commonName, serial, notBefore, notAfter, crlDistributionUrl, now } = asked;
  const read = () => {
    const own = bodyParts(body);
    return { ...own, above: issuerCertificateDer ? certificateParts(issuerCertificateDer) : own };
  };
  const latest = profile.lifetime + limits.clockTolerance;
  const fixed = Object.entries(profile.extensions).map(
    ([name, expected]) => [name, (own: Parts) => isExtension(own, name as ExtensionName, expected)] as const,
  );
  lint('certificate', read, {
    // Version 3.
    version: (own) => own.version === 'a003020102',
    serial: (own) => own.serial.equals(serial) && isGoodSerial(own.serial),
    'signature algorithm': (own) => own.algorithm === signatureAlgorithms[key.algorithm],
    issuer: ({ issuer, above }) => issuer.equals(above.subject),
    subject: ({ subject }) => isCommonName(subject, commonName),
    'public key': ({ publicKey }) => publicKey.equals(publicKeyDer),
    beginning: ({ begins }) => begins.getTime() === wholeSeconds(notBefore.getTime()).getTime(),
    end: ({ ends }) => ends.getTime() === wholeSeconds(notAfter.getTime()).getTime(),
    // The clocks of workers differ a little, and an earlier attempt may have reserved the validity.
    lifetime: ({ begins, ends }) =>
      begins < ends &&
      ends.getTime() - begins.getTime() <= latest &&
      (!now || (begins <= now && now < ends && ends.getTime() - now.getTime() <= latest)),
    // It may begin before its issuer does: what was reserved under one authority may be signed by the next.
    'end of the issuer': ({ ends, above }) => ends <= above.ends,
    ...Object.fromEntries(fixed),
    subjectKeyIdentifier: (own) => subjectKeyOf(own).equals(keyIdentifierOf(publicKeyDer)),
    authorityKeyIdentifier: (own) => authorityKeyOf(own).equals(subjectKeyOf(own.above)),
    cRLDistributionPoints: (own) => crlDistributionUrl === undefined || isSoleUrl(own, crlDistributionUrl),
    'no other extension': ({ extensions }) =>
      extensions.length === fixed.length + (crlDistributionUrl === undefined ? 2 : 3) &&
      new Set(extensions.map(({ oid }) => oid)).size === extensions.length,
  });
}

type Extension = { readonly oid: string; readonly critical: boolean; readonly value: Buffer };
type Parts = {
  readonly version: string;
  readonly serial: Buffer;
  readonly algorithm: string;
  readonly issuer: Buffer;
  readonly begins: Date;
  readonly ends: Date;
  readonly subject: Buffer;
  readonly publicKey: Buffer;
  readonly extensions: readonly Extension[];
};

function certificateParts(der: Buffer): Parts {
  const [body] = elementsIn(derElements(der)[0], tag.sequence);
  return bodyParts(body?.bytes ?? Buffer.alloc(0));
}

function bodyParts(der: Buffer): Parts {
  const [body, ...more] = derElements(der);
  const [version, serial, algorithm, issuer, validity, subject, publicKey, extensions, ...rest] = elementsIn(body, tag.sequence);
  const [begins, ends, ...others] = elementsIn(validity, tag.sequence);
  if (!version || serial?.tag !== tag.integer || !algorithm || !issuer || !subject || !publicKey || !extensions)
    throw new RangeError('not all parts of a certificate');
  if (more.length + rest.length + others.length > 0) throw new RangeError('more than a certificate has');
  return {
    version: version.bytes.toString('hex'),
    serial: serial.contents,
    algorithm: algorithm.bytes.toString('hex'),
    issuer: issuer.bytes,
    begins: timeOf(begins),
    ends: timeOf(ends),
    subject: subject.bytes,
    publicKey: publicKey.bytes,
    extensions: extensionsIn(elementsIn(extensions, tag.explicit3)[0]),
  };
}

/** The extensions of a certificate or a revocation list. */
export function extensionsIn(list: DerElement | undefined): Extension[] {
  return elementsIn(list, tag.sequence).map((extension) => {
    const parts = elementsIn(extension, tag.sequence);
    const [oid, value] = [parts.shift(), parts.pop()];
    const [critical, ...more] = parts;
    if (oid?.tag !== tag.oid || value?.tag !== tag.octetString || more.length > 0) throw new RangeError('not an extension');
    if (critical && critical.bytes.toString('hex') !== '0101ff') throw new RangeError('not a flag');
    return { oid: oid.contents.toString('hex'), critical: critical !== undefined, value: value.contents };
  });
}

function isExtension({ extensions }: Parts, name: ExtensionName, { critical, value }: ExpectedExtension): boolean {
  const found = extensions.find(({ oid }) => oid === extensionOids[name]);
  return found?.critical === critical && found.value.toString('hex') === value;
}

/** The value of an extension that must not be critical. */
function valueOf({ extensions }: Pick<Parts, 'extensions'>, name: ExtensionName): Buffer {
  const found = extensions.find(({ oid }) => oid === extensionOids[name]);
  if (!found || found.critical) throw new RangeError('not the extension that belongs here');
  return found.value;
}

/** 126 random bits in 16 bytes (`newSerial`). So few different bytes do not come about by chance once in a thousand million serials. */
function isGoodSerial(serial: Buffer): boolean {
  const first = serial[0] ?? 0;
  return serial.length === 16 && first > 0 && first < 0x80 && new Set(serial).size >= 8;
}

/** One relative name with one attribute, a CN in UTF-8. */
function isCommonName(name: Buffer, commonName: string): boolean {
  const [relative, ...more] = elementsIn(derElements(name)[0], tag.sequence);
  const [attribute, ...others] = elementsIn(relative, tag.set);
  const [type, value, ...rest] = elementsIn(attribute, tag.sequence);
  return (
    more.length + others.length + rest.length === 0 &&
    type?.bytes.toString('hex') === '0603550403' &&
    value?.tag === tag.utf8String &&
    value.contents.equals(Buffer.from(commonName))
  );
}

/** RFC 7093, section 2, method 1. */
function keyIdentifierOf(publicKeyDer: Buffer): Buffer {
  const [, bits] = elementsIn(derElements(publicKeyDer)[0], tag.sequence);
  if (bits?.tag !== tag.bitString || bits.contents[0] !== 0) throw new RangeError('not a public key');
  return createHash('sha256').update(bits.contents.subarray(1)).digest().subarray(0, 20);
}

function subjectKeyOf(parts: Pick<Parts, 'extensions'>): Buffer {
  const [identifier, ...more] = derElements(valueOf(parts, 'subjectKeyIdentifier'));
  if (identifier?.tag !== tag.octetString || more.length > 0) throw new RangeError('not a key identifier');
  return identifier.contents;
}

/** The key identifier alone, without the issuer's name and serial. */
export function authorityKeyOf(parts: Pick<Parts, 'extensions'>): Buffer {
  const [identifier, ...more] = elementsIn(derElements(valueOf(parts, 'authorityKeyIdentifier'))[0], tag.sequence);
  if (identifier?.tag !== tag.implicit0 || more.length > 0) throw new RangeError('not a key identifier');
  return identifier.contents;
}

/** One distribution point, which is this address and nothing else. */
function isSoleUrl(parts: Parts, url: string): boolean {
  const [point, ...more] = elementsIn(derElements(valueOf(parts, 'cRLDistributionPoints'))[0], tag.sequence);
  const [name, ...others] = elementsIn(point, tag.sequence);
  const [full, ...rest] = elementsIn(name, tag.explicit0);
  const [address, ...further] = elementsIn(full, tag.explicit0);
  return (
    more.length + others.length + rest.length + further.length === 0 &&
    address?.tag === tag.implicit6 &&
    address.contents.equals(Buffer.from(url))
  );
}

/** What a revocation list has to repeat of its authority's certificate. */
export function authorityParts(certificateDer: Buffer): { readonly subject: Buffer; readonly keyIdentifier: Buffer } {
  const parts = certificateParts(certificateDer);
  return { subject: parts.subject, keyIdentifier: subjectKeyOf(parts) };
}
