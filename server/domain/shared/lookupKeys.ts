import { createHmac, hkdfSync } from 'node:crypto';

type Environment = 'sandbox' | 'production';

/**
 * What the database holds in place of values that must not be stored: HMAC-SHA-256 under the key ring's `lookup` key, separate for each use
 * and environment, so that equal values of two uses never match.
 */
function lookup(key: Buffer, parts: readonly string[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}

/** A user of the order-tracking service, whose reference is opaque to us. */
export function userRef(key: Buffer, environment: Environment, user: string): Buffer {
  return lookup(key, ['user', environment, user]);
}

/** An order or stock vehicle by the order-tracking service's own key. */
export function sourceKey(key: Buffer, environment: Environment, type: 'order' | 'vehicle', source: string): Buffer {
  return lookup(key, ['source', environment, type, source]);
}

/** A ten-digit link code. */
export function linkCodeHmac(key: Buffer, environment: Environment, code: string): Buffer {
  return lookup(key, ['link code', environment, code]);
}

/** A P12 package's claim token, under a key of its own. */
export function claimTokenHmac(key: Buffer, certificateId: string, token: string): Buffer {
  return lookup(Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), 'p12 claim token', 32)), [certificateId, token]);
}
