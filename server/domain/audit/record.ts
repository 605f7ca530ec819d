import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../shared/actor.ts';
import { sql } from '../shared/sql.ts';

/** What happened to what. `details` never holds secrets, codes or personal data. */
export type AuditRecord = {
  readonly action: string;
  readonly subject: { readonly type: string; readonly id: string };
  /** Whose trail it belongs to, where that is not the actor. */
  readonly operatorId?: string;
  readonly integrationId?: string;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
};

/** Writes one line of the audit trail in the transaction of its cause. */
export async function record(tx: EntityManager, actor: Actor, at: Date, entry: AuditRecord): Promise<void> {
  const operatorId = actor.type === 'operator' ? actor.operatorId : null;
  await sql(
    tx,
    `insert into audit_entry (occurred_at, actor_type, actor_id, action, subject_type, subject_id, operator_id, integration_id, request_id, ip, details)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      at,
      actor.type,
      actorId(actor),
      entry.action,
      entry.subject.type,
      entry.subject.id,
      entry.operatorId ?? operatorId,
      entry.integrationId ?? null,
      actor.type === 'system' ? null : actor.requestId,
      actor.type === 'system' ? null : actor.ip,
      JSON.stringify(entry.details ?? {}),
    ],
  );
}

function actorId(actor: Actor): string {
  switch (actor.type) {
    case 'operator':
      return actor.operatorId;
    case 'service_token':
      return actor.tokenId;
    case 'client':
      return actor.clientId;
    case 'system':
      return actor.name;
  }
}
