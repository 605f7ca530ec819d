import type { EntityManager } from '@mikro-orm/postgresql';
import { instant } from '../feed/visibleSql.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';

/** One move of the service's gate, from the audit trail. */
export type GateChange = {
  readonly id: string;
  readonly open: boolean;
  readonly reason: string;
  readonly changedAt: Date;
  /** The administrator. */
  readonly changedBy: string;
};

/** By `audit_entry_subject`, in its order; no identifier reads like this subject. */
const historySql = `
select id::text, action = 'productionGate.opened' as open, details ->> 'reason' as reason, ${instant('occurred_at')} as "changedAt", actor_id as "changedBy"
  from audit_entry
 where subject_id = 'production' and ($2::bigint is null or (occurred_at, id) < (select l.occurred_at, l.id from audit_entry l where l.id = $2))
 order by occurred_at desc, id desc limit $1`;

/** A page of the moves of the service's gate, newest first. `after` is the cursor of a former item. Errors: invalid_request. */
export async function gateHistory(
  em: EntityManager,
  { first, after }: { first: number; after: string | null },
): Promise<{ items: readonly GateChange[]; hasNextPage: boolean }> {
  if (first < 1 || first > limits.pageSize) refuseInvalid([{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }]);
  const last = after === null ? null : Buffer.from(after, 'base64url').toString('utf8');
  if (last !== null && !/^\d{1,18}$/.test(last)) refuseInvalid([{ path: 'after', message: 'This cursor does not belong to this list.' }]);
  const rows = await sql<Omit<GateChange, 'changedAt'> & { changedAt: string }>(em, historySql, [first + 1, last]);
  const items = rows.slice(0, first).map((row) => ({ ...row, changedAt: new Date(row.changedAt) }));
  return { items, hasNextPage: rows.length > first };
}

/** The opaque cursor of an item. */
export function gateChangeCursor({ id }: GateChange): string {
  return Buffer.from(id).toString('base64url');
}
