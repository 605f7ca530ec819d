import { createHmac, hkdfSync } from 'node:crypto';
import type { LookupKeys } from './keySet.ts';

type Environment = 'sandbox' | 'production';

/**
 * What the database holds in place of values that must not be stored: HMAC-SHA-256 under a `lookup` key of the key ring, separate for each
 * use and environment, so that equal values of two uses never match.
 */
function lookup(key: Buffer, parts: readonly string[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}

/**
 * A user of the order-tracking service, whose reference is opaque to us. It is kept for ever and compared between tables, so it is always
 * made with the first key (docs/decisions/access/0042).
 */
export function userRef({ first }: Pick<LookupKeys, 'first'>, environment: Environment, user: string): Buffer {
  return lookup(first, ['user', environment, user]);
}

/** An order or stock vehicle by the order-tracking service's own key; kept as long as a user's reference, and made with the same key. */
export function sourceKey(
  { first }: Pick<LookupKeys, 'first'>,
  environment: Environment,
  type: 'order' | 'vehicle',
  source: string,
): Buffer {
  return lookup(first, ['source', environment, type, source]);
}

/** What is stored of a ten-digit link code. */
export function linkCodeHmac(key: Buffer, environment: Environment, code: string): Buffer {
  return lookup(key, ['link code', environment, code]);
}

/** Everything that may be stored of a ten-digit link code, depending on which key was current when it was made. */
export function linkCodeHmacs({ readable }: Pick<LookupKeys, 'readable'>, environment: Environment, code: string): Buffer[] {
  return readable.map((key) => linkCodeHmac(key, environment, code));
}

/** A P12 package's claim token, under a key of its own. */
export function claimTokenHmac(key: Buffer, certificateId: string, token: string): Buffer {
  return lookup(Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), 'p12 claim token', 32)), [certificateId, token]);
}
