import { isIP, type BlockList } from 'node:net';

/**
 * The address that a request came from. Each proxy of ours appends the address of its own caller to X-Forwarded-For, so the list is read
 * from its end for as long as the speaker is one of ours; what stands before that is anybody's word.
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

/** Whether an address belongs to these networks, also where it is an IPv4 one mapped into IPv6. */
export function isOneOf(remoteAddress: string, networks: BlockList): boolean {
  const address = plainAddress(remoteAddress);
  const version = isIP(address);
  return version !== 0 && networks.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Without the zone of a link-local address, and IPv4 as IPv4. */
function plainAddress(text: string): string {
  return text.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}
