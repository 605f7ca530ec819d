import { createHash, createHmac } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { KeySet } from '../../shared/keySet.ts';
import { sql } from '../../shared/sql.ts';

/**
 * The secret of a link that is on record. It is derived from the key that was current when the link was made, which the stored hash tells.
 * Throws Error if this process has no such key.
 */
export async function linkToken(em: EntityManager, keys: KeySet, linkId: string): Promise<string> {
  return verificationToken(await linkKey(em, keys, linkId), linkId);
}

/** The key that was current when the link was made. Throws Error as `linkToken` does. */
export async function linkKey(em: EntityManager, { readable }: KeySet, linkId: string): Promise<Buffer> {
  const [link] = await sql<{ hash: Buffer }>(em, 'select token_hash as hash from verification_link where id = $1', [linkId]);
  const key = readable.find((each) => link?.hash.equals(tokenHash(verificationToken(each, linkId))));
  if (!key) throw new Error('The link was made with a key of the key ring that this process does not have.');
  return key;
}

/** The secret of a link. It is derived, so that the worker that sends the mail needs no stored copy. */
export function verificationToken(key: Buffer, linkId: string): string {
  return createHmac('sha256', key).update(linkId).digest('base64url');
}

/** What the database keeps of a token. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
