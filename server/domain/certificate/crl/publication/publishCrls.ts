import type { EntityManager } from '@mikro-orm/postgresql';
import { Authority } from '../../Authority.ts';
import { type AuthorityKeys, openAuthority } from '../../authorities.ts';
import { isCrlDue, publishCrl } from './publishCrl.ts';

/**
 * Makes the revocation lists that are due, of every authority whose validity has not ended and whose key is in the database; the lists of
 * others are imported. It is safe to run at any time. If one authority's list cannot be made, the others' still are, and then it rejects.
 */
export async function publishCrls(em: EntityManager, { keys, now }: { keys: AuthorityKeys; now: Date }): Promise<void> {
  const failures: unknown[] = [];
  for (const authority of await em.find(Authority, { wrappedKey: { $ne: null }, notAfter: { $gt: now } }, { orderBy: { id: 'asc' } })) {
    try {
      while (await isCrlDue(em, authority.id, now)) {
        await publishCrl(em.fork(), { authorityId: authority.id, signer: openAuthority(authority, keys), now });
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, 'The revocation lists of several authorities could not be made.');
}
