import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from './sql.ts';

/** Every job and what it is given: ids only, so that the queue holds nothing personal. Each effect is guarded in its own transaction. */
export type JobPayloads = {
  sendMail: { readonly mailId: string };
  buildSandboxCorpus: { readonly clientNo: number; readonly generation: number };
  issueCertificate: { readonly certificateId: string };
  /** A slice of the operators after one of them, in the order of their ids. */
  announceTerms: { readonly version: number; readonly after: string | null };
};

export type JobName = keyof JobPayloads;

/** When and how often a job is tried. */
type JobOptions = {
  /** Not before this moment of the database’s clock; by default, at once. */
  readonly runAt?: Date;
  /** A job that waits under the same key is replaced, so that only one of them is done. */
  readonly key?: string;
  /** How often it is tried at most, with exponential backoff; by default 25 times, which takes about three days. */
  readonly attempts?: number;
};

/** Queues a job in the caller's transaction: it runs after the commit, or never if there is none. */
export async function enqueue<Name extends JobName>(
  tx: EntityManager,
  name: Name,
  payload: JobPayloads[Name],
  { runAt, key, attempts }: JobOptions = {},
): Promise<void> {
  await sql(tx, addJobSql, [name, JSON.stringify(payload), runAt ?? null, key ?? null, attempts ?? null]);
}

/** What is null is as the queue has it by default. */
const addJobSql = `select graphile_worker.add_job($1, payload => $2::json, run_at => $3::timestamptz, job_key => $4, max_attempts => $5::int)`;
