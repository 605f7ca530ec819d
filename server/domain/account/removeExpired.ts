import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';

const day = 24 * 60 * 60 * 1000;

/** Removes what can never be used again: challenges at once, links and sessions a day after their end. Safe to run at any time. */
export async function removeExpired(em: EntityManager, { now }: { now: Date }): Promise<void> {
  const yesterday = new Date(now.getTime() - day);
  await sql(em, 'delete from webauthn_challenge where expires_at < $1', [now]);
  await sql(em, 'delete from verification_link where expires_at < $1', [yesterday]);
  await sql(em, 'delete from portal_session where expires_at < $1', [yesterday]);
  await sql(em, 'delete from email_change where expires_at < $1', [yesterday]);
  await sql(em, 'delete from attempt_window where window_start < $1', [yesterday]);
  await sql(em, 'delete from redeem_source where window_start < $1', [yesterday]);
}
