import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAll } from '../../audit/record.ts';
import type { Actor } from '../../shared/actor.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { isAboutToRetire, isLatestIssuing } from '../authorityStatus.ts';

const revokeSql = `
update certificate_authority set revoked_at = $2, retired_at = least(retired_at, $2)
 where id = any ($1::text[]) and revoked_at is null returning id`;

const goOnSql = `
update certificate_authority a set retired_at = null
 where ${isAboutToRetire('$1', 'a')} and not exists (select 1 from certificate_authority next where ${isLatestIssuing('next')})`;

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
  await goOnWithFormer(tx, now);
  await recordAll(
    tx,
    actor,
    now,
    revoked.map((id) => ({ action: 'authority.revoked', subject: { type: 'authority', id } })),
  );
  return revoked;
}

/** If an authority that was still waiting for its turn has just been revoked or given up, the one before it goes on. */
export async function goOnWithFormer(tx: EntityManager, now: Date): Promise<void> {
  await sql(tx, goOnSql, [now]);
}
