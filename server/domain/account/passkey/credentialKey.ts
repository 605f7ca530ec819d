import { createPublicKey } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { z } from 'zod';

const bytes = z.instanceof(Uint8Array);
const base64url = (part: Uint8Array): string => Buffer.from(part).toString('base64url');

/** The kinds of keys that new passkeys are offered (RFC 9053, RFC 8812): ES256 on P-256, Ed25519 and RS256. */
const kinds = z.union([
  z
    .object({ 1: z.literal(2), 3: z.literal(-7), '-1': z.literal(1), '-2': bytes, '-3': bytes })
    .transform((key) => ({ kty: 'EC', crv: 'P-256', x: base64url(key['-2']), y: base64url(key['-3']) })),
  z
    .object({ 1: z.literal(1), 3: z.literal(-8), '-1': z.literal(6), '-2': bytes })
    .transform((key) => ({ kty: 'OKP', crv: 'Ed25519', x: base64url(key['-2']) })),
  z
    .object({ 1: z.literal(3), 3: z.literal(-257), '-1': bytes, '-2': bytes })
    .transform((key) => ({ kty: 'RSA', n: base64url(key['-1']), e: base64url(key['-2']) })),
]);

/**
 * Whether a signature of this key (COSE) can be checked at sign-in, and at little cost: a key of a kind that was offered, on its curve, or RSA
 * with 2,048 to 4,096 bits and an exponent of at most 32 bits.
 */
export function isUsableKey(cose: Uint8Array): boolean {
  try {
    const decoded = z.map(z.unknown(), z.unknown()).parse(isoCBOR.decodeFirst(new Uint8Array(cose)));
    const key = createPublicKey({ key: kinds.parse(Object.fromEntries(decoded)), format: 'jwk' });
    if (key.asymmetricKeyType !== 'rsa') return true;
    const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
    return modulusLength >= 2_048 && modulusLength <= 4_096 && publicExponent < 2n ** 32n;
  } catch {
    return false;
  }
}
