import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAll } from '../../audit/record.ts';
import type { Actor } from '../../shared/actor.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';

const revokeSql = `
update certificate_authority set revoked_at = $2, retired_at = least(retired_at, $2)
 where id = any ($1::text[]) and revoked_at is null returning id`;

/** If the one that was revoked was still waiting for its turn, the one before it goes on. */
const goOnSql = `
update certificate_authority set retired_at = null
 where kind = 'issuing' and revoked_at is null and retired_at > $1
   and not exists (select 1 from certificate_authority where kind = 'issuing' and retired_at is null)`;

/**
 * Stops trusting those of these issuing authorities that are still trusted: from the commit on, none of them issues. What they have issued is
 * revoked by `revokeUntrusted`, after the commit. Returns which there were.
 */
export async function revokeAuthorities(
  tx: EntityManager,
  { ids, actor, now }: { readonly ids: readonly string[]; readonly actor: Actor; readonly now: Date },
): Promise<string[]> {
  noteLock(tx, 'authority');
  const revoked = (await sql<{ id: string }>(tx, revokeSql, [[...ids], now])).map(({ id }) => id);
  await sql(tx, goOnSql, [now]);
  await recordAll(
    tx,
    actor,
    now,
    revoked.map((id) => ({ action: 'authority.revoked', subject: { type: 'authority', id } })),
  );
  return revoked;
}
