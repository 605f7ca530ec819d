import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { KeySet } from '../../shared/keySet.ts';
import { accountLimits } from '../accountLimits.ts';
import { sql } from '../../shared/sql.ts';

/** What a WebAuthn challenge is for, and who may answer it. It cannot be used for anything else, nor by anybody else. */
export type Ceremony = {
  readonly purpose: 'registration' | 'sign_in' | 'confirmation';
  /** The session's ID; to sign in, the secret of the browser (`Browser`). */
  readonly holder: string;
};

const nonceBytes = 16;
const timeBytes = 6;
const macBytes = 32;

/**
 * A challenge for five minutes. It carries its own proof (random bytes, the time, and an HMAC under the current key), so that beginning a
 * ceremony stores nothing: beginning many fills no table, and uses up no limit of others.
 */
export function makeChallenge(keys: KeySet, ceremony: Ceremony, now: Date): Uint8Array<ArrayBuffer> {
  const time = Buffer.alloc(timeBytes);
  time.writeUIntBE(now.getTime(), 0, timeBytes);
  const body = Buffer.concat([randomBytes(nonceBytes), time]);
  return new Uint8Array(Buffer.concat([body, mac(keys.current, ceremony, body)]));
}

/**
 * Whether this service made the challenge (base64url) for this ceremony less than five minutes ago. It asks no database, and says nothing
 * about whether the challenge has been used.
 */
export function isOwnChallenge(keys: KeySet, ceremony: Ceremony, challenge: string, now: Date): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  // One spelling of each, because its text is what is compared with what the authenticator signed.
  if (bytes.length !== nonceBytes + timeBytes + macBytes || bytes.toString('base64url') !== challenge) return false;
  const body = bytes.subarray(0, nonceBytes + timeBytes);
  const presented = bytes.subarray(body.length);
  return endOf(bytes) > now.getTime() && keys.readable.some((key) => timingSafeEqual(presented, mac(key, ceremony, body)));
}

/** Uses up a challenge of our own. False if it was used before; of two uses at the same moment, the second waits for the first. */
export async function useChallenge(em: EntityManager, challenge: string): Promise<boolean> {
  const used = await sql(em, 'insert into used_challenge (challenge_hash, expires_at) values ($1, $2) on conflict do nothing returning 1', [
    createHash('sha256').update(challenge).digest(),
    new Date(endOf(Buffer.from(challenge, 'base64url'))),
  ]);
  return used.length > 0;
}

function endOf(challenge: Buffer): number {
  return challenge.readUIntBE(nonceBytes, timeBytes) + accountLimits.challengeLifetime;
}

function mac(key: Buffer, { purpose, holder }: Ceremony, body: Buffer): Buffer {
  return createHmac('sha256', key).update(`webauthn-challenge:${purpose}:${holder}:`).update(body).digest();
}
