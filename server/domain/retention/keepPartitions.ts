import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';

/**
 * Makes the partitions of the coming days of the request log and of the coming months of the audit trail. What is there stays as it is, so it
 * may run at any time and twice at once. It waits half a second for a lock at most, and then rejects: nothing depends on it at this moment.
 */
export async function keepPartitions(em: EntityManager, { now }: { now: Date }): Promise<void> {
  await sql(em, 'select make_partitions($1)', [now]);
}
