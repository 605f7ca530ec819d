import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../shared/ids.ts';
import { enqueue } from '../shared/jobs.ts';
import { sql } from '../shared/sql.ts';
import type { MailDetails, MailKind } from './mailKinds.ts';

/** The details of a kind, which are required where any of them is. */
type WithDetails<Kind extends MailKind> =
  Record<string, never> extends MailDetails[Kind] ? { readonly details?: MailDetails[Kind] } : { readonly details: MailDetails[Kind] };

/**
 * One thing to tell an operator. `subjectId` names the event: there is only one mail for each kind and subject, however often it is asked
 * for.
 */
export type Notification = {
  [Kind in MailKind]: {
    readonly kind: Kind;
    readonly subjectId: string;
    /** Whose address is read when the mail is sent; null only for a registration, whose link has the address. */
    readonly operatorId: string | null;
    readonly integrationId?: string;
    readonly now: Date;
  } & WithDetails<Kind>;
}[MailKind];

/**
 * Queues one mail in the caller's transaction, at most once per kind and subject. The address is read when the mail is sent, so that it
 * goes to the address of that time and a deleted account gets none; muted topics are looked up then, too. Only `account_deleted` stores its
 * address until it is sent, so queue it before the address is removed.
 */
export async function notify(tx: EntityManager, notification: Notification): Promise<void> {
  const { kind, subjectId, operatorId, integrationId, details, now } = notification;
  const [mail] = await sql<{ id: string }>(
    tx,
    `insert into mail (id, kind, subject_id, operator_id, integration_id, details, recipient, created_at)
     values ($1, $2, $3, $4, $5, $6, case when $2 = 'account_deleted' then (select email from operator where id = $4) end, $7)
     on conflict (kind, subject_id) do nothing returning id`,
    [newId('mail'), kind, subjectId, operatorId, integrationId ?? null, JSON.stringify(details ?? {}), now],
  );
  if (mail) await enqueue(tx, 'sendMail', { mailId: mail.id });
}
