import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import { presentTrace } from '../shared/traces.ts';
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

const queueMailSql = 'select queue_mail($1, $2, $3, $4, $5::json, $6::timestamptz, $7)';

/**
 * Queues one mail in the caller's transaction, at most once per kind and subject (`queue_mail`). The address is read when the mail is sent, and
 * muted topics are looked up then, too. Only `account_deleted` stores its address until it is sent, so queue it before the address is removed.
 */
export async function notify(tx: EntityManager, notification: Notification): Promise<void> {
  const { kind, subjectId, operatorId, integrationId, details, now } = notification;
  await sql(tx, queueMailSql, [
    kind,
    subjectId,
    operatorId,
    integrationId ?? null,
    JSON.stringify(details ?? {}),
    now,
    presentTrace() ?? null,
  ]);
}
