import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { numberWords } from '../../shared/text/numberWords.ts';
import { isPrivateName } from '../../shared/text/privateNames.ts';
import { longestUrl } from './profileFields.ts';

const notPublic = 'The address must be reachable by the public, not inside a private network.';

/**
 * Why the text is not a public HTTPS address on port 443, in words; null when it is one. Looks at the address alone, not at DNS. The text
 * is shown as it is and read by other programs, so anything that parsers understand differently is refused.
 */
export function publicUrlRefusal(text: string): string | null {
  if (text.length > longestUrl) return `The address has more than ${numberWords(longestUrl)} characters.`;
  // A URL parser silently drops or replaces these, but the text is stored and shown as it is.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) return 'The address must not contain spaces, backslashes or control characters.';
  if (!URL.canParse(text)) return 'Enter a complete address such as https://example.com/page.';
  const url = new URL(text);
  if (url.protocol !== 'https:') return 'The address must start with https://.';
  if (url.port !== '') return 'The address must use port 443. Leave out the port.';
  // Without both slashes, a browser takes it for a path relative to the page.
  const written = /^https:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (written === undefined) return 'The address must start with https://.';
  if (written.includes('@')) return 'The address must not contain a user name or password.';
  return publicHostRefusal(url.hostname) ?? spellingRefusal(written, url.hostname);
}

/**
 * A public address as it is kept. An address made only of the characters that RFC 3986 allows stays as typed; any other is converted to
 * them, so that a name in other letters cannot be taken for the one that it resembles.
 */
export function keptUrl(text: string): string {
  return /^[\w.~:/?#[\]@!$&'()*+,;=%-]*$/.test(text) ? text : new URL(text).href;
}

function publicHostRefusal(hostname: string): string | null {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host)) {
    const address = ipaddr.process(host);
    const globalUnicast = address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(ipaddr.IPv6.parse('2000::'), 3);
    return address.range() === 'unicast' && globalUnicast ? null : notPublic;
  }
  const isPrivate = isPrivateName(host, ['home.arpa', 'test']);
  if (isPrivate || !host.includes('.')) return notPublic;
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(host)
    ? null
    : 'The host of the address may contain only letters a to z, digits, hyphens and single dots.';
}

/** Hosts such as ex%61mple.com or 0x8.8.8.8 are read in one way by some programs and in another by others. */
function spellingRefusal(written: string, hostname: string): string | null {
  const host = written.toLowerCase().replace(/:(443)?$/, '');
  return /[^\x21-\x7e]/.test(host) || host === hostname ? null : `Write the host of the address as ${hostname}.`;
}
