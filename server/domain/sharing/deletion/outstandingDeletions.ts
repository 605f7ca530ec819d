import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../shared/sql.ts';
import { revocationLifecycle, undeletedStates } from '../revocationStatus.ts';

/** Production deletions that are outstanding. Overdue deletions are among them. */
export type OutstandingDeletions = { readonly outstanding: number; readonly overdue: number };

/** By `revocation_outstanding`. */
const countSql = `
select k.integration_id as id, count(*)::int as outstanding, count(*) filter (where r.deletion_deadline_at <= $2)::int as overdue
  from client k join revocation r on r.client_number = k.number
 where k.integration_id = any ($1::text[]) and k.environment = 'production' and ${revocationLifecycle.isIn(undeletedStates, { row: 'r' })} group by k.integration_id`;

/** What each of these integrations still has to delete, in their order. An administrator looks at it before a reactivation. */
export async function outstandingDeletions(
  em: EntityManager,
  integrationIds: readonly string[],
  now: Date,
): Promise<OutstandingDeletions[]> {
  const rows = await sql<OutstandingDeletions & { id: string }>(em, countSql, [integrationIds, now]);
  return integrationIds.map((wanted) => {
    const { outstanding = 0, overdue = 0 } = rows.find(({ id }) => id === wanted) ?? {};
    return { outstanding, overdue };
  });
}
