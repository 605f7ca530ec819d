import type { EntityManager } from '@mikro-orm/postgresql';
import { reviewLimits } from './reviewLimits.ts';
import { sql } from '../shared/sql.ts';
import { decidedStatuses, submissionLifecycle } from './submissionStatus.ts';

/** How long reviews took, from submission to decision, questions included. */
type ReviewTimes = {
  readonly since: Date;
  readonly decisions: number;
  /** Null if there was no decision in that time. */
  readonly medianSeconds: number | null;
  readonly ninetiethPercentileSeconds: number | null;
};

type Row = { decisions: number; median: number | null; ninetieth: number | null };

/** By review_submission_decided. */
const reviewTimesSql = `
select count(*)::int as decisions,
       percentile_cont(0.5) within group (order by extract(epoch from decided_at - submitted_at))::float8 as median,
       percentile_cont(0.9) within group (order by extract(epoch from decided_at - submitted_at))::float8 as ninetieth
  from review_submission where decided_at > $1::timestamptz and decided_at is not null and ${submissionLifecycle.isIn(decidedStatuses)}`;

/** The published review times: median and 90th percentile of the decisions of the last 90 days. */
export async function reviewTimes(em: EntityManager, now: Date): Promise<ReviewTimes> {
  const since = new Date(now.getTime() - reviewLimits.reviewTimesOver);
  const [row] = await sql<Row>(em, reviewTimesSql, [since]);
  const whole = (seconds: number | null | undefined) => (seconds == null ? null : Math.round(seconds));
  return {
    since,
    decisions: row?.decisions ?? 0,
    medianSeconds: whole(row?.median),
    ninetiethPercentileSeconds: whole(row?.ninetieth),
  };
}
