import type { EntityManager } from '@mikro-orm/postgresql';
import { certificateLimits } from './certificateLimits.ts';
import { sql } from '../shared/sql.ts';
import { failCertificate } from './issueCertificate.ts';
import { certificateLifecycle } from './certificateStatus.ts';

/** By certificate_listed, whose first columns this names. A package has an earlier end of its own (`expireP12s`). */
const unissuedSql = `
select id from certificate where ${certificateLifecycle.mayStart('failCertificate')} and source in ('csr', 'est') and requested_at <= $1 order by requested_at limit 500`;

/**
 * Gives up on requests that no worker has finished for a week, such as when the last attempt was killed, so that their slots are free and
 * the portal can report it. It can be repeated.
 */
export async function failUnissued(em: EntityManager, now: Date): Promise<void> {
  const requestedBefore = new Date(now.getTime() - certificateLimits.certificateIssuingTime);
  for (;;) {
    const due = await sql<{ id: string }>(em, unissuedSql, [requestedBefore]);
    if (due.length === 0) return;
    for (const { id } of due) await failCertificate(em, id);
  }
}
