import type { EntityManager } from '@mikro-orm/postgresql';
import { certificateLimits } from '../certificateLimits.ts';
import { locking, takeLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { lockCertificate } from '../revokeCertificate.ts';
import { endP12 } from './endP12.ts';
import { failP12 } from './makeP12.ts';
import { p12Lifecycle } from './package/p12Status.ts';

const actor = { type: 'system', name: 'expireP12s' } as const;
const slice = 500;

/** By p12_package_waiting. `$2` are those that this run has seen. */
const unclaimedSql = `
select certificate_id as id from p12_package
 where ${p12Lifecycle.mayStart('expireP12')} and claim_until <= $1 and certificate_id <> all ($2::text[])
 order by claim_until limit ${slice}`;

/** By p12_package_making. */
const unmadeSql = `
select p.certificate_id as id from p12_package p join certificate x on x.id = p.certificate_id
 where ${p12Lifecycle.mayStart('failP12', { row: 'p' })} and x.requested_at <= $1 and p.certificate_id <> all ($2::text[])
 order by p.certificate_id limit ${slice}`;

const lockPackageSql = locking(
  'p12Package',
  'no key update',
  (clause) =>
    `select 1 from p12_package where certificate_id = $1 and ${p12Lifecycle.mayStart('expireP12')} and claim_until <= $2 ${clause}`,
);

/**
 * Ends every package that was not claimed in time (docs/specification.md, “P12 packages”), and fails those that no worker has finished for
 * an hour, such as when the last attempt was killed. Each is a transaction of its own, so runs can be repeated and overlap. One that cannot
 * be ended does not hold up the others; it is left for the next run, and the first error is thrown at the end.
 */
export async function expireP12s(em: EntityManager, { now }: { now: Date }): Promise<void> {
  const requestedBefore = new Date(now.getTime() - certificateLimits.p12MakingTime);
  const errors = [
    ...(await eachOf(em, unclaimedSql, now, (certificateId) => expire(em.fork(), certificateId, now))),
    ...(await eachOf(em, unmadeSql, requestedBefore, (certificateId) => failP12(em.fork(), { certificateId, now }))),
  ];
  if (errors.length > 0) throw errors[0];
}

/** Acts on all that the statement finds, slice by slice, each once. Returns what went wrong. */
async function eachOf(em: EntityManager, text: string, until: Date, act: (certificateId: string) => Promise<void>): Promise<unknown[]> {
  const seen: string[] = [];
  const errors: unknown[] = [];
  for (;;) {
    const due = await sql<{ id: string }>(em, text, [until, seen]);
    if (due.length === 0) return errors;
    for (const { id } of due) {
      seen.push(id);
      await act(id).catch((error: unknown) => void errors.push(error));
    }
  }
}

async function expire(em: EntityManager, certificateId: string, now: Date): Promise<void> {
  await em.transactional(async (tx) => {
    const owner = await lockCertificate(tx, certificateId, null);
    // It may have been claimed in the meantime.
    const waiting = await takeLock(tx, lockPackageSql, [certificateId, now]);
    if (owner && waiting.length > 0) await endP12(tx, { actor, certificateId, owner, because: 'expired', now });
  });
}
