/** The caller's address as the audit trail records it: an IPv4 one without its IPv6 mapping, an IPv6 one without its zone. */
export function clientAddress(remoteAddress: string | undefined): string {
  return (remoteAddress ?? '0.0.0.0').replace(/^::ffff:/i, '').replace(/%.*$/, '');
}
