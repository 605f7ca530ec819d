import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../shared/actor.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import type { Scope } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';
import { ownSandbox } from './ownSandbox.ts';

/** A user's link to the integration in its sandbox. */
export type SandboxConnection = {
  readonly id: string;
  readonly createdAt: Date;
  readonly scopes: readonly Scope[];
  readonly statisticsOptedIn: boolean;
  /** How many resources are shared in it now. */
  readonly liveResources: number;
  readonly revoked: boolean;
};

/** connection_created; the resources by shared_resource_live, for the page alone. */
const sandboxConnectionsSql = `
with page as materialized (
  select id, created_at, scopes, statistics_opted_in, revocation_id is not null as revoked from connection
   where client_no = $1 and ($2::text is null or (created_at, id) < (select created_at, id from connection where client_no = $1 and id = $2))
   order by created_at desc, id desc limit $3)
select p.id, p.created_at as "createdAt", p.scopes, p.statistics_opted_in as "statisticsOptedIn", p.revoked,
       (select count(*)::int from shared_resource s where s.client_no = $1 and s.connection_id = p.id and s.revocation_id is null) as "liveResources"
  from page p order by p.created_at desc, p.id desc`;

const countSql = 'select count(*)::int as total from connection where client_no = $1';

const knownSql = 'select 1 from connection where client_no = $1 and id = $2';

/**
 * A page of the connections of the operator's own sandbox, newest first. `after` is the cursor of a former item. Errors: not_found,
 * invalid_request (`first`, `after`).
 */
export async function sandboxConnections(
  em: EntityManager,
  { actor, clientId, first, after }: { actor: OperatorActor; clientId: string; first: number; after: string | null },
): Promise<{ items: readonly SandboxConnection[]; hasNextPage: boolean; totalCount: number }> {
  refuseInvalid(first >= 1 && first <= limits.pageSize ? [] : [{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }]);
  const client = await ownSandbox(em, actor, clientId);
  const known = after === null || (hasIdForm('con', after) && (await sql(em, knownSql, [client.no, after])).length === 1);
  refuseInvalid(known ? [] : [{ path: 'after', message: 'This cursor does not belong to this list.' }]);
  const rows = await sql<Row>(em, sandboxConnectionsSql, [client.no, after, first + 1]);
  const [count] = await sql<{ total: number }>(em, countSql, [client.no]);
  const items = rows.slice(0, first).map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
  return { items, hasNextPage: rows.length > first, totalCount: count?.total ?? 0 };
}

type Row = Omit<SandboxConnection, 'createdAt'> & { readonly createdAt: string };
