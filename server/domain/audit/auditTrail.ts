import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError, refuseInvalid, type FieldError } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { readTimeCursor, timeCursor } from '../shared/timeCursor.ts';

/** One line of the trail: who did what to what, when, and where the request came from. */
export type AuditEntry = {
  readonly id: string;
  readonly occurredAt: Date;
  readonly actorType: string;
  readonly actorId: string | null;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly operatorId: string | null;
  readonly integrationId: string | null;
  readonly requestId: string | null;
  readonly ip: string | null;
  readonly details: Readonly<Record<string, unknown>>;
};

/** At most one of the identifiers, an action and a range of time beside it: each such question is a range of one index. */
export type AuditFilter = {
  readonly actorId?: string | null;
  readonly subjectId?: string | null;
  readonly integrationId?: string | null;
  /** Whose trail it is. */
  readonly operatorId?: string | null;
  readonly action?: string | null;
  readonly from?: Date | null;
  /** Exclusive. */
  readonly to?: Date | null;
};

type Row = Omit<AuditEntry, 'occurredAt'> & { occurredAt: number };
type Position = { readonly occurredAt: Date; readonly id: string };
type Page = { readonly filter: AuditFilter; readonly first: number; readonly after: string | null };

const ways = { actorId: 'actor_id', subjectId: 'subject_id', integrationId: 'integration_id', operatorId: 'operator_id' } as const;
type Way = keyof typeof ways;

/**
 * A page of the audit trail, newest first: for an administrator all of it, for everybody else (and for an administrator who asks for
 * `own`) what belongs to the own account. `after` is the cursor of a former item. Errors: invalid_request, not_found.
 */
export async function auditTrail(
  em: EntityManager,
  { actor, own, ...page }: { actor: OperatorActor; own: boolean } & Page,
): Promise<{ items: readonly AuditEntry[]; hasNextPage: boolean }> {
  if (!own && actor.roles.includes('administrator')) return auditEntries(em, page);
  const { operatorId } = actor;
  const { filter } = page;
  refuseInvalid(
    (['actorId', 'subjectId', 'operatorId'] as const)
      .filter((name) => filter[name])
      .map((name) => ({ path: `filter.${name}`, message: 'You can filter your own trail by action, integration and time.' })),
  );
  if (filter.integrationId) {
    const [integration] = await sql(em, 'select 1 from integration where id = $1 and operator_id = $2', [filter.integrationId, operatorId]);
    if (!integration) throw new DomainError('not_found', { detail: 'There is no such integration.' });
  }
  const { items, hasNextPage } = await auditEntries(em, page, operatorId);
  return { items: items.map((entry) => asOwnerSees(entry, operatorId)), hasNextPage };
}

/** A page of the whole trail, or of one operator's. The caller has the right to see it. Errors: invalid_request. */
export async function auditEntries(
  em: EntityManager,
  { filter, first, after }: Page,
  owner: string | null = null,
): Promise<{ items: readonly AuditEntry[]; hasNextPage: boolean }> {
  const position = after === null ? null : positionOf(after);
  refuseInvalid([...filterErrors(filter), ...pageErrors(first, position)]);
  const { text, values } = auditSql(filter, owner, position ?? null, first + 1);
  const rows = await sql<Row>(em, text, values);
  const items = rows.slice(0, first).map(({ occurredAt, ...row }) => ({ ...row, occurredAt: new Date(occurredAt) }));
  return { items, hasNextPage: rows.length > first };
}

/** How many entries a filter finds, counted no further than `limit`. */
export async function countAuditEntries(em: EntityManager, filter: AuditFilter, limit: number): Promise<number> {
  refuseInvalid(filterErrors(filter));
  const { conditions, values } = conditionsOf(filter, null, null);
  const text = `select count(*)::int as count from (select 1 from audit_entry ${conditions} limit $${values.length + 1}) e`;
  const [row] = await sql<{ count: number }>(em, text, [...values, limit]);
  return row?.count ?? 0;
}

