import type { EntityManager } from '@mikro-orm/postgresql';
import { isUnknownSql } from '../../integration/integrationStatus.ts';
import { limits } from '../../shared/limits.ts';
import { sql } from '../../shared/sql.ts';
import { revocationLifecycle } from '../revocationStatus.ts';
import { suspendForMissedDeletion } from './suspendForMissedDeletion.ts';
import { warnOfDeletionDeadline } from './warnOfDeletionDeadline.ts';

/** The integrations of the revocations that are due next, by `revocation_deadline`; without those in a status that only a later release knows. */
const missedSql = `
select distinct integration_id as "integrationId" from (
  select k.integration_id from revocation r join client k on k.number = r.client_number and k.environment = 'production'
    join integration i on i.id = k.integration_id and not ${isUnknownSql('i')}
   where ${revocationLifecycle.mayStart('enforceDeletionDeadline', { row: 'r', now: '$1' })} and r.enforced_at is null and k.integration_id <> all ($3::text[])
   order by r.deletion_deadline_at limit $2) due`;

/** Revocations to warn about: after day 5 but before the deadline, since a warning after it would be of no use. */
const nearSql = `
select distinct integration_id as "integrationId" from (
  select k.integration_id from revocation r join client k on k.number = r.client_number and k.environment = 'production'
   where ${revocationLifecycle.mayStart('warnOfDeletionDeadline', { row: 'r', now: '$1' })} and r.warned_at is null and r.deletion_deadline_at > $1 and r.deletion_deadline_at <= $4
     and k.integration_id <> all ($3::text[])
   order by r.deletion_deadline_at limit $2) due`;

/**
 * The two consequences of an outstanding deletion, in production only: a warning to the owner on day 5, and the suspension on day 7
 * (docs/specification.md, “Deletion deadlines”). It looks at the stored state and not at the time of its last run, so it catches up after
 * any pause. Each integration is one transaction that marks what it has handled, so runs can be repeated and overlap. An integration that
 * fails does not hold up the others: it is left for the next run, and the first error is thrown when all others are done.
 */
export async function enforceDeletionDeadlines(em: EntityManager, { now }: { now: Date }): Promise<void> {
  const warnBefore = new Date(now.getTime() + limits.deletionDeadline - limits.deletionWarning);
  const missed = await eachDue(em, missedSql, { now }, (integrationId) => suspendForMissedDeletion(em.fork(), { integrationId, now }));
  const near = await eachDue(em, nearSql, { now, warnBefore }, (integrationId) =>
    warnOfDeletionDeadline(em.fork(), { integrationId, now, warnBefore }),
  );
  const [error] = [...missed, ...near];
  if (error !== undefined) throw error;
}

/** Works in slices until nothing is due. `act` marks what it handles, so the next slice contains others. Returns what went wrong. */
async function eachDue(
  em: EntityManager,
  text: string,
  { now, warnBefore }: { now: Date; warnBefore?: Date },
  act: (integrationId: string) => Promise<unknown>,
): Promise<unknown[]> {
  const failed: string[] = [];
  const errors: unknown[] = [];
  for (;;) {
    const parameters = [now, limits.deadlineSlice, failed, ...(warnBefore ? [warnBefore] : [])];
    const rows = await sql<{ integrationId: string }>(em, text, parameters);
    if (rows.length === 0) return errors;
    for (const { integrationId } of rows) {
      try {
        await act(integrationId);
      } catch (error) {
        failed.push(integrationId);
        errors.push(error);
      }
    }
  }
}
