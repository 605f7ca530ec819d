/** Names that nobody outside a private network can look up (RFC 6761, RFC 6762, RFC 8375; the names ICANN never delegates). */
const privateSuffixes = [
  'localhost',
  // Also Kubernetes’ cluster.local.
  'local',
  'localdomain',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'invalid',
  'alt',
  'onion',
];

/** Whether a host name is one of these names or of `others`, or below one. */
export function isPrivateName(host: string, others: readonly string[]): boolean {
  return [...privateSuffixes, ...others].some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}
