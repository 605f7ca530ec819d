import type { EntityManager } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { ReviewMessage } from './ReviewMessage.ts';
import { ReviewSubmission } from './ReviewSubmission.ts';
import { ReviewVerdict } from './ReviewVerdict.ts';

/** The verdicts of each submission. */
export async function verdictsOf(em: EntityManager, ids: readonly string[]): Promise<ReviewVerdict[][]> {
  const rows = await em.find(ReviewVerdict, { submissionId: { $in: [...ids] } });
  return ids.map((id) => rows.filter((row) => row.submissionId === id));
}

/** The thread of each submission, oldest message first. */
export async function messagesOf(em: EntityManager, ids: readonly string[]): Promise<ReviewMessage[][]> {
  const rows = await em.find(ReviewMessage, { submissionId: { $in: [...ids] } }, { orderBy: { submissionId: 'asc', id: 'asc' } });
  return ids.map((id) => rows.filter((row) => row.submissionId === id));
}

/** The address of each reviewer, for other reviewers to see; null once the account is deleted. */
export async function reviewerEmails(em: EntityManager, ids: readonly string[]): Promise<(string | null)[]> {
  const rows = await em.find(Operator, { id: { $in: [...ids] } });
  return ids.map((id) => rows.find((row) => row.id === id)?.email ?? null);
}

/** By the unique index (integration_id, round), read backwards from the newest. */
const latestRoundsSql = `select latest.id from unnest($1::text[]) wanted(id)
 cross join lateral (select s.id from review_submission s where s.integration_id = wanted.id order by s.round desc limit ${limits.earlierRounds}) latest`;

/** The latest rounds of each integration, newest first. */
export async function latestRounds(em: EntityManager, integrationIds: readonly string[]): Promise<ReviewSubmission[][]> {
  const ids = (await sql<{ id: string }>(em, latestRoundsSql, [integrationIds])).map(({ id }) => id);
  const rows = await em.find(ReviewSubmission, { id: { $in: ids } }, { orderBy: { round: 'desc' } });
  return integrationIds.map((id) => rows.filter((row) => row.integrationId === id));
}

/** The profile version that reviewers saw last before this round; null in a first one. `rounds` are the integration's. */
export function lastReviewedVersion({ round }: Pick<ReviewSubmission, 'round'>, rounds: readonly ReviewSubmission[]): number | null {
  const decided = rounds.filter(({ status, round: other }) => other < round && (status === 'approved' || status === 'rejected'));
  return decided.toSorted((a, b) => b.round - a.round)[0]?.profileVersion ?? null;
}
