import type { EntityManager } from '@mikro-orm/postgresql';
import type { Cursors } from '../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../shared/lists/page.ts';
import { refuseBadSearch } from '../shared/lists/search.ts';
import { sql } from '../shared/sql.ts';
import { splitTrace } from '../shared/traces.ts';
import type { AgeOrder } from './ageOrder.ts';
import { jobsNamed } from './jobsNamed.ts';

export const failedJobStates = ['retrying', 'running', 'failed'] as const;
export type FailedJobState = (typeof failedJobStates)[number];

/** A job that has failed at least once and is not done. */
export type FailedJob = {
  readonly id: string;
  readonly name: string;
  /** The job's payload: IDs, nothing personal. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly attempts: number;
  readonly maxAttempts: number;
  /** `failed`: it will not be tried again by itself. */
  readonly state: FailedJobState;
  readonly lastError: string;
  readonly createdAt: Date;
  readonly nextRunAt: Date | null;
};

type FailedJobFilter = {
  /** The full name of a kind of job, or what names single jobs: see `jobsNamed`. */
  readonly search?: string | null;
  readonly state?: FailedJobState | null;
};

type Asked = { readonly filter?: FailedJobFilter; readonly order?: AgeOrder } & PageRequest;
type Row = Omit<FailedJob, 'createdAt' | 'nextRunAt' | 'lastError'> & { lastError: string; createdAt: Date; runAt: Date };

/** Must have exactly the words of the indexes. */
const stateSql = `(case when j.locked_at is not null then 'running' when j.attempts < j.max_attempts then 'retrying' else 'failed' end)`;

const failedJobsSql = `
select j.id::text, t.identifier as name, j.payload, j.attempts, j.max_attempts as "maxAttempts", j.last_error as "lastError",
       ${stateSql} as state,
       j.created_at as "createdAt", j.run_at as "runAt"
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id`;

/** A page of the jobs that have failed and are not done. Errors: invalid_request. */
export function failedJobs(em: EntityManager, { filter = {}, order = 'newest', ...request }: Asked): Promise<Page<FailedJob>> {
  return page(request, {
    cursors,
    read: async (count, after) => {
      const search = filter.search?.trim() ?? '';
      refuseBadSearch(search, 'filter.search');
      const task = search === '' ? null : await taskOf(em, search);
      const ids = search === '' || task !== null ? null : await jobsNamed(em, search);
      const { text, values } = pageSql({ task, ids, state: filter.state ?? null }, order, after, count);
      return (await sql<Row>(em, text, values)).map(jobOf);
    },
  });
}

const cursors: Cursors<FailedJob, string> = { write: ({ id }) => id, read: (text) => (isJobId(text) ? text : undefined) };

async function taskOf(em: EntityManager, name: string): Promise<number | null> {
  const [task] = await sql<{ id: number }>(em, 'select id from graphile_worker._private_tasks where lower(identifier) = lower($1)', [name]);
  return task?.id ?? null;
}

/**
 * For what a search has found, the primary key. Otherwise the indexes svc_jobs_failed, svc_jobs_failed_task, svc_jobs_failed_state and
 * svc_jobs_failed_task_state, each in the order of the page. A single value is passed as an array of one, as in the audit trail, so that
 * PostgreSQL uses the right index.
 */
function pageSql(
  { task, ids, state }: { task: number | null; ids: readonly string[] | null; state: FailedJobState | null },
  order: AgeOrder,
  last: string | null,
  limit: number,
) {
  const values: unknown[] = [];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const [direction, opposite, beyond] = order === 'newest' ? ['desc', 'asc', '<'] : ['asc', 'desc', '>'];
  const parts = ['j.last_error is not null'];
  const sorted = [`j.id ${direction}`];
  if (ids !== null) {
    parts.push(`j.id = any (${place(ids)}::bigint[])`);
    if (state !== null) parts.push(`${stateSql} = ${place(state)}`);
  } else if (task !== null) {
    parts.push(`j.task_id = any (${place([task])}::int[])`);
    sorted.unshift(`j.task_id ${opposite}`);
    if (state !== null) parts.push(`${stateSql} = ${place(state)}`);
  } else if (state !== null) {
    parts.push(`${stateSql} = any (${place([state])}::text[])`);
    sorted.unshift(`${stateSql} ${opposite}`);
  }
  if (last !== null) parts.push(`j.id ${beyond} ${place(last)}::bigint`);
  const text = `${failedJobsSql} where ${parts.join(' and ')} order by ${sorted.join(', ')} limit ${place(limit)}`;
  return { text, values };
}

/** One of these jobs by primary key, or null if it is done, has not failed or never existed. */
export async function failedJob(em: EntityManager, jobId: string): Promise<FailedJob | null> {
  if (!isJobId(jobId)) return null;
  const [row] = await sql<Row>(em, `${failedJobsSql} where j.id = $1::bigint and j.last_error is not null`, [jobId]);
  return row ? jobOf(row) : null;
}

function isJobId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text);
}

function jobOf({ createdAt, runAt, ...row }: Row): FailedJob {
  return {
    ...row,
    payload: splitTrace(row.payload).rest as FailedJob['payload'],
    lastError: harmless(row.lastError, row.name),
    createdAt,
    nextRunAt: row.state === 'retrying' ? runAt : null,
  };
}

/** Our own workers write a sentence without data. Nothing is shown of any other message, such as one that a database driver quotes from. */
function harmless(error: string, name: string): string {
  const own = new RegExp(`^${name} failed(?: \\([A-Za-z0-9_]{1,40}\\))?; the log has the reason$`);
  return own.test(error) ? error : `${name} failed; the log has the reason`;
}
