import type { EntityManager } from '@mikro-orm/postgresql';
import { plannedOnce, sql } from '../../shared/sql.ts';
import { isLateSql, revocationLifecycle, undeletedStates } from '../revocationStatus.ts';

/** How many deletions are outstanding, and when they are due. What came with the test data is outstanding, but never due. */
export type DeletionCounts = {
  readonly outstandingCount: number;
  readonly dueCount: number;
  /** How many of what is due are of a whole connection, and of a stock vehicle; the others are of an order. */
  readonly dueConnectionCount: number;
  readonly dueVehicleCount: number;
  /** The ID of one of what is due, as it was shared. */
  readonly firstDueId: string | null;
  readonly overdueCount: number;
  /** The nearest deadline of what is due and not overdue. */
  readonly nextDeadlineAt: Date | null;
  /** The earliest deadline that has passed. */
  readonly overdueSince: Date | null;
};

export const noDeletions: DeletionCounts = {
  outstandingCount: 0,
  dueCount: 0,
  dueConnectionCount: 0,
  dueVehicleCount: 0,
  firstDueId: null,
  overdueCount: 0,
  nextDeadlineAt: null,
  overdueSince: null,
};

/** By `revocation_outstanding`. */
const countsSql = plannedOnce(
  'deletion_counts',
  `
select count(*)::int as "outstandingCount", count(*) filter (where not fixture)::int as "dueCount", client_number as "clientNumber",
       count(*) filter (where subject_type = 'connection' and not fixture)::int as "dueConnectionCount",
       count(*) filter (where starts_with(subject_id, 'veh_') and not fixture)::int as "dueVehicleCount",
       min(subject_id) filter (where not fixture) as "firstDueId",
       count(*) filter (where ${isLateSql({ now: '$2' })})::int as "overdueCount",
       min(deletion_deadline_at) filter (where not fixture and deletion_deadline_at > $2) as "nextDeadlineAt",
       min(deletion_deadline_at) filter (where ${isLateSql({ now: '$2' })}) as "overdueSince"
  from revocation where client_number = any($1::int[]) and ${revocationLifecycle.isIn(undeletedStates)} group by client_number`,
);

/** What each of these clients still has to delete. Those that have nothing to delete are left out. */
export async function deletionCounts(em: EntityManager, clientNumbers: readonly number[], now: Date): Promise<Map<number, DeletionCounts>> {
  const rows = await sql<DeletionCounts & { clientNumber: number }>(em, countsSql, [clientNumbers, now]);
  const found = new Map<number, DeletionCounts>();
  for (const { clientNumber, ...counts } of rows) found.set(clientNumber, counts);
  return found;
}

/** By when the first of what is due has to be deleted, even if that has passed. */
export function firstDeadline({ overdueSince, nextDeadlineAt }: Pick<DeletionCounts, 'overdueSince' | 'nextDeadlineAt'>): Date | null {
  return overdueSince ?? nextDeadlineAt;
}
