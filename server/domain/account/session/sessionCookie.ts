import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeySet } from '../../shared/keySet.ts';

/** What a cookie contains: a session and the generation of its secret. */
export type SessionClaim = { readonly sessionId: string; readonly generation: number };

/** The cookie's value `<session>.<generation>.<HMAC>`. It is derived, so that parallel requests all get the same next one. */
export function sessionCookie({ current }: KeySet, { sessionId, generation }: SessionClaim): string {
  return `${sessionId}.${generation}.${mac(current, sessionId, generation)}`;
}

/** The claim of a cookie that this service created, or null. It says nothing about whether the session is still valid. */
export function parseSessionCookie({ readable }: KeySet, cookie: string): SessionClaim | null {
  const match = /^(ses_[0-9a-z]{26})\.(0|[1-9]\d{0,8})\.([\w-]{43})$/.exec(cookie);
  if (!match) return null;
  const [, sessionId = '', digits = '', presented = ''] = match;
  const isMadeWith = (key: Buffer) => timingSafeEqual(Buffer.from(presented), Buffer.from(mac(key, sessionId, Number(digits))));
  return readable.some(isMadeWith) ? { sessionId, generation: Number(digits) } : null;
}

function mac(sessionKey: Buffer, sessionId: string, generation: number): string {
  return createHmac('sha256', sessionKey).update(`${sessionId}.${generation}`).digest('base64url');
}
