import { domainToASCII } from 'node:url';
import validator from 'validator';
import { accountLimits } from './accountLimits.ts';

/** Before the @, only what every mail server accepts (RFC 5321, dot-string). Other letters need SMTPUTF8 all the way. */
const rules = { allow_utf8_local_part: false, allow_ip_domain: false, require_tld: true } as const;

/**
 * The address in the form to which mail is sent: trimmed, the part before the @ as typed, the domain in ASCII and lower case (RFC 5890).
 * Null if it is not an address on the public internet, or has a quoted part before the @, which hardly any program passes on unchanged.
 */
export function parseEmail(text: string): string | null {
  const typed = text.trim();
  // In ASCII, no domain gets shorter, and converting a long one takes time with the square of its length.
  if (typed.length > accountLimits.emailCharacters) return null;
  const [local, domain] = partsOf(typed);
  // A parser of hosts would also accept escapes, ports and numbers.
  if (local.includes('"') || !/^(?:[a-z0-9.-]|[^\p{ASCII}])+$/iu.test(domain)) return null;
  const address = `${local}@${domainToASCII(domain)}`;
  return validator.isEmail(address, rules) ? address : null;
}

/** Why `parseEmail` does not accept the text, in words. */
export function emailRefusal(text: string, example = 'name@example.com'): string {
  const typed = text.trim();
  if (typed.length > accountLimits.emailCharacters) return `An email address has at most ${accountLimits.emailCharacters} characters.`;
  return /[^\p{ASCII}]/u.test(partsOf(typed)[0])
    ? 'Before the @, use only letters from a to z, digits and characters such as . + & =, which every mail server accepts.'
    : `Enter an email address such as ${example}.`;
}

/** The form in which two spellings are one account: Unicode-normalised and in lower case, with the domain in ASCII. */
export function emailKey(email: string): string {
  // Nobody has such an address, and normalising it could take seconds.
  if (email.length > accountLimits.emailCharacters) return email;
  const key = email.normalize('NFKC').toLowerCase();
  const [local, domain] = partsOf(key);
  return /[^\p{ASCII}]/u.test(domain) ? `${local}@${domainToASCII(domain) || domain}` : key;
}

function partsOf(address: string): readonly [local: string, domain: string] {
  const at = address.lastIndexOf('@');
  return at === -1 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)];
}
