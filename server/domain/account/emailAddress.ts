import { z } from 'zod';

const address = z.email().max(254);

/** The address as typed, trimmed; null when it is not an e-mail address (RFC 5321 length, one @, a domain with a dot). */
export function parseEmail(text: string): string | null {
  const trimmed = text.trim();
  return address.safeParse(trimmed).success ? trimmed : null;
}

/** The form in which two spellings are one account: Unicode-normalised and lower case. */
export function emailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}
