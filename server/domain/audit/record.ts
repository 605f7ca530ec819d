import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../shared/actor.ts';
import { sql } from '../shared/sql.ts';
import type { AuditAction } from './auditActions.ts';

/** What happened to what. `details` never contains secrets, codes or personal data. */
export type AuditRecord = {
  readonly action: AuditAction;
  readonly subject: { readonly type: string; readonly id: string };
  /** Whose trail the line belongs to, if that is not the actor's. */
  readonly operatorId?: string;
  readonly integrationId?: string;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
};

/** Writes one line of the audit trail in the transaction of its cause. */
export function record(tx: EntityManager, actor: Actor, at: Date, entry: AuditRecord): Promise<void> {
  return recordAll(tx, actor, at, [entry]);
}

const recordSql =
  'select record_audit($1::timestamptz, $2, $3, $4, $5::inet, $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::json[])';

/** Writes many lines with one statement, when one cause affects many subjects. */
export async function recordAll(tx: EntityManager, actor: Actor, at: Date, entries: readonly AuditRecord[]): Promise<void> {
  if (entries.length === 0) return;
  const operatorId = actor.type === 'operator' ? actor.operatorId : null;
  await sql(tx, recordSql, [
    at,
    actor.type,
    actorId(actor),
    actor.type === 'system' ? null : actor.requestId,
    actor.type === 'system' ? null : actor.ip,
    entries.map(({ action }) => action),
    entries.map(({ subject }) => subject.type),
    entries.map(({ subject }) => subject.id),
    entries.map((entry) => entry.operatorId ?? operatorId),
    entries.map((entry) => entry.integrationId ?? null),
    entries.map((entry) => JSON.stringify(entry.details ?? {})),
  ]);
}

/** Who acted, in the words of the trail. */
export function actorId(actor: Actor): string | null {
  switch (actor.type) {
    case 'operator':
      return actor.operatorId;
    case 'service_token':
      return actor.tokenId;
    case 'client':
      return actor.clientId;
    case 'anonymous':
      return null;
    case 'system':
      return actor.name;
  }
}
