import type { EntityManager } from '@mikro-orm/postgresql';
import { unissued } from '../certificate/certificateStatus.ts';
import type { PayloadKey } from '../shared/jobs.ts';
import { limits } from '../shared/limits.ts';
import { integrationsNamed, operatorsNamed } from '../shared/lists/search.ts';
import { sql } from '../shared/sql.ts';
import { challengeRuns } from '../webhook/challengeStatus.ts';

/**
 * The payloads of the jobs about these integrations (`$1`) and accounts (`$2`). By the clients of an integration, their certificates and challenges,
 * and by mail_unsent_integration and mail_unsent_operator, because no job is left for a mail that was sent.
 */
const subjectsSql = `
select 'clientNumber:' || k.number as subject from client k where k.integration_id = any ($1::text[])
union all
select 'certificateId:' || c.id from client k join certificate c on c.client_number = k.number
 where k.integration_id = any ($1::text[]) and ${unissued('c')}
union all
select 'mailId:' || m.id from mail m where m.sent_at is null and m.integration_id = any ($1::text[])
union all
select 'mailId:' || m.id from mail m where m.sent_at is null and m.operator_id = any ($2::text[])
union all
select 'challengeId:' || h.id from webhook_endpoint p join webhook_challenge h on h.endpoint_number = p.number
 where ${challengeRuns('h')} and p.integration_id = any ($1::text[])
 limit $3`;

/** By svc_jobs_failed_subjects. */
const jobsSql = `
select j.id::text from graphile_worker._private_jobs j
 where j.last_error is not null and svc_job_subjects(j.payload) && $1::text[] limit $2`;

/** What a payload has identifiers in; a client's number is found by its integration. */
const identifiers: Readonly<Record<Exclude<PayloadKey, 'clientNumber' | 'generation' | 'version'>, true>> = {
  mailId: true,
  certificateId: true,
  challengeId: true,
  replayId: true,
  receiverCheckId: true,
  pageCheckId: true,
  sampleId: true,
  after: true,
};

/**
 * The failed jobs that a text names: one by its number, those whose payload contains a whole identifier, and those about the integrations
 * that the text names (`integrationsNamed`) or about the accounts, if it is part of an address that includes the @.
 */
export async function jobsNamed(em: EntityManager, search: string): Promise<string[]> {
  const text = search.trim().toLowerCase();
  const most = limits.searchMatches;
  const operators = text.includes('@') || text.startsWith('opr_') ? await operatorsNamed(em, text) : [];
  const about = await sql<{ subject: string }>(em, subjectsSql, [await integrationsNamed(em, text), operators, most]);
  const given = Object.keys(identifiers).map((name) => `${name}:${text}`);
  const jobs = await sql<{ id: string }>(em, jobsSql, [[...given, ...about.map(({ subject }) => subject)], most]);
  const number = /^[1-9]\d{0,17}$/.test(text) ? [text] : [];
  return [...number, ...jobs.map(({ id }) => id)];
}
