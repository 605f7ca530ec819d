import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import type { ReviewRole } from './ReviewSubmission.ts';
import { openStatuses, submissionLifecycle } from './submissionStatus.ts';

/** Whose turn it is in the review of each of these integrations. Null for one that is not under review. */
export async function reviewTurns(em: EntityManager, integrationIds: readonly string[]): Promise<(ReviewRole | null)[]> {
  const rows = await sql<{ id: string; turn: ReviewRole }>(
    em,
    `select integration_id as id, waiting_for as turn from review_submission where integration_id = any ($1::text[]) and ${submissionLifecycle.isIn(openStatuses)}`,
    [integrationIds],
  );
  return integrationIds.map((wanted) => rows.find(({ id }) => id === wanted)?.turn ?? null);
}
