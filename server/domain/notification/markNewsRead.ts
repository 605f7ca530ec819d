import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { sql } from '../shared/sql.ts';

/** Marks one of somebody’s own news as read. By the primary key. Errors: not_found. */
export async function markNewsRead(
  em: EntityManager,
  { operatorId, id, now }: { operatorId: string; id: string; now: Date },
): Promise<void> {
  const statement = 'update mail set read_at = coalesce(read_at, $3) where id = $2 and operator_id = $1 returning id';
  const found = hasIdForm('mail', id) ? await sql(em, statement, [operatorId, id, now]) : [];
  if (found.length === 0) throw new DomainError('not_found', { detail: 'There is no such news.' });
}

/** Marks all of somebody’s news up to a moment as read, so that what has come since they looked stays new. By mail_unread. */
export async function markAllNewsRead(
  em: EntityManager,
  { operatorId, until, now }: { operatorId: string; until: Date; now: Date },
): Promise<void> {
  await sql(em, 'update mail set read_at = $3 where operator_id = $1 and created_at <= $2 and read_at is null', [operatorId, until, now]);
}
