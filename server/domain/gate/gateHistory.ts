import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuditAction } from '../audit/auditActions.ts';
import { timeCursors } from '../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../shared/lists/page.ts';
import { sql } from '../shared/sql.ts';

/** One change of the service's gate, from the audit trail. */
type GateChange = {
  readonly id: string;
  readonly open: boolean;
  readonly reason: string;
  readonly changedAt: Date;
  /** The administrator. */
  readonly changedBy: string;
};

const opened: AuditAction = 'production_gate.opened';

/** Reads index `audit_entry_subject` in its order; no other subject has an ID like this. */
const historySql = `
select id::text, action = '${opened}' as open, details ->> 'reason' as reason, occurred_at as "changedAt", actor_id as "changedBy"
  from audit_entry e
 where subject_id = 'production' and ($2::timestamptz is null or (occurred_at, id) < ($2, $3::bigint))
 order by e.occurred_at desc, e.id desc limit $1`;

const cursors = timeCursors(
  ({ changedAt }: GateChange) => changedAt,
  ({ id }) => [id],
  (id): [string] | undefined => (/^\d{1,18}$/.test(id) ? [id] : undefined),
);

/** A page of the changes of the service's gate, newest first. Errors: invalid_request. */
export function gateHistory(em: EntityManager, request: PageRequest): Promise<Page<GateChange>> {
  return page(request, {
    cursors,
    read: (count, after) => sql<GateChange>(em, historySql, [count, ...(after ?? [null, null])]),
  });
}
