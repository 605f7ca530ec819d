/** The fields by which the trail can be asked, with their columns. Each column has its own index. */
export const auditColumns = {
  actorId: 'actor_id',
  subjectId: 'subject_id',
  integrationId: 'integration_id',
  operatorId: 'operator_id',
} as const;
export const auditWays = ['actorId', 'subjectId', 'integrationId', 'operatorId'] as const;
export type AuditWay = (typeof auditWays)[number];

/** A question to the trail, with its search resolved to identifiers. Without a column, the identifiers do not matter. */
export type AskedEntries = {
  readonly column: (typeof auditColumns)[AuditWay] | null;
  readonly ids: readonly string[];
  readonly action: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
};
/** The place of an entry in the trail: when it happened, and its number. */
type AuditPlace = readonly [Date, string];

type Statement = { readonly text: string; readonly values: readonly unknown[] };

/** An entry's columns, as `AuditEntry` names them; its time in milliseconds. */
export const shown = `
    select id::text, occurred_at as "occurredAt", actor_type as "actorType", actor_id as "actorId",
           action, subject_type as "subjectType", subject_id as "subjectId", operator_id as "operatorId",
           integration_id as "integrationId", request_id as "requestId", host(ip) as ip, details`;

/**
 * Indexes audit_entry_<way>, audit_entry_<way>_action of owners and integrations, audit_entry_action, and the primary key, each in the order
 * of the page and of every month's partition. Those of actors and subjects end with the action, so that one of them is found among all
 * without reading the others' rows. For several identifiers, their pages are merged. A single one is passed as an array of one and is part of the order: with a plain `=`, the
 * planner would read by time alone and filter out what belongs to others.
 */
export function auditSql(asked: AskedEntries, owner: string | null, after: AuditPlace | null, limit: number): Statement {
  const { column, wanted, conditions, values, place } = conditionsOf(asked, owner);
  if (after) {
    // The time alone leaves out the partitions of later months.
    const at = place(after[0]);
    conditions.push(`occurred_at <= ${at}::timestamptz and (occurred_at, id) < (${at}::timestamptz, ${place(after[1])}::bigint)`);
  }
  const most = `limit ${place(limit)}`;
  // With the table's name, because `id` alone would be the text that is shown: 9 after 10.
  const newest = 'e.occurred_at desc, e.id desc';
  if (column === null) return { text: `${shown} from audit_entry e ${where(conditions)} order by ${newest} ${most}`, values };
  const each = `select * from audit_entry e ${where([`${column} = any (array[wanted.id])`, ...conditions])} order by ${column}, ${newest} ${most}`;
  return {
    text: `${shown} from (select e.* from unnest(${wanted}::text[]) wanted(id) cross join lateral (${each}) e) e order by ${newest} ${most}`,
    values,
  };
}

/** The number of entries, counted up to `limit`. */
export function countSql(asked: AskedEntries, limit: number): Statement {
  const { column, wanted, conditions, values, place } = conditionsOf(asked, null);
  const all = where([...(column === null ? [] : [`${column} = any (${wanted}::text[])`]), ...conditions]);
  return { text: `select count(*)::int as count from (select 1 from audit_entry ${all} limit ${place(limit)}) e`, values };
}

/**
 * The narrowest column with the identifiers wanted in it, and all other conditions. It is the one that was asked for, otherwise the
 * owner's, otherwise the action's.
 */
function conditionsOf({ column, ids, action, from, to }: AskedEntries, owner: string | null) {
  const values: unknown[] = [];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const narrowing: (readonly [string, readonly string[]])[] = [];
  if (action) narrowing.push(['action', [action]]);
  if (owner) narrowing.push(['operator_id', [owner]]);
  if (column) narrowing.push([column, ids]);
  const narrowest = narrowing.pop();
  const conditions = narrowing.map(([name, [value]]) => `${name} = ${place(value)}`);
  if (from) conditions.push(`occurred_at >= ${place(from)}`);
  if (to) conditions.push(`occurred_at < ${place(to)}`);
  return { column: narrowest?.[0] ?? null, wanted: narrowest ? place(narrowest[1]) : null, conditions, values, place };
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
}
