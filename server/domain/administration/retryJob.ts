import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';
import { failedJob, type FailedJob } from './failedJobs.ts';

/** The attempts start from zero. A job that a worker holds at this moment is left alone. */
const retrySql = 'select id from graphile_worker.reschedule_jobs(array[$1::bigint], run_at => now(), attempts => 0)';

/** A mail of which nobody knows whether it has arrived is handed over again. By the primary keys. */
const handOverAgainSql = `
update mail m set handovers = 0 from graphile_worker._private_jobs j
 where j.id = $1 and m.id = j.payload ->> 'mailId' and m.sent_at is null and m.handovers > 0`;

/** Lets a failed job run again now, with all its attempts. Errors: not_found, conflict (it is running). */
export function retryJob(em: EntityManager, { actor, jobId, now }: { actor: OperatorActor; jobId: string; now: Date }): Promise<FailedJob> {
  return em.transactional(async (tx) => {
    const job = await failedJob(tx, jobId);
    if (!job) throw new DomainError('not_found', { detail: 'This job no longer exists: it has succeeded since, or never failed.' });
    const [rescheduled] = await sql(tx, retrySql, [jobId]);
    if (!rescheduled) throw new DomainError('conflict', { detail: 'This job is running right now. Check again in a minute.' });
    await sql(tx, handOverAgainSql, [jobId]);
    await record(tx, actor, now, { action: 'job.retried', subject: { type: 'job', id: job.id }, details: { name: job.name } });
    return (await failedJob(tx, jobId)) ?? job;
  });
}
