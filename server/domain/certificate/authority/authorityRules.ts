import type { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  CRLDistributionPoints,
  ExtendedKeyUsage,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_cRLDistributionPoints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  KeyUsage,
  KeyUsageFlags,
  SubjectKeyIdentifier,
} from '@peculiar/asn1-x509';
import { certificateLimits } from '../certificateLimits.ts';
import { hasBegun } from '../validity.ts';

const authorityUsage = KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign;
const understood = new Set<string>([id_ce_basicConstraints, id_ce_keyUsage, id_ce_extKeyUsage]);
const signatures = new Set([
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
]);

type Facts = {
  readonly issuing: X509Certificate;
  readonly root: X509Certificate;
  /** The revocation list of the root, which the certificate must name. */
  readonly crlUrl: string;
  readonly now: Date;
};
type Rule = { readonly holds: (facts: Facts) => boolean; readonly words: (facts: Facts) => string };

/** A root that is kept offline (RFC 5280; decision 42). */
const rootRules: readonly Rule[] = [
  {
    holds: ({ root }) => isSignedBy(root, root),
    words: () => 'The root’s certificate must be signed by the root itself.',
  },
  {
    holds: ({ root }) => constraintsOf(root)?.cA === true && (constraintsOf(root)?.pathLenConstraint ?? 1) >= 1,
    words: () =>
      'The root must be a certificate authority (basicConstraints CA:TRUE) that allows an authority below it (pathlen 1 or none).',
  },
  {
    holds: ({ root }) => ((usageOf(root) ?? 0) & authorityUsage) === authorityUsage,
    words: () => 'The root’s keyUsage must contain keyCertSign and cRLSign.',
  },
  { holds: ({ root }) => isStrong(root), words: () => 'The root’s key must be EC P-256, P-384 or P-521, or RSA with at least 3072 bits.' },
  { holds: ({ root }) => keyIdOf(root) !== undefined, words: () => 'The root’s certificate needs a subject key identifier.' },
  {
    holds: ({ root, now }) => hasBegun(root.validFromDate, now) && root.validToDate > now,
    words: ({ root }) => `The root is valid from ${shown(root.validFromDate)} to ${shown(root.validToDate)}, which is not now.`,
  },
];

/** What an offline root has signed (docs/specification.md, “Authorities”). Clients’ chains must hold for the strictest verifier. */
const issuingRules: readonly Rule[] = [
  {
    holds: ({ issuing, root }) => isSignedBy(issuing, root),
    words: () => 'The issuing authority’s certificate is not signed by this root.',
  },
  {
    holds: ({ issuing }) => signatures.has(parse(issuing).signatureAlgorithm.algorithm),
    words: () => 'The certificate must be signed with ECDSA or RSA (PKCS #1 v1.5) and SHA-256, SHA-384 or SHA-512.',
  },
  {
    holds: ({ issuing }) =>
      isCritical(issuing, id_ce_basicConstraints) && constraintsOf(issuing)?.cA === true && constraintsOf(issuing)?.pathLenConstraint === 0,
    words: () => 'basicConstraints must be critical, with CA:TRUE and pathlen:0.',
  },
  {
    holds: ({ issuing }) => isCritical(issuing, id_ce_keyUsage) && usageOf(issuing) === authorityUsage,
    words: () => 'keyUsage must be critical, with keyCertSign and cRLSign and nothing else.',
  },
  {
    holds: ({ issuing }) => read(issuing, id_ce_extKeyUsage, ExtendedKeyUsage)?.join() === id_kp_clientAuth,
    words: () => 'extendedKeyUsage must be clientAuth and nothing else.',
  },
  {
    holds: ({ issuing }) => keyIdOf(issuing) !== undefined,
    words: () => 'The certificate needs a subject key identifier.',
  },
  {
    holds: ({ issuing, root }) => issuerKeyIdOf(issuing) !== undefined && issuerKeyIdOf(issuing) === keyIdOf(root),
    words: () => 'The authority key identifier must be there and name the root’s key.',
  },
  {
    holds: ({ issuing, crlUrl }) => crlUrlsOf(issuing).join() === crlUrl,
    words: ({ crlUrl }) => `crlDistributionPoints must name exactly one address, the root’s revocation list ${crlUrl}.`,
  },
  {
    holds: ({ issuing }) =>
      (parse(issuing).tbsCertificate.extensions ?? []).every(({ extnID, critical }) => !critical || understood.has(extnID)),
    words: () =>
      'The certificate has a critical extension besides basicConstraints, keyUsage and extendedKeyUsage, which clients may not understand.',
  },
  {
    holds: ({ issuing, now }) => hasBegun(issuing.validFromDate, now),
    words: ({ issuing }) => `The certificate is valid only from ${shown(issuing.validFromDate)} on.`,
  },
  {
    holds: ({ issuing, now }) => issuing.validToDate.getTime() > now.getTime() + certificateLimits.certificateLifetime,
    words: ({ issuing }) =>
      `The certificate ends on ${shown(issuing.validToDate)}. It must be valid for more than the 90 days of a client certificate.`,
  },
  {
    holds: ({ issuing, root }) => issuing.validToDate <= root.validToDate,
    words: ({ issuing, root }) => `The certificate ends on ${shown(issuing.validToDate)}, after its root (${shown(root.validToDate)}).`,
  },
];

