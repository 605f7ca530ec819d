import type { EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';

/** Forgets mails that are long past, and the address of a farewell that could not be delivered. Safe to run at any time. */
export async function removeOldMails(em: EntityManager, { now }: { now: Date }): Promise<void> {
  await sql(em, 'update mail set recipient = null where recipient is not null and created_at < $1', [
    new Date(now.getTime() - limits.undeliveredRecipientKept),
  ]);
  await sql(em, 'delete from mail where created_at < $1', [new Date(now.getTime() - limits.mailKept)]);
}
