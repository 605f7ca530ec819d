import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError, refuseInvalid, type FieldError } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { readTimeCursor, timeCursor } from '../shared/timeCursor.ts';
import { auditColumns, auditSql, auditWays, countSql, type AskedEntries, type AuditPosition, type AuditWay } from './auditSql.ts';
import { namedInTrail } from './namedInTrail.ts';

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

/** One identifier, or several of one kind. */
type Identifiers = string | readonly string[] | null;

/**
 * At most one kind of identifier or a search, an action and a range of time beside it: each such question is a range of one index, or a few
 * of them.
 */
export type AuditFilter = {
  readonly actorId?: Identifiers;
  readonly subjectId?: Identifiers;
  readonly integrationId?: Identifiers;
  /** Whose trail it is. */
  readonly operatorId?: Identifiers;
  /** What names things of this kind: see `namedInTrail`. */
  readonly search?: string | null;
  readonly searchIn?: AuditWay | null;
  readonly action?: string | null;
  readonly from?: Date | null;
  /** Exclusive. */
  readonly to?: Date | null;
};

type Row = Omit<AuditEntry, 'occurredAt'> & { occurredAt: number };
type Page = { readonly filter: AuditFilter; readonly first: number; readonly after: string | null };

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
    (['actorId', 'subjectId', 'operatorId', 'search'] as const)
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
  const { text, values } = auditSql(await askedFor(em, filter), owner, position ?? null, first + 1);
  const rows = await sql<Row>(em, text, values);
  const items = rows.slice(0, first).map(({ occurredAt, ...row }) => ({ ...row, occurredAt: new Date(occurredAt) }));
  return { items, hasNextPage: rows.length > first };
}

/** How many entries a filter finds, counted no further than `limit`. */
export async function countAuditEntries(em: EntityManager, filter: AuditFilter, limit: number): Promise<number> {
  refuseInvalid(filterErrors(filter));
  const { text, values } = countSql(await askedFor(em, filter), limit);
  const [row] = await sql<{ count: number }>(em, text, values);
  return row?.count ?? 0;
}

/** The opaque cursor of an entry. */
export function auditCursor({ occurredAt, id }: AuditPosition): string {
  return timeCursor(occurredAt, id);
}

async function askedFor(em: EntityManager, filter: AuditFilter): Promise<AskedEntries> {
  const { way, ids } = await identifiersOf(em, filter);
  return { column: way && auditColumns[way], ids, action: filter.action || null, from: filter.from ?? null, to: filter.to ?? null };
}

/** What a filter asks for by identifiers, with what its search names. The caller may see it. Errors: invalid_request. */
export async function identifiersOf(em: EntityManager, filter: AuditFilter): Promise<{ way: AuditWay | null; ids: readonly string[] }> {
  const search = filter.search?.trim();
  if (search) {
    const way = filter.searchIn ?? 'subjectId';
    return { way, ids: await namedInTrail(em, way, search) };
  }
  const [way = null] = namedWays(filter);
  const ids = way === null ? [] : [filter[way] ?? []].flat();
  return { way, ids };
}

function namedWays(filter: AuditFilter): AuditWay[] {
  return auditWays.filter((way) => filter[way]?.length);
}

function filterErrors(filter: AuditFilter): FieldError[] {
  const errors: FieldError[] = [];
  const named = namedWays(filter);
  const [first, second] = named;
  if (second) errors.push({ path: `filter.${second}`, message: 'Specify only one of actor, subject, integration and operator.' });
  if (first && filter.search?.trim()) errors.push({ path: 'filter.search', message: 'Specify either a search or an identifier.' });
  if (named.some((way) => (filter[way]?.length ?? 0) > limits.searchedTrails && typeof filter[way] !== 'string'))
    errors.push({ path: `filter.${first}`, message: `Specify at most ${limits.searchedTrails} identifiers.` });
  if (filter.action && !/^[A-Za-z_]{1,60}\.[A-Za-z_]{1,60}$/.test(filter.action)) {
    errors.push({ path: 'filter.action', message: 'Enter an action such as integration.suspended.' });
  }
  if (filter.from && filter.to && filter.from >= filter.to)
    errors.push({ path: 'filter.to', message: 'The end must be after the beginning.' });
  return errors;
}

function pageErrors(first: number, position: AuditPosition | null | undefined): FieldError[] {
  const errors: FieldError[] = [];
  if (first < 1 || first > limits.pageSize) errors.push({ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` });
  if (position === undefined) errors.push({ path: 'after', message: 'This cursor does not belong to this list.' });
  return errors;
}

/** The position in a cursor; undefined when it is none of ours. */
function positionOf(cursor: string): AuditPosition | undefined {
  const place = readTimeCursor(cursor, (id) => /^\d{1,18}$/.test(id));
  return place && { occurredAt: place.at, id: place.rest };
}

/** Who of the service's staff or tooling it was, and from where, is not the owner's matter; what they did is. */
function asOwnerSees(entry: AuditEntry, operatorId: string): AuditEntry {
  const ownDoing = entry.actorType === 'client' || (entry.actorType === 'operator' && entry.actorId === operatorId);
  return ownDoing ? entry : { ...entry, actorId: null, requestId: null, ip: null };
}
