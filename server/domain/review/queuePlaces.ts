import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import { reviewTimes } from './reviewTimes.ts';
import type { ReviewRole } from './ReviewSubmission.ts';
import { openStatuses, submissionLifecycle } from './submissionStatus.ts';

/** Where an integration stands in the queue of the reviewers. */
export type QueuePlace = {
  /** Whose turn it is. */
  readonly turn: ReviewRole;
  /** Submissions that have been waiting for the reviewers for longer; null while it is the owner's turn. */
  readonly before: number | null;
  /** In how many days, rounded up, half of the reviews were decided; null if too few were decided to say. */
  readonly medianDays: number | null;
};

/** With fewer decisions than this, a median says more about the single submission than about reviews. */
const fewestDecisions = 10;
const secondsOfDay = 24 * 60 * 60;

type Row = { readonly id: string; readonly turn: ReviewRole; readonly before: number | null };

/** By review_submission_open, and for each of these by review_submission_turn. */
const placesSql = `
select s.integration_id as id, s.waiting_for as turn,
       case when s.waiting_for = 'reviewer' then (
         select count(*)::int from review_submission o
          where ${submissionLifecycle.isIn(openStatuses, { row: 'o' })} and o.waiting_for = 'reviewer'
            and (o.waiting_since, o.id) < (s.waiting_since, s.id)) end as before
  from review_submission s where s.integration_id = any ($1::text[]) and ${submissionLifecycle.isIn(openStatuses, { row: 's' })}`;

/** The place of each of these integrations; null for one that is not under review. */
export async function queuePlaces(em: EntityManager, integrationIds: readonly string[], now: Date): Promise<(QueuePlace | null)[]> {
  const rows = await sql<Row>(em, placesSql, [integrationIds]);
  if (rows.length === 0) return integrationIds.map(() => null);
  const { decisions, medianSeconds } = await reviewTimes(em, now);
  const medianDays = decisions < fewestDecisions || medianSeconds === null ? null : Math.max(1, Math.ceil(medianSeconds / secondsOfDay));
  return integrationIds.map((wanted) => {
    const row = rows.find(({ id }) => id === wanted);
    return row ? { turn: row.turn, before: row.before, medianDays } : null;
  });
}
