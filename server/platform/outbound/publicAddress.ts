import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What of IPv6 is handed out at all (RFC 4291, section 2.4). Outside it lie tunnels, translators and old forms of IPv4 addresses. */
const assigned = ipaddr.IPv6.parseCIDR('2000::/3');
/**
 * What of that nobody has: blocks that IANA keeps for later (its registry “IPv6 Global Unicast Address Assignments”), among them the former 6bone
 * (RFC 3701). A block that is handed out one day is taken from here.
 */
const unassigned = ['2d00::/8', '2e00::/7', '3000::/4'].map((block) => ipaddr.IPv6.parseCIDR(block));
/** Public by its range, but answered within a cloud’s networks (Azure’s wire server). */
const metadata = '168.63.129.16';

/**
 * Whether an address, as a resolver or a socket gives it, is one that everybody on the internet reaches. Only dotted and colon notation
 * count, because other software also reads `0x7f.1` and `2130706433` as addresses. An IPv4 address within an IPv6 address is never public.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return ipaddr.IPv4.parse(address).range() === 'unicast' && address !== metadata;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.range() === 'unicast' && parsed.match(assigned) && !unassigned.some((block) => parsed.match(block));
}

/** What kind of address it is that is not public, for the log. Neither the address nor its kind is for people outside. */
export function kindOfAddress(address: string): string {
  if (!isIP(address) || address.includes('%')) return 'reserved';
  const range = ipaddr.parse(address).range();
  // In camel case, like “linkLocal”.
  return range === 'unicast' ? 'reserved' : range.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The one way to write an address, so that two can be compared; other text stays as it is. */
export function canonicalAddress(address: string): string {
  return isIP(address) ? ipaddr.parse(address).toString() : address;
}
