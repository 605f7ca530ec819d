import type { EntityManager } from '@mikro-orm/postgresql';
import { enqueue } from '../jobs.ts';
import { newId } from '../shared/ids.ts';
import { Mail, type MailKind } from './Mail.ts';

/** Queues one mail in the caller's transaction; a second one of the same kind about the same subject is refused by the database. */
export async function enqueueMail(
  tx: EntityManager,
  { kind, subjectId, recipient, now }: { kind: MailKind; subjectId: string; recipient: string; now: Date },
): Promise<void> {
  const id = newId('mail');
  tx.persist(tx.create(Mail, { id, kind, subjectId, recipient, createdAt: now, sentAt: null }));
  await enqueue(tx, 'sendMail', { mailId: id });
}
