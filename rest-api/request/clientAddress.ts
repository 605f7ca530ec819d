/** The caller's address in the form that the audit trail records: IPv4 without its IPv6 mapping, IPv6 without its zone. */
export function clientAddress(remoteAddress: string | undefined): string {
  return (remoteAddress ?? '0.0.0.0').replace(/^::ffff:/i, '').replace(/%.*$/, '');
}
