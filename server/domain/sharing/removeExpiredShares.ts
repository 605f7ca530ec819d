import type { EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';

/**
 * Removes link codes a day after their time and acknowledgement keys after 30 days (indexes link_code_expiry, acknowledgement_key_age).
 * Safe to run at any time.
 */
export async function removeExpiredShares(em: EntityManager, { now }: { now: Date }): Promise<void> {
  await sql(em, 'delete from link_code where expires_at <= $1', [new Date(now.getTime() - limits.linkCodeKept)]);
  await sql(em, 'delete from acknowledgement_key where created_at <= $1', [new Date(now.getTime() - limits.idempotencyKeyLifetime)]);
}
