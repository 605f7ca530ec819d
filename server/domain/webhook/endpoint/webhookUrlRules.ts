import { domainToUnicode } from 'node:url';
import { isPrivateName } from '../../shared/text/privateNames.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';

/** Only reverse look-ups and home.arpa are below arpa. Names below .test are left to developers’ machines; no public name ends so. */
const neverReceivers = ['private', 'mail', 'svc', 'arpa'];

/**
 * Why a webhook endpoint cannot have this URL, in words, or null (docs/specification.md, “Webhook endpoints”). The URL is stored, shown,
 * signed and sent byte for byte, so whatever a URL parser would change on the way is refused; only a missing path and an explicit port 443
 * stay as they are. Whether the name leads to public addresses only is checked at every attempt.
 */
export function webhookUrlRefusal(url: string): string | null {
  if (url.length > webhookLimits.webhookUrlCharacters) return 'The URL must have at most 2,048 characters.';
  if (/\s/.test(url)) return 'The URL must not contain spaces or line breaks.';
  if (!url.startsWith('https://')) return schemeRefusal(url);
  if (url.includes('\\')) return 'The URL must not contain backslashes.';
  const authority = /^https:\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
  if (authority.includes('@')) return 'The URL must not contain a user name or password.';
  if (url.includes('#')) return 'The URL must not have a fragment: remove # and what follows it.';
  const [, name = '', port] = /^(.*?)(?::([^:\]]*))?$/.exec(authority) ?? [];
  return hostRefusal(name) ?? portRefusal(port) ?? asciiRefusal(url) ?? pathRefusal(url, authority);
}

function schemeRefusal(url: string): string {
  if (/^https:\/\//i.test(url)) return 'Write https:// in lower case.';
  if (/^http:/i.test(url)) return 'The URL must begin with https://; http is not encrypted.';
  return 'The URL must be absolute and begin with https://, such as https://hooks.example.com/events.';
}

function hostRefusal(host: string): string | null {
  if (host === '') return 'The URL must name a host after https://, such as hooks.example.com.';
  if (host.startsWith('[')) return 'The host must be a DNS name, not an IP address.';
  if (/[^\x21-\x7e]/.test(host)) return `Write the host in its ASCII form${asciiForm(host)}.`;
  if (host.includes('%')) return 'The host must not contain percent signs.';
  if (/[A-Z]/.test(host)) return `Write the host in lower case: ${host.toLowerCase()}.`;
  if (host.endsWith('.')) return 'The host must not end with a dot.';
  const labels = host.split('.');
  // URL parsers take such a name for an IPv4 address in another notation.
  if (/^(\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? '')) return 'The host must be a DNS name, not an IP address.';
  if (labels.includes('')) return 'The host must not contain two dots in a row or begin with a dot.';
  if (!labels.every((label) => /^[a-z0-9-]+$/.test(label)))
    return 'The host may contain only lower-case letters a to z, digits, hyphens and dots.';
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) return 'No part of the host may begin or end with a hyphen.';
  if (host.length > 253 || labels.some((label) => label.length > 63))
    return 'The host is too long: 63 characters for each part and 253 together are allowed.';
  if (labels.length < 2) return 'The host must be a full public name, such as hooks.example.com.';
  if (isPrivateName(host, neverReceivers)) return 'The host must be public. This name exists only inside private networks.';
  return /(^|\.)xn--/.test(domainToUnicode(host)) ? 'The host contains a part that begins with xn-- but does not encode a name.' : null;
}

/** For a name that can be written in ASCII, how to write it. */
function asciiForm(host: string): string {
  const url = URL.parse(`https://${host}`);
  return url ? `: ${url.hostname}` : '';
}

function portRefusal(port: string | undefined): string | null {
  if (port === undefined || port === '443') return null;
  return port === '' ? 'Remove the colon after the host.' : 'The URL must use port 443: remove the port.';
}

function asciiRefusal(url: string): string | null {
  return /^[\x21-\x7e]*$/.test(url)
    ? null
    : 'The URL may contain only printable ASCII characters; encode others with percent signs, as in %C3%A9.';
}

/** Holds what is after the host against RFC 3986, sections 3.3 and 3.4, and compares it with what a URL parser makes of it. */
function pathRefusal(url: string, authority: string): string | null {
  const rest = url.slice('https://'.length + authority.length);
  const { pathname, search } = new URL(url);
  const [path = '', ...query] = rest.split('?');
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) return 'The path must not contain the segments “.” or “..”, also not as %2e.';
  const parsedSearch = query.length > 0 && search === '' ? '?' : search;
  const [wrong] = /%(?![\dA-Fa-f]{2}).{0,2}|[^\w.~!$&'()*+,;=:@/?%-]/.exec(rest) ?? [];
  if (wrong?.startsWith('%'))
    return `The URL contains “${wrong}”: a percent sign must be followed by two hexadecimal digits, and is itself written as %25.`;
  if (wrong !== undefined) return `The URL contains “${wrong}”, which must be percent-encoded: write ${encodeURIComponent(wrong)}.`;
  const kept = (path === '' || path === pathname) && (query.length === 0 ? '' : `?${query.join('?')}`) === parsedSearch;
  return kept ? null : 'The URL contains characters that must be percent-encoded, such as quotation marks, angle brackets or braces.';
}
