import type { EntityManager } from '@mikro-orm/postgresql';
import type { KeySet } from '../../shared/keySet.ts';
import { sql } from '../../shared/sql.ts';
import { tokenHash, verificationToken } from './requestRegistration.ts';

/**
 * The secret of a link that is on record. It is derived from the key that was current when the link was made, which the stored hash tells.
 * Throws Error if this process has no such key.
 */
export async function linkToken(em: EntityManager, { readable }: KeySet, linkId: string): Promise<string> {
  const [link] = await sql<{ hash: Buffer }>(em, 'select token_hash as hash from verification_link where id = $1', [linkId]);
  const token = readable.map((key) => verificationToken(key, linkId)).find((each) => link?.hash.equals(tokenHash(each)));
  if (token === undefined) throw new Error('The link was made with a key of the key ring that this process does not have.');
  return token;
}
