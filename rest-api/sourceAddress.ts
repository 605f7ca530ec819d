/** The caller's address as the audit trail records it: an IPv4 one without its IPv6 mapping, an IPv6 one without its zone. */
export function clientAddress(remoteAddress: string | undefined): string {
  return (remoteAddress ?? 'unknown').replace(/^::ffff:/i, '').replace(/%.*$/, '');
}
