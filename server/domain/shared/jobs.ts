import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from './sql.ts';

/**
 * Every job and its payload, which contains only IDs, so that nothing personal is in the queue. Each job guards its effect in its own
 * transaction.
 */
export type JobPayloads = {
  sendMail: { readonly mailId: string };
  buildSandboxCorpus: { readonly clientNo: number; readonly generation: number };
  issueCertificate: { readonly certificateId: string };
  /** A slice of the operators, after the given one in the order of their IDs. */
  announceTerms: { readonly version: number; readonly after: string | null };
};

export type JobName = keyof JobPayloads;

/** When and how often a job is tried. */
type JobOptions = {
  /** Not before this moment, by the database’s clock. The default is at once. */
  readonly runAt?: Date;
  /** Replaces a job that is waiting under the same key, so that only one of them runs. */
  readonly key?: string;
  /** The largest number of attempts, with exponential backoff. The default is 25, which takes about four days. */
  readonly attempts?: number;
};

/** Queues a job in the caller's transaction. It runs after the commit, or never if there is no commit. */
export async function enqueue<Name extends JobName>(
  tx: EntityManager,
  name: Name,
  payload: JobPayloads[Name],
  { runAt, key, attempts }: JobOptions = {},
): Promise<void> {
  await sql(tx, addJobSql, [name, JSON.stringify(payload), runAt ?? null, key ?? null, attempts ?? null]);
}

/** Where a value is null, the queue's default holds. */
const addJobSql = `select graphile_worker.add_job($1, payload => $2::json, run_at => $3::timestamptz, job_key => $4, max_attempts => $5::int)`;
