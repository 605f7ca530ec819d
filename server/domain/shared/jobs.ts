import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from './sql.ts';
import { withTrace } from './traces.ts';

/**
 * Every job and its payload, which contains only IDs, so that nothing personal is in the queue. Each job guards its effect in its own
 * transaction.
 */
export type JobPayloads = {
  sendMail: { readonly mailId: string };
  buildSandboxCorpus: { readonly clientNumber: number; readonly generation: number };
  /** Removes the test data of a retired integration. */
  emptySandbox: { readonly clientNumber: number };
  issueCertificate: { readonly certificateId: string };
  makeP12: { readonly certificateId: string };
  /** A slice of the operators, after the given one in the order of their IDs. */
  announceTerms: { readonly version: number; readonly after: string | null };
  /** A slice of the integrations, after the given one in the order of their IDs. */
  announceGate: { readonly after: string | null };
  verifyWebhookEndpoint: { readonly challengeId: string };
  /** Makes every revocation list that is due, whatever asked for it. */
  publishCrls: Readonly<Record<string, never>>;
  /** Publishes a next key for deliveries where there is none, and rotates when it is time, whatever asked for it. */
  keepSigningKeys: Readonly<Record<string, never>>;
  replayDeliveries: { readonly replayId: string };
  checkReceiver: { readonly receiverCheckId: string };
  checkPages: { readonly pageCheckId: string };
  signWebhookSample: { readonly sampleId: string };
};

export type JobName = keyof JobPayloads;

export type PayloadKey = { [Name in JobName]: string extends keyof JobPayloads[Name] ? never : keyof JobPayloads[Name] }[JobName];

/** When and how often a job is tried. */
type JobOptions = {
  /** Not before this moment, by the database’s clock. The default is at once. */
  readonly runAt?: Date;
  /** At the next full multiple of this many milliseconds, by the database’s clock, together with others that were queued in that time. */
  readonly gatheredOver?: number;
  /** Replaces a job that is waiting under the same key, so that only one of them runs. */
  readonly key?: string;
  /** The largest number of attempts, with exponential backoff. The default is 25, which takes about four days. */
  readonly attempts?: number;
  /** Of the jobs that are due, those with the lowest number run first. The default is 0. */
  readonly priority?: number;
};

/** Queues a job in the caller's transaction. It runs after the commit, or never if there is no commit. */
export async function enqueue<Name extends JobName>(
  tx: EntityManager,
  name: Name,
  payload: JobPayloads[Name],
  { runAt, gatheredOver, key, attempts, priority }: JobOptions = {},
): Promise<void> {
  const options = [runAt ?? null, key ?? null, attempts ?? null, gatheredOver ?? null, priority ?? null];
  await sql(tx, addJobSql, [name, JSON.stringify(withTrace(payload)), ...options]);
}

/** Where a value is null, the queue's default holds. */
const addJobSql = `
select graphile_worker.add_job($1, payload => $2::json, job_key => $4, max_attempts => $5::int, priority => $7::int,
         run_at => coalesce($3::timestamptz, to_timestamp(ceil(extract(epoch from clock_timestamp()) * 1000 / $6::int) * $6::int / 1000)))`;
