import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError, refuseInvalid, type FieldError } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { timeCursors } from '../shared/lists/cursors.ts';
import { mapPage, page, type Page, type PageRequest } from '../shared/lists/page.ts';
import { sql } from '../shared/sql.ts';
import { auditColumns, auditSql, auditWays, countSql, type AskedEntries, type AuditWay } from './auditSql.ts';
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
 * Either one kind of identifier or a search, and besides it an action and a range of time. Each such question reads one range of an index,
 * or a few of them.
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

type Asked = { readonly filter: AuditFilter } & PageRequest;

/**
 * A page of the audit trail, newest first. Administrators get all of it. Everybody else, and an administrator who asks for `own`, gets what
 * belongs to their own account. Errors: invalid_request, not_found.
 */
export async function auditTrail(
  em: EntityManager,
  { actor, own, ...asked }: { actor: OperatorActor; own: boolean } & Asked,
): Promise<Page<AuditEntry>> {
  if (!own && actor.roles.includes('administrator')) return auditEntries(em, asked);
  const { operatorId } = actor;
  const { filter } = asked;
  refuseInvalid(
    (['actorId', 'subjectId', 'operatorId', 'search'] as const)
      .filter((name) => filter[name])
      .map((name) => ({ path: `filter.${name}`, message: 'You can filter your own trail by action, integration and time.' })),
  );
  if (filter.integrationId) {
    const [integration] = await sql(em, 'select 1 from integration where id = $1 and operator_id = $2', [filter.integrationId, operatorId]);
    if (!integration) throw new DomainError('not_found', { detail: 'There is no such integration.' });
  }
  return mapPage(await auditEntries(em, asked, operatorId), (entry) => asOwnerSees(entry, operatorId));
}

/** A page of the whole trail, or of one operator's. The caller must have checked the right to see it. Errors: invalid_request. */
export function auditEntries(em: EntityManager, { filter, ...request }: Asked, owner: string | null = null): Promise<Page<AuditEntry>> {
  return page(request, {
    cursors,
    errors: filterErrors(filter),
    read: async (count, after) => {
      const { text, values } = auditSql(await askedFor(em, filter), owner, after, count);
      return sql<AuditEntry>(em, text, values);
    },
  });
}

const cursors = timeCursors(
  ({ occurredAt }: AuditEntry) => occurredAt,
  ({ id }) => [id],
  (id): [string] | undefined => (/^\d{1,18}$/.test(id) ? [id] : undefined),
);

/** How many entries a filter finds, counted up to `limit`. */
export async function countAuditEntries(em: EntityManager, filter: AuditFilter, limit: number): Promise<number> {
  refuseInvalid(filterErrors(filter));
  const { text, values } = countSql(await askedFor(em, filter), limit);
  const [row] = await sql<{ count: number }>(em, text, values);
  return row?.count ?? 0;
}

async function askedFor(em: EntityManager, filter: AuditFilter): Promise<AskedEntries> {
  const { way, ids } = await identifiersOf(em, filter);
  return { column: way && auditColumns[way], ids, action: filter.action || null, from: filter.from ?? null, to: filter.to ?? null };
}

/** What a filter asks for by identifier, including what its search names. The caller must be allowed to see it. Errors: invalid_request. */
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
  if (filter.action && !/^[a-z_]{1,60}\.[a-z_]{1,60}$/.test(filter.action)) {
    errors.push({ path: 'filter.action', message: 'Enter an action such as integration.suspended.' });
  }
  if (filter.from && filter.to && filter.from >= filter.to)
    errors.push({ path: 'filter.to', message: 'The end must be after the beginning.' });
  return errors;
}

/** Owners see what the service's staff or tooling did, but neither who it was nor from where. */
function asOwnerSees(entry: AuditEntry, operatorId: string): AuditEntry {
  const ownDoing = entry.actorType === 'client' || (entry.actorType === 'operator' && entry.actorId === operatorId);
  return ownDoing ? entry : { ...entry, actorId: null, requestId: null, ip: null };
}
