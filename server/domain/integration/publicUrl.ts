import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const privateSuffixes = ['localhost', 'local', 'internal', 'lan', 'home.arpa', 'test', 'invalid', 'onion'];

/** Why the text is not a public HTTPS address on port 443, in words; null when it is one. Looks at the address alone, not at DNS. */
export function publicUrlRefusal(text: string): string | null {
  if (text.length > 2048) return 'The address has more than 2,048 characters.';
  // A URL parser silently drops or replaces these, but the text is stored and shown as it is.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) return 'The address must not contain blanks, backslashes or control characters.';
  if (!URL.canParse(text)) return 'Enter a complete address such as https://example.com/page.';
  const url = new URL(text);
  if (url.protocol !== 'https:') return 'The address must start with https://.';
  if (url.port !== '') return 'The address must use port 443, so leave the port out.';
  if (url.username !== '' || url.password !== '') return 'The address must not contain a user name or password.';
  return publicHostRefusal(url.hostname);
}

function publicHostRefusal(hostname: string): string | null {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host)) {
    const address = ipaddr.process(host);
    const globalUnicast = address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(ipaddr.IPv6.parse('2000::'), 3);
    return address.range() === 'unicast' && globalUnicast
      ? null
      : 'The address must be reachable by the public, not inside a private network.';
  }
  const isPrivate = privateSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
  return isPrivate || !host.includes('.') ? 'The address must be reachable by the public, not inside a private network.' : null;
}
