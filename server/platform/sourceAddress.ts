import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The caller's address as limits count it: an IPv4 address (even if mapped into IPv6) as it is, an IPv6 address by its /64. */
export function sourceAddress(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined || remoteAddress === '') return 'unknown';
  if (isIPv4(remoteAddress)) return remoteAddress;
  if (!ipaddr.IPv6.isValid(remoteAddress)) return 'unknown';
  const address = ipaddr.IPv6.parse(remoteAddress);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
