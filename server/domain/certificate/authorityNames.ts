const names = { root: 'Operator Integration Service Root CA', issuing: 'Operator Integration Service Issuing CA' } as const;

/** With the suffix of an installation, or without one, as authorities of former releases are called. */
const ownForm = new RegExp(`^(?:${Object.values(names).join('|')})(?: [0-9a-z]{1,16})?$`);

/**
 * The common name of an authority. `suffix` tells installations of the service apart, so that a certificate of another one is refused in
 * words that say so (docs/specification.md, “Authorities”).
 */
export function authorityName(kind: keyof typeof names, suffix: string): string {
  return `${names[kind]} ${suffix}`;
}

/** Whether an authority of some installation of this service has this common name. */
export function isAuthorityName(commonName: string): boolean {
  return ownForm.test(commonName);
}
