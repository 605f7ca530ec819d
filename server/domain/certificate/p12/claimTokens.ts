import { randomBytes } from 'node:crypto';

/** A new claim token: 32 random bytes, base64url. Only its HMAC is stored (`claimTokenHmac`). */
export function newClaimToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text has the form of a claim token. It says nothing about whether it is one. */
export function hasClaimTokenForm(text: string): boolean {
  return /^[\w-]{43}$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text;
}
