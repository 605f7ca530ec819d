import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { countEvidence } from '../../evidence/countEvidence.ts';
import type { ClientActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { limits } from '../../shared/limits.ts';
import { locking, takeLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { mayStart } from '../../shared/stateMachine.ts';
import { revocationLifecycle, revocationTransitions } from '../revocationStatus.ts';

type AcknowledgeRevocation = {
  readonly actor: ClientActor;
  readonly client: { readonly no: number };
  readonly revocationId: string;
  /** As sent, but without quotes. */
  readonly idempotencyKey: string;
  readonly deletionCompleted: boolean;
  readonly now: Date;
};

/** Instants are PostgreSQL's text. */
type LockedRevocation = {
  readonly acknowledgedAt: string | null;
  readonly deletionDeadlineAt: string;
  readonly fixture: boolean;
  readonly integrationId: string;
  readonly operatorId: string;
};

/** Acknowledgements of one revocation wait for each other here (primary key). */
const lockRevocationSql = locking(
  'revocation',
  'no key update of r',
  (clause) => `
select r.acknowledged_at as "acknowledgedAt", r.deletion_deadline_at as "deletionDeadlineAt", r.fixture, i.id as "integrationId", i.operator_id as "operatorId"
  from revocation r join client k on k.no = r.client_no join integration i on i.id = k.integration_id
 where r.client_no = $1 and r.id = $2 ${clause}`,
);

/** Primary key. */
const acknowledgeSql = `
update revocation set ${revocationLifecycle.sets('acknowledgeRevocation', { acknowledgedAt: '$3' })}
 where client_no = $1 and id = $2 and ${revocationLifecycle.mayStart('acknowledgeRevocation', { now: '$3' })}`;

/**
 * Waits for a key that another transaction is storing at this moment. A key that has aged out is replaced. No row means that the key is in
 * use.
 */
const storeKeySql = `
insert into acknowledgement_key as k (client_no, key, revocation_id, created_at) values ($1, $2, $3, $4)
on conflict (client_no, key) do update set revocation_id = excluded.revocation_id, created_at = excluded.created_at
 where k.created_at <= $5
returning revocation_id`;

const findKeySql = 'select revocation_id from acknowledgement_key where client_no = $1 and key = $2 and created_at > $3';

/**
 * Stores that the operator has deleted every copy (docs/specification.md, “Acknowledgement”). Acknowledging a connection's revocation does
 * not cover resources that were revoked on their own before it. A repeated call returns the first acknowledgement, even after the deadline,
 * and is not recorded again. Errors, none of which changes anything: not_found (unknown, or another client's), idempotency_key_reused,
 * deletion_not_completed, acknowledgement_window_closed.
 */
export function acknowledgeRevocation(
  em: EntityManager,
  { actor, client, revocationId, idempotencyKey, deletionCompleted, now }: AcknowledgeRevocation,
): Promise<{ revocationId: string; acknowledgedAt: Date }> {
  const keptSince = new Date(now.getTime() - limits.idempotencyKeyLifetime);
  return em.transactional(async (tx) => {
    const [revocation] = await takeLock<LockedRevocation>(tx, lockRevocationSql, [client.no, revocationId]);
    if (!revocation) throw new DomainError('not_found', { detail: 'There is no such revocation.' });
    if (!deletionCompleted) {
      const used = await sql(tx, findKeySql, [client.no, idempotencyKey, keptSince]);
      throw new DomainError(used.length > 0 ? 'idempotency_key_reused' : 'deletion_not_completed');
    }
    const stored = await sql(tx, storeKeySql, [client.no, idempotencyKey, revocationId, now, keptSince]);
    if (stored.length === 0) {
      const [used] = await sql<{ revocation_id: string }>(tx, findKeySql, [client.no, idempotencyKey, keptSince]);
      if (used?.revocation_id !== revocationId) throw new DomainError('idempotency_key_reused');
    }
    if (revocation.acknowledgedAt) return { revocationId, acknowledgedAt: new Date(revocation.acknowledgedAt) };
    const state = revocationLifecycle.stateOf(revocation, now);
    if (!mayStart(revocationTransitions, 'acknowledgeRevocation', state)) throw new DomainError('acknowledgement_window_closed');
    await sql(tx, acknowledgeSql, [client.no, revocationId, now]);
    await record(tx, actor, now, {
      action: 'revocation.acknowledged',
      subject: { type: 'revocation', id: revocationId },
      operatorId: revocation.operatorId,
      integrationId: revocation.integrationId,
    });
    await countEvidence(tx, { clientNo: client.no, kind: 'tombstone_acknowledged', now });
    return { revocationId, acknowledgedAt: now };
  });
}
