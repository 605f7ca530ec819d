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

/** A round of review of an integration. */
export type RoundKey = Pick<ReviewSubmission, 'integrationId' | 'round'>;

/** By the unique index (integration_id, round), read backwards from each round. */
const earlierRoundsSql = `select wanted.place::int as place, earlier.id from unnest($1::text[], $2::int[]) with ordinality wanted(id, round, place)
 cross join lateral (
   select s.id from review_submission s where s.integration_id = wanted.id and s.round < wanted.round order by s.round desc limit ${limits.earlierRounds}) earlier`;

/** The rounds right before each round, newest first. */
export async function earlierRounds(em: EntityManager, keys: readonly RoundKey[]): Promise<ReviewSubmission[][]> {
  const found = await sql<{ place: number; id: string }>(em, earlierRoundsSql, [
    keys.map(({ integrationId }) => integrationId),
    keys.map(({ round }) => round),
  ]);
  const rows = await em.find(ReviewSubmission, { id: { $in: found.map(({ id }) => id) } }, { orderBy: { round: 'desc' } });
  return keys.map((_, index) => {
    const ids = new Set(found.filter(({ place }) => place === index + 1).map(({ id }) => id));
    return rows.filter(({ id }) => ids.has(id));
  });
}

/** The profile version that reviewers saw last in the rounds before, newest first; null in a first round. */
export function lastReviewedVersion(earlier: readonly ReviewSubmission[]): number | null {
  return earlier.find(({ status }) => status === 'approved' || status === 'rejected')?.profileVersion ?? null;
}
