import type { EntityManager } from '@mikro-orm/postgresql';
import type { Role } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { accountLimits } from '../account/accountLimits.ts';
import { idCursors } from '../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../shared/lists/page.ts';
import { operatorsNamed, refuseBadSearch } from '../shared/lists/search.ts';
import { sql } from '../shared/sql.ts';

export const operatorOrders = ['newest', 'oldest', 'address'] as const;
export type OperatorOrder = (typeof operatorOrders)[number];

/** An account as administrators see it. */
export type OperatorRecord = {
  readonly id: string;
  /** Null after the account has been deleted. */
  readonly email: string | null;
  readonly roles: readonly Role[];
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
  /** Since when no one can sign in to the account, and why. */
  readonly lockedAt: Date | null;
  readonly lockReason: string | null;
};

type OperatorFilter = {
  /** What names the account: see `operatorsNamed`. */
  readonly search?: string | null;
  readonly role?: Role | null;
};

const columns = `o.id, o.email, to_json(o.roles) as roles, o.created_at as "createdAt",
  o.deleted_at as "deletedAt", o.locked_at as "lockedAt", o.lock_reason as "lockReason"`;

const withRole = `o.roles <> '{}' and o.roles @> array[$3]`;

/** Index operator_created. With a role, operator_roles, whose few rows are sorted. */
function byAgeSql(role: boolean, order: 'newest' | 'oldest'): string {
  const [direction, beyond] = order === 'newest' ? ['desc', '<'] : ['asc', '>'];
  return `
select ${columns} from operator o
 where ${role ? withRole : '$3::text is null'}
   and ($2::text is null or (o.created_at, o.id) ${beyond} (select l.created_at, l.id from operator l where l.id = $2))
 order by o.created_at ${direction}, o.id ${direction} limit $1`;
}

/** Index operator_email in its order, or operator_roles. The cursor names the account, so that it contains no address. */
const byAddressSql = (role: boolean): string => `
select ${columns} from operator o
 where o.email_key ~>=~ '' and o.email_key ~>~ $2 and ${role ? withRole : '$3::text is null'} order by o.email_key using ~<~ limit $1`;

/** What a search has found, by the primary key. Deleted accounts have no address and come first. */
const namedSql = (role: boolean): string => `
select ${columns} from operator o
 where o.id = any ($4::text[]) and ${role ? withRole : '$3::text is null'}
   and ($2::text is null or (coalesce(o.email_key, ''), o.id) > (select coalesce(l.email_key, ''), l.id from operator l where l.id = $2))
 order by coalesce(o.email_key, ''), o.id limit $1`;

const byIdSql = `select ${columns} from operator o where o.id = $1`;

/**
 * A page of all accounts, by age or by address. What a search finds is ordered by address; deleted accounts have none. Errors:
 * invalid_request.
 */
export function operators(
  em: EntityManager,
  { filter, order = 'newest', ...request }: { filter: OperatorFilter; order?: OperatorOrder } & PageRequest,
): Promise<Page<OperatorRecord>> {
  const search = filter.search?.trim() ?? '';
  const role = filter.role ?? null;
  return page(request, {
    cursors: idCursors<OperatorRecord>('opr', ({ id }) => id),
    read: async (count, after) => {
      refuseBadSearch(search, 'filter.search');
      return rowsOf(count, after);
    },
  });

  async function rowsOf(count: number, after: string | null): Promise<OperatorRecord[]> {
    if (search !== '') return sql<OperatorRecord>(em, namedSql(role !== null), [count, after, role, await operatorsNamed(em, search)]);
    if (order === 'address') return sql<OperatorRecord>(em, byAddressSql(role !== null), [count, await keyOf(em, after), role]);
    return sql<OperatorRecord>(em, byAgeSql(role !== null, order), [count, after, role]);
  }
}

/** The address that a cursor stands for, or '' before the first. */
async function keyOf(em: EntityManager, id: string | null): Promise<string> {
  const [row] = id === null ? [] : await sql<{ email_key: string | null }>(em, 'select email_key from operator where id = $1', [id]);
  return row?.email_key ?? '';
}

/** One account by its id. Errors: not_found. */
export async function operator(em: EntityManager, operatorId: string): Promise<OperatorRecord> {
  const [row] = hasIdForm('opr', operatorId) ? await sql<OperatorRecord>(em, byIdSql, [operatorId]) : [];
  if (!row) throw new DomainError('not_found', { detail: 'There is no such operator.' });
  return row;
}

/** The accounts with these ids, in their order. */
export async function operatorsById(em: EntityManager, ids: readonly string[]): Promise<OperatorRecord[]> {
  const rows = await sql<OperatorRecord>(em, `select ${columns} from operator o where o.id = any ($1)`, [[...ids]]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** How many integrations each of these accounts has, in their order. */
export async function integrationCounts(em: EntityManager, ids: readonly string[]): Promise<number[]> {
  const text = 'select operator_id as id, count(*)::int as count from integration where operator_id = any ($1) group by operator_id';
  const rows = await sql<{ id: string; count: number }>(em, text, [[...ids]]);
  return ids.map((id) => rows.find((row) => row.id === id)?.count ?? 0);
}

const accessSql = `
select (select count(*) from portal_session s where s.operator_id = $1 and s.ended_at is null and s.expires_at > $2 and s.last_used_at > $3)::int as sessions,
       (select count(*) from passkey p where p.operator_id = $1)::int as passkeys,
       (select max(p.last_used_at) from passkey p where p.operator_id = $1) as "lastUsedAt"`;

/** How people sign in to an account: its open sessions, its passkeys, and when a passkey was last used. */
export async function operatorAccess(
  em: EntityManager,
  operatorId: string,
  now: Date,
): Promise<{ readonly sessions: number; readonly passkeys: number; readonly lastUsedAt: Date | null }> {
  const idleSince = new Date(now.getTime() - accountLimits.sessionIdle);
  const [row] = await sql<{ sessions: number; passkeys: number; lastUsedAt: Date | null }>(em, accessSql, [operatorId, now, idleSince]);
  return { sessions: row?.sessions ?? 0, passkeys: row?.passkeys ?? 0, lastUsedAt: row?.lastUsedAt ?? null };
}
