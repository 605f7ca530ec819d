import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClientActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { limits } from '../../shared/limits.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { mayStart } from '../../shared/stateMachine.ts';
import { revocationLifecycle, revocationTransitions } from '../revocationStatus.ts';

type AcknowledgeRevocation = {
  readonly actor: ClientActor;
  readonly client: { readonly number: number };
  readonly revocationId: string;
  /** As sent, but without quotes. */
  readonly idempotencyKey: string;
  readonly deletionCompleted: boolean;
  readonly now: Date;
};

/** Instants are PostgreSQL's text. */
type LockedRevocation = {
  readonly acknowledgedAt: Date | null;
  readonly deletionDeadlineAt: Date;
  readonly fixture: boolean;
};

/** Acknowledgements of one revocation wait for each other here (primary key). */
const lockRevocationSql = 'select lock_revocation($1::int, $2)';

/** Primary key. */
const lockedSql = `
select acknowledged_at as "acknowledgedAt", deletion_deadline_at as "deletionDeadlineAt", fixture from revocation where client_number = $1 and id = $2`;

/** A function of the database's, which judges again and tells the trail, because the machine API may not do so itself (docs/operating.md, “Roles”). */
const acknowledgeSql = 'select acknowledge_revocation($1::int, $2, $3, $4::inet, $5::timestamptz)';

/**
 * Waits for a key that another transaction is storing at this moment. A key that has aged out is replaced. No row means that the key is in
 * use.
 */
const storeKeySql = `
insert into acknowledgement_key as k (client_number, key, revocation_id, created_at) values ($1, $2, $3, $4)
on conflict (client_number, key) do update set revocation_id = excluded.revocation_id, created_at = excluded.created_at
 where k.created_at <= $5
returning revocation_id`;

const findKeySql = 'select revocation_id from acknowledgement_key where client_number = $1 and key = $2 and created_at > $3';

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
    noteLock(tx, 'revocation');
    await sql(tx, lockRevocationSql, [client.number, revocationId]);
    const [revocation] = await sql<LockedRevocation>(tx, lockedSql, [client.number, revocationId]);
    if (!revocation) throw new DomainError('not_found', { detail: 'There is no such revocation.' });
    if (!deletionCompleted) {
      const used = await sql(tx, findKeySql, [client.number, idempotencyKey, keptSince]);
      throw new DomainError(used.length > 0 ? 'idempotency_key_reused' : 'deletion_not_completed');
    }
    const stored = await sql(tx, storeKeySql, [client.number, idempotencyKey, revocationId, now, keptSince]);
    if (stored.length === 0) {
      const [used] = await sql<{ revocation_id: string }>(tx, findKeySql, [client.number, idempotencyKey, keptSince]);
      if (used?.revocation_id !== revocationId) throw new DomainError('idempotency_key_reused');
    }
    if (revocation.acknowledgedAt) return { revocationId, acknowledgedAt: revocation.acknowledgedAt };
    const state = revocationLifecycle.stateOf(revocation, now);
    if (!mayStart(revocationTransitions, 'acknowledgeRevocation', state)) throw new DomainError('acknowledgement_window_closed');
    noteLock(tx, 'evidence');
    await sql(tx, acknowledgeSql, [client.number, revocationId, actor.requestId, actor.ip, now]);
    return { revocationId, acknowledgedAt: now };
  });
}
