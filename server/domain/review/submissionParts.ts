import type { EntityManager } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { reviewLimits } from './reviewLimits.ts';
import { sql } from '../shared/sql.ts';
import { ReviewMessage } from './ReviewMessage.ts';
import { ReviewSubmission } from './ReviewSubmission.ts';
import { ReviewVerdict } from './ReviewVerdict.ts';
import { decidedStatuses } from './submissionStatus.ts';

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

export type NumberedSubmission = Pick<ReviewSubmission, 'integrationId' | 'number'>;

/** By the unique index (integration_id, round), read backwards from each submission. */
const earlierSubmissionsSql = `select wanted.place::int as place, earlier.id from unnest($1::text[], $2::int[]) with ordinality wanted(id, number, place)
 cross join lateral (
   select s.id from review_submission s where s.integration_id = wanted.id and s.round < wanted.number order by s.round desc limit ${reviewLimits.earlierSubmissions}) earlier`;

/** The submissions right before each one, newest first. */
export async function earlierSubmissions(em: EntityManager, keys: readonly NumberedSubmission[]): Promise<ReviewSubmission[][]> {
  const found = await sql<{ place: number; id: string }>(em, earlierSubmissionsSql, [
    keys.map(({ integrationId }) => integrationId),
    keys.map(({ number }) => number),
  ]);
  const rows = await em.find(ReviewSubmission, { id: { $in: found.map(({ id }) => id) } }, { orderBy: { number: 'desc' } });
  return keys.map((_, index) => {
    const ids = new Set(found.filter(({ place }) => place === index + 1).map(({ id }) => id));
    return rows.filter(({ id }) => ids.has(id));
  });
}

/** The profile version that reviewers saw last in the earlier submissions, which come newest first; null if there is none. */
export function lastReviewedVersion(earlier: readonly ReviewSubmission[]): number | null {
  return earlier.find(({ status }) => decidedStatuses.some((each) => each === status))?.profileVersion ?? null;
}