/** The opaque cursor of an entry. */
export function auditCursor({ occurredAt, id }: Position): string {
  return timeCursor(occurredAt, id);
}

/**
 * Indexes audit_entry_<way>, audit_entry_<way>_action, audit_entry_action and audit_entry_occurred, each in the order of the page. A way is
 * asked for as an array of one and ordered by: with a mere `=` the planner would go by time alone and leave out what is another's.
 */
function auditSql(filter: AuditFilter, owner: string | null, after: Position | null, limit: number) {
  const { conditions, values, column } = conditionsOf(filter, owner, after);
  const order = `${column === null ? '' : `${column}, `}occurred_at desc, id desc`;
  const text = `
    select id::text, (extract(epoch from occurred_at) * 1000)::float8 as "occurredAt", actor_type as "actorType", actor_id as "actorId",
           action, subject_type as "subjectType", subject_id as "subjectId", operator_id as "operatorId",
           integration_id as "integrationId", request_id as "requestId", host(ip) as ip, details
      from audit_entry ${conditions} order by ${order} limit $${values.length + 1}`;
  return { text, values: [...values, limit] };
}

function conditionsOf(filter: AuditFilter, owner: string | null, after: Position | null) {
  const values: unknown[] = [];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const [way] = namedWays(filter);
  const chosen = {
    ...(filter.action && { action: filter.action }),
    ...(owner && { operator_id: owner }),
    ...(way && { [ways[way]]: filter[way] }),
  };
  // The last one named is the narrowest: what was asked for, else the owner, else the action.
  const column = Object.keys(chosen).at(-1) ?? null;
  const parts = Object.entries(chosen).map(([name, value]) =>
    name === column ? `${name} = any (${place([value])}::text[])` : `${name} = ${place(value)}`,
  );
  if (filter.from) parts.push(`occurred_at >= ${place(filter.from)}`);
  if (filter.to) parts.push(`occurred_at < ${place(filter.to)}`);
  if (after) parts.push(`(occurred_at, id) < (${place(after.occurredAt)}::timestamptz, ${place(after.id)}::bigint)`);
  return { conditions: parts.length === 0 ? '' : `where ${parts.join(' and ')}`, values, column };
}

function namedWays(filter: AuditFilter): Way[] {
  return (Object.keys(ways) as Way[]).filter((way) => filter[way]);
}

function filterErrors(filter: AuditFilter): FieldError[] {
  const errors: FieldError[] = [];
  const [, second] = namedWays(filter);
  if (second) errors.push({ path: `filter.${second}`, message: 'Specify only one of actor, subject, integration and operator.' });
  if (filter.action && !/^[A-Za-z_]{1,60}\.[A-Za-z_]{1,60}$/.test(filter.action)) {
    errors.push({ path: 'filter.action', message: 'Enter an action such as integration.suspended.' });
  }
  if (filter.from && filter.to && filter.from >= filter.to)
    errors.push({ path: 'filter.to', message: 'The end must be after the beginning.' });
  return errors;
}

function pageErrors(first: number, position: Position | null | undefined): FieldError[] {
  const errors: FieldError[] = [];
  if (first < 1 || first > limits.pageSize) errors.push({ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` });
  if (position === undefined) errors.push({ path: 'after', message: 'This cursor does not belong to this list.' });
  return errors;
}

/** The position in a cursor; undefined when it is none of ours. */
function positionOf(cursor: string): Position | undefined {
  const place = readTimeCursor(cursor, (id) => /^\d{1,18}$/.test(id));
  return place && { occurredAt: place.at, id: place.rest };
}

/** Who of the service's staff or tooling it was, and from where, is not the owner's matter; what they did is. */
function asOwnerSees(entry: AuditEntry, operatorId: string): AuditEntry {
  const ownDoing = entry.actorType === 'client' || (entry.actorType === 'operator' && entry.actorId === operatorId);
  return ownDoing ? entry : { ...entry, actorId: null, requestId: null, ip: null };
}
