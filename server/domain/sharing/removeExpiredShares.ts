import type { EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';

/** Whatever somebody holds at this moment goes the next time: who locks several codes does it in their own order. */
const removeLinkCodesSql = `
delete from link_code where id in (select id from link_code where expires_at <= $1 for update skip locked)`;

/**
 * Removes link codes a day after their time and acknowledgement keys after 30 days (indexes link_code_expiry, acknowledgement_key_age).
 * Safe to run at any time.
 */
export async function removeExpiredShares(em: EntityManager, { now }: { now: Date }): Promise<void> {
  await sql(em, removeLinkCodesSql, [new Date(now.getTime() - limits.linkCodeKept)]);
  await sql(em, 'delete from acknowledgement_key where created_at <= $1', [new Date(now.getTime() - limits.idempotencyKeyLifetime)]);
}
