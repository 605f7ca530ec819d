import { newId } from '../../../server/domain/shared/ids.ts';
import type { Rows } from './Rows.ts';

/** Entries of the audit trail with this action, the latest of them from now on back, one every `secondsApart`. */
export async function auditEntries(database: Rows, action: string, count: number, secondsApart = 0): Promise<void> {
  await database.rows(
    `insert into audit_entry (occurred_at, actor_type, actor_id, action, subject_type, subject_id)
     select now() - n * make_interval(secs => $3), 'system', 'filler', $1, 'test', n::text from generate_series(1, $2::int) n`,
    [action, count, secondsApart],
  );
}

/** A mail to an operator, about an integration or none, that has not been sent; returns its id. */
export async function unsentMail(
  database: Rows,
  { operatorId, integrationId }: { readonly operatorId: string; readonly integrationId?: string },
): Promise<string> {
  const id = newId('mail');
  await database.rows(
    `insert into mail (id, kind, subject_id, operator_id, integration_id, details, created_at) values ($1, 'suspended', $1, $2, $3, '{}', now())`,
    [id, operatorId, integrationId ?? null],
  );
  return id;
}