/** Whether one certificate names the other as its issuer and bears its signature. */
export function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.issuer === issuer.subject && certificate.verify(issuer.publicKey);
}

/** Why a certificate cannot be the root of an issuing authority; empty if it can. */
export function rootRefusals(root: X509Certificate, now: Date): string[] {
  return refusals(rootRules, { issuing: root, root, crlUrl: '', now });
}

/** Why a certificate cannot become our issuing authority; empty if it can. */
export function issuingRefusals(facts: Facts): string[] {
  return [...rootRefusals(facts.root, facts.now), ...refusals(issuingRules, facts)];
}

function refusals(rules: readonly Rule[], facts: Facts): string[] {
  return rules.flatMap(({ holds, words }) => (safely(() => holds(facts)) ? [] : [words(facts)]));
}

/** What cannot be parsed does not fulfil a rule. */
function safely(holds: () => boolean): boolean {
  try {
    return holds();
  } catch {
    return false;
  }
}

function parse(certificate: X509Certificate): Certificate {
  return AsnConvert.parse(certificate.raw, Certificate);
}

function extensionOf(certificate: X509Certificate, id: string) {
  return parse(certificate).tbsCertificate.extensions?.find(({ extnID }) => extnID === id);
}

function read<Value>(certificate: X509Certificate, id: string, type: new () => Value): Value | undefined {
  const extension = extensionOf(certificate, id);
  return extension && AsnConvert.parse(extension.extnValue.buffer, type);
}

const isCritical = (certificate: X509Certificate, id: string) => extensionOf(certificate, id)?.critical === true;
const constraintsOf = (certificate: X509Certificate) => read(certificate, id_ce_basicConstraints, BasicConstraints);
const usageOf = (certificate: X509Certificate) => read(certificate, id_ce_keyUsage, KeyUsage)?.toNumber();
const hex = (bytes: ArrayBuffer | undefined) => bytes && Buffer.from(bytes).toString('hex');
const keyIdOf = (certificate: X509Certificate) => hex(read(certificate, id_ce_subjectKeyIdentifier, SubjectKeyIdentifier)?.buffer);
const issuerKeyIdOf = (certificate: X509Certificate) =>
  hex(read(certificate, id_ce_authorityKeyIdentifier, AuthorityKeyIdentifier)?.keyIdentifier?.buffer);

function crlUrlsOf(certificate: X509Certificate): string[] {
  const points = read(certificate, id_ce_cRLDistributionPoints, CRLDistributionPoints) ?? [];
  return [...points].flatMap(({ distributionPoint }) =>
    (distributionPoint?.fullName ?? []).map((name) => name.uniformResourceIdentifier ?? ''),
  );
}

function isStrong({ publicKey: { asymmetricKeyType: type, asymmetricKeyDetails: details } }: X509Certificate): boolean {
  if (type === 'ec') return ['prime256v1', 'secp384r1', 'secp521r1'].includes(details?.namedCurve ?? '');
  return type === 'rsa' && (details?.modulusLength ?? 0) >= 3072;
}

function shown(date: Date): string {
  return date.toISOString().slice(0, 10);
}
