import type { EntityManager } from '@mikro-orm/postgresql';
import { locking, takeLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { lockCertificate } from '../revokeCertificate.ts';
import { endP12 } from './endP12.ts';
import { p12Lifecycle } from './package/p12Status.ts';

const actor = { type: 'system', name: 'expireP12s' } as const;
const slice = 500;

/** By p12_package_waiting. */
const dueSql = `
select certificate_id as id from p12_package
 where ${p12Lifecycle.mayStart('expireP12')} and claim_until <= $1 and certificate_id <> all ($2::text[])
 order by claim_until limit ${slice}`;

const lockPackageSql = locking(
  'p12Package',
  'no key update',
  (clause) =>
    `select 1 from p12_package where certificate_id = $1 and ${p12Lifecycle.mayStart('expireP12')} and claim_until <= $2 ${clause}`,
);

/**
 * Ends every package that was not claimed in time (docs/specification.md, “P12 packages”). Each is a transaction of its own, so runs can be
 * repeated and overlap. One that fails does not hold up the others; it is left for the next run, and the first error is thrown at the end.
 */
export async function expireP12s(em: EntityManager, { now }: { now: Date }): Promise<void> {
  const failed: string[] = [];
  const errors: unknown[] = [];
  for (;;) {
    const due = await sql<{ id: string }>(em, dueSql, [now, failed]);
    if (due.length === 0) break;
    for (const { id } of due) {
      try {
        await expire(em.fork(), id, now);
      } catch (error) {
        failed.push(id);
        errors.push(error);
      }
    }
  }
  if (errors.length > 0) throw errors[0];
}

async function expire(em: EntityManager, certificateId: string, now: Date): Promise<void> {
  await em.transactional(async (tx) => {
    const owner = await lockCertificate(tx, certificateId, null);
    // It may have been claimed in the meantime.
    const waiting = await takeLock(tx, lockPackageSql, [certificateId, now]);
    if (owner && waiting.length > 0) await endP12(tx, { actor, certificateId, owner, because: 'expired', now });
  });
}
