import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../shared/sql.ts';
import { tokenHash } from './linkToken.ts';

/** By the unique index of the link's hash. */
const changeOfLinkSql = `
select c.new_email as "newEmail"
  from verification_link l join email_change c on c.id = l.email_change_id
 where l.token_hash = $1 and l.consumed_at is null and l.expires_at > $2 and c.completed_at is null and c.cancelled_at is null`;

/**
 * The new address that the link of a change of address confirms, for the page that asks for the confirmation; null if the link is over. The link
 * is the proof, and using it would tell no less.
 */
export async function emailChangeOfLink(em: EntityManager, { token, now }: { token: string; now: Date }): Promise<string | null> {
  const [change] = await sql<{ newEmail: string }>(em, changeOfLinkSql, [tokenHash(token), now]);
  return change?.newEmail ?? null;
}
