import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from './shared/sql.ts';

/** Every job and what it is given: ids only, so that the queue holds nothing personal. Each effect is guarded in its own transaction. */
export type JobPayloads = {
  sendMail: { readonly mailId: string };
  buildSandboxCorpus: { readonly clientNo: number; readonly generation: number };
  issueCertificate: { readonly certificateId: string };
  /** A slice of the operators after one of them, in the order of their ids. */
  announceTerms: { readonly version: number; readonly after: string | null };
};

export type JobName = keyof JobPayloads;

/** Queues a job in the caller's transaction: it runs after the commit, or never if there is none. */
export async function enqueue<Name extends JobName>(tx: EntityManager, name: Name, payload: JobPayloads[Name]): Promise<void> {
  await sql(tx, 'select graphile_worker.add_job($1, payload => $2::json)', [name, JSON.stringify(payload)]);
}
