import type pg from 'pg';
import { oldestDueJob, queuedJobs, walArchiveAge } from '../server/platform/metrics.ts';
import { taskList } from './taskList.ts';

type Row = { readonly task: string; readonly state: 'due' | 'retrying' | 'failed'; readonly jobs: number; readonly oldest: number | null };

/**
 * Each part reads an index of its own and stops at 100,000, so that a queue that has grown is not made slower by being observed. Jobs that are
 * due come in the order in which they will be done; failed ones are those of the administrators' list (`svc_jobs_failed`).
 */
const queueSql = `
select t.identifier as task, q.state, count(*)::int as jobs,
       (extract(epoch from clock_timestamp() - min(q.due)))::float8 as oldest
  from ((select task_id, 'due' as state, run_at as due from graphile_worker._private_jobs
          where is_available and run_at <= clock_timestamp() order by priority, run_at limit 100000)
        union all
        (select task_id, case when attempts < max_attempts then 'retrying' else 'failed' end, null from graphile_worker._private_jobs
          where last_error is not null and locked_at is null and (attempts >= max_attempts or run_at > clock_timestamp())
          order by id desc limit 100000)) q
  join graphile_worker._private_tasks t on t.id = q.task_id
 group by 1, 2`;

/**
 * A restore from the archive loses at most what came after its last segment; before the first one, everything since PostgreSQL counts. Nobody but
 * PostgreSQL's administrators can tell how old other backups are.
 */
const archiveSql = `
select (extract(epoch from clock_timestamp() - coalesce(last_archived_time, stats_reset)))::float8 as age from pg_stat_archiver
 where current_setting('archive_mode') <> 'off'`;

/** Brings the metrics of the queue and of PostgreSQL's archive up to date. While the database is out of reach they have no values. */
export async function observeQueue(pool: pg.Pool): Promise<void> {
  queuedJobs.reset();
  oldestDueJob.reset();
  walArchiveAge.remove();
  const [queue, archive] = await Promise.allSettled([pool.query<Row>(queueSql), pool.query<{ age: number | null }>(archiveSql)]);
  if (queue.status === 'fulfilled') showQueue(queue.value.rows);
  const age = archive.status === 'fulfilled' ? archive.value.rows[0]?.age : undefined;
  if (age != null) walArchiveAge.set(age);
}

/** Every task has its values, so that an alarm can tell a queue that is empty from one that nobody looks at. */
function showQueue(rows: readonly Row[]): void {
  for (const task of Object.keys(taskList)) {
    oldestDueJob.set({ task }, 0);
    for (const state of ['due', 'retrying', 'failed']) queuedJobs.set({ task, state }, 0);
  }
  for (const { task, state, jobs, oldest } of rows) {
    queuedJobs.set({ task, state }, jobs);
    if (state === 'due') oldestDueJob.set({ task }, Math.max(0, oldest ?? 0));
  }
}
