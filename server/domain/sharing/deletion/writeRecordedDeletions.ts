import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAll } from '../../audit/record.ts';
import { countEvidence } from '../../evidence/countEvidence.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { sql } from '../../shared/sql.ts';
import { isLateSql, revocationLifecycle } from '../revocationStatus.ts';

/** An outstanding revocation that the caller has locked. */
export type RevocationKey = { readonly clientNumber: number; readonly id: string };

/** Primary key of revocation. */
const recordSql = `
update revocation r set ${revocationLifecycle.sets('recordDeletion', {
  acknowledgedAt: '$3',
  acknowledgedLate: isLateSql({ row: 'r', now: '$3' }),
  recordedByHand: 'true',
})}
  from unnest($1::int[], $2::text[]) chosen(client_number, id)
 where r.client_number = chosen.client_number and r.id = chosen.id and ${revocationLifecycle.mayStart('recordDeletion', { row: 'r' })}
returning r.client_number as "clientNumber", r.id, r.acknowledged_late as late`;

type WriteRecordedDeletions = {
  readonly actor: OperatorActor;
  readonly integrationId: string;
  readonly revocations: readonly RevocationKey[];
  readonly now: Date;
};

/**
 * Stores that the owner has recorded these deletions by hand, as late if the deadline has passed, each with its line in the trail. A
 * deletion in time is evidence for a review, as an acknowledgement is. Returns how many were late. Runs in the caller's transaction, on
 * locked rows.
 */
export async function writeRecordedDeletions(
  tx: EntityManager,
  { actor, integrationId, revocations, now }: WriteRecordedDeletions,
): Promise<number> {
  const recorded = await sql<RevocationKey & { late: boolean }>(tx, recordSql, [
    revocations.map(({ clientNumber }) => clientNumber),
    revocations.map(({ id }) => id),
    now,
  ]);
  await recordAll(
    tx,
    actor,
    now,
    recorded.map(({ id, late }) => ({
      action: 'revocation.deletion_recorded',
      subject: { type: 'revocation', id },
      integrationId,
      details: { late },
    })),
  );
  const inTime = recorded.filter(({ late }) => !late);
  for (const [clientNumber, { length }] of Map.groupBy(inTime, (revocation) => revocation.clientNumber)) {
    await countEvidence(tx, { clientNumber, kind: 'tombstone_acknowledged', times: length, now });
  }
  return recorded.length - inTime.length;
}
