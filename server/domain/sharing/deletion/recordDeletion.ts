import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { hasIdForm } from '../../shared/ids.ts';
import { locking, takeLock } from '../../shared/locks.ts';
import { revocationLifecycle } from '../revocationStatus.ts';
import { writeRecordedDeletions } from './writeRecordedDeletions.ts';
import { findRevocation, type OwnRevocation } from './ownRevocations.ts';

/** The operator's few clients, then the primary key. Acknowledgements of one revocation wait for each other here. */
const lockSql = locking(
  'revocation',
  'no key update of r',
  (clause) => `
select r.client_number as "clientNumber", i.id as "integrationId", ${revocationLifecycle.mayStart('recordDeletion', { row: 'r' })} as outstanding
  from integration i join client k on k.integration_id = i.id join revocation r on r.client_number = k.number and r.id = $1
 where i.operator_id = $2 ${clause}`,
);

type LockedRevocation = { clientNumber: number; integrationId: string; outstanding: boolean };

/**
 * The owner states in the portal that every copy is deleted (docs/specification.md, “Recorded deletions”). This is possible in every
 * status, and also when the machine API no longer accepts the acknowledgement; the deletion is then recorded as late. Nothing else changes:
 * a suspension stays until an administrator ends it. Errors: not_found, conflict (already acknowledged).
 */
export function recordDeletion(
  em: EntityManager,
  { actor, revocationId, now }: { actor: OperatorActor; revocationId: string; now: Date },
): Promise<OwnRevocation> {
  return em.transactional(async (tx) => {
    const [revocation] = hasIdForm('rev', revocationId)
      ? await takeLock<LockedRevocation>(tx, lockSql, [revocationId, actor.operatorId])
      : [];
    if (!revocation) throw new DomainError('not_found', { detail: 'There is no such revocation.' });
    const { clientNumber, integrationId, outstanding } = revocation;
    if (!outstanding)
      throw new DomainError('conflict', { detail: 'This deletion has already been acknowledged. There is nothing left to do.' });
    await writeRecordedDeletions(tx, { actor, integrationId, revocations: [{ clientNumber, id: revocationId }], now });
    return findRevocation(tx, { clientNumber, revocationId, now });
  });
}
