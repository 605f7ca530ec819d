import { isIP, type BlockList } from 'node:net';

/**
 * The address that a request came from. Each of our proxies appends its caller's address to X-Forwarded-For. The list is therefore read
 * from its end for as long as the sender is one of our proxies; anybody could have written what comes before that.
 */
export function clientAddress(remoteAddress: string | undefined, forwardedFor: string, trustedProxies: BlockList): string {
  const claimed = forwardedFor.split(',').map((entry) => plainAddress(entry.trim()));
  let address = plainAddress(remoteAddress ?? '');
  while (isOneOf(address, trustedProxies)) {
    const next = claimed.pop();
    if (next === undefined || isIP(next) === 0) break;
    address = next;
  }
  return isIP(address) === 0 ? '0.0.0.0' : address;
}

/** Whether an address, which may be an IPv4 address mapped into IPv6, belongs to these networks. */
export function isOneOf(remoteAddress: string, networks: BlockList): boolean {
  const address = plainAddress(remoteAddress);
  const version = isIP(address);
  return version !== 0 && networks.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** An address as it is recorded: IPv4 without its IPv6 mapping, IPv6 without the zone of a link-local address. */
export function plainAddress(text: string): string {
  return text.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}
