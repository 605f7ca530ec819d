import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt, takeFirst } from '../../account/attempts.ts';
import { isUnderWay } from '../../webhook/checkTimes.ts';
import { newId } from '../../shared/ids.ts';
import { enqueue } from '../../shared/jobs.ts';
import { reviewLimits } from '../reviewLimits.ts';
import { sql } from '../../shared/sql.ts';

type Whose = { readonly integrationId: string; readonly operatorId: string; readonly now: Date };
type RequestPageCheck = {
  readonly integrationId: string;
  readonly profileVersion: number;
  /** Where reviewers see the integration, if it is known. */
  readonly reviewUrl: string | null;
  readonly now: Date;
};

/** Primary key. What an earlier check found stays until this one has found something. */
const requestSql = `
insert into page_check as c (integration_id, profile_version, id, review_url, requested_at) values ($1, $2, $3, $4, $5)
on conflict (integration_id, profile_version) do update
   set id = excluded.id, review_url = excluded.review_url, requested_at = excluded.requested_at, begun_at = null, finished_at = null
 where not ${isUnderWay('c', '$5', reviewLimits.pageCheckTimes)} or c.review_url is distinct from excluded.review_url
returning id`;

/** Two attempts after the first, if this service had to stop in the middle. */
const attempts = 3;

/**
 * Counts a check of an integration’s pages that a person asks for, apart for owner and reviewer, so that neither uses it up for the other. Before other
 * locks are taken. Errors: rate_limit_exceeded (10 an hour for an integration, 30 for an operator).
 */
export async function countPageCheck(tx: EntityManager, { integrationId, operatorId, now }: Whose): Promise<void> {
  await takeAttempt(tx, { kind: 'page_check_operator', source: operatorId }, now);
  await takeAttempt(tx, { kind: 'page_check_integration', source: `${operatorId} ${integrationId}` }, now);
}

/** The same for a check that is made along with a submission, which it must not hold up: whether there may be one. */
export async function mayCheckPages(tx: EntityManager, { integrationId, operatorId, now }: Whose): Promise<boolean> {
  const ofOperator = await takeFirst(tx, { kind: 'page_check_operator', source: operatorId }, now);
  return ofOperator && takeFirst(tx, { kind: 'page_check_integration', source: `${operatorId} ${integrationId}` }, now);
}

/**
 * Counts a check that is made because a draft was saved, and tells whether there may be one. Drafts are saved while an address is typed, so they leave
 * alone the checks that somebody asks for.
 */
export async function mayCheckDraft(tx: EntityManager, { integrationId, operatorId, now }: Whose): Promise<boolean> {
  const ofOperator = await takeFirst(tx, { kind: 'draft_check_operator', source: operatorId }, now);
  return ofOperator && takeFirst(tx, { kind: 'draft_check_integration', source: `${operatorId} ${integrationId}` }, now);
}

/** Checks of all of its operator's integrations that a worker has not finished yet. Primary keys and integration_operator. */
const openSql = `
select count(*)::int as open from integration mine join integration i on i.operator_id = mine.operator_id join page_check c on c.integration_id = i.id
 where mine.id = $1 and ${isUnderWay('c', '$2', reviewLimits.pageCheckTimes)}`;

/**
 * Has a worker check the pages of a profile version. False if that is being done already. The checks of all operators take turns, however many one of
 * them asks for: each waits behind the first of everybody else, and behind the challenges.
 */
export async function requestPageCheck(
  tx: EntityManager,
  { integrationId, profileVersion, reviewUrl, now }: RequestPageCheck,
): Promise<boolean> {
  const id = newId('pgc');
  const [begun] = await sql(tx, requestSql, [integrationId, profileVersion, id, reviewUrl, now]);
  if (!begun) return false;
  const [own] = await sql<{ open: number }>(tx, openSql, [integrationId, now]);
  await enqueue(tx, 'checkPages', { pageCheckId: id }, { attempts, priority: own?.open ?? 1 });
  return true;
}
