import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../domain/audit/record.ts';
import type { Actor } from '../domain/shared/actor.ts';
import { DomainError } from '../domain/shared/DomainError.ts';
import { newId } from '../domain/shared/ids.ts';
import { limits } from '../domain/shared/limits.ts';
import { noteLock } from '../domain/shared/locks.ts';
import { sql } from '../domain/shared/sql.ts';
import { wrapKey, wrappingKeyOf, type WrappingKeys } from '../platform/keyStore.ts';
import type { KeyPurpose } from './keyRing.ts';

type Rotation = { readonly masterKeys: WrappingKeys; readonly purpose: KeyPurpose; readonly actor: Actor; readonly now: Date };

/** While a new entry waits for its turn, none can follow it. Of two rotations at once, the second one finds nothing left to retire. */
const retireSql = `
update key_ring_entry set retired_at = $2
 where purpose = $1 and retired_at is null
   and not exists (select 1 from key_ring_entry earlier where earlier.purpose = $1 and earlier.retired_at > $3)
returning wrapped`;

const pendingSql = `select max(retired_at)::text as "activeFrom" from key_ring_entry where purpose = $1 and retired_at > $2`;

/**
 * Adds a key to the key ring. It is used from `activeFrom` on, when all running processes have read it; what the former one made stays
 * readable for as long as it can live (docs/specification.md, “Keys at rest”). Errors: conflict (the last rotation has not taken effect, or
 * no process has ever made a key). Throws Error if these are not the keys that wrap the ring.
 */
export function rotateKeyRing(
  em: EntityManager,
  { masterKeys, purpose, actor, now }: Rotation,
): Promise<{ readonly id: string; readonly activeFrom: Date }> {
  return em.transactional(async (tx) => {
    const activeFrom = new Date(now.getTime() + limits.keyActivationDelay);
    noteLock(tx, 'keyRing');
    const [former] = await sql<{ wrapped: Buffer }>(tx, retireSql, [purpose, activeFrom, now]);
    if (!former) throw await refusal(tx, purpose, now);
    const id = newId('key');
    // Under the key that wraps the former entry, because every running process has that one.
    const wrapped = wrapKey(wrappingKeyOf(masterKeys, purpose, former.wrapped), purpose, randomBytes(32));
    await sql(tx, 'insert into key_ring_entry (id, purpose, wrapped, created_at) values ($1, $2, $3, $4)', [id, purpose, wrapped, now]);
    const details = { purpose, activeFrom: activeFrom.toISOString() };
    await record(tx, actor, now, { action: 'key_ring.rotated', subject: { type: 'key_ring_entry', id }, details });
    return { id, activeFrom };
  });
}

async function refusal(tx: EntityManager, purpose: KeyPurpose, now: Date): Promise<DomainError> {
  const [pending] = await sql<{ activeFrom: string | null }>(tx, pendingSql, [purpose, now]);
  const detail =
    pending?.activeFrom == null
      ? `The key ring has no key for ${purpose} yet. Start the service once to create it.`
      : `The newest key for ${purpose} is used from ${new Date(pending.activeFrom).toISOString()} on. It can be followed by another one after that.`;
  return new DomainError('conflict', { detail });
}
