import { hkdfSync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { newId } from '../domain/shared/ids.ts';
import type { Clock } from '../domain/shared/clock.ts';
import { unwrapKey, wrapKey } from '../platform/keyStore.ts';

/** What a key of the ring is for. Each purpose has a key of its own, so that a leaked key opens nothing else. */
export const keyPurposes = ['session', 'verification_link', 'lookup', 'cursor'] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

/** The unwrapped key ring: 32 random bytes for each purpose. Rotating MASTER_KEY wraps them anew and changes none of them. */
export type KeyRing = Readonly<Record<KeyPurpose, Buffer>>;

/** Loads the ring, and makes any missing keys (as at the first start). Throws if MASTER_KEY does not open it. */
export async function loadKeyRing(databaseUrl: string, masterKey: Buffer, clock: Clock): Promise<KeyRing> {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  try {
    for (const purpose of keyPurposes) {
      await connection.query(
        'insert into key_ring_entry (id, purpose, wrapped, created_at) values ($1, $2, $3, $4) on conflict (purpose) where retired_at is null do nothing',
        [newId('key'), purpose, wrapKey(masterKey, purpose, randomBytes(32)), clock.now()],
      );
    }
    const { rows } = await connection.query<{ purpose: KeyPurpose; wrapped: Buffer }>(
      'select purpose, wrapped from key_ring_entry where retired_at is null',
    );
    return Object.fromEntries(rows.map((row) => [row.purpose, unwrapKey(masterKey, row.purpose, row.wrapped)])) as KeyRing;
  } finally {
    await connection.end();
  }
}

/** Derives a key for one use from a key of the ring (HKDF-SHA-256, RFC 5869). */
export function subKey(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), use, 32));
}
