import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../shared/actor.ts';
import { idCursors } from '../shared/lists/cursors.ts';
import { page, refuseForeignCursor, type Page, type PageRequest } from '../shared/lists/page.ts';
import type { Scope } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';
import { ownSandbox } from './ownSandbox.ts';

/** A user's link to the integration in its sandbox. */
type SandboxShare = {
  readonly id: string;
  readonly createdAt: Date;
  readonly scopes: readonly Scope[];
  readonly statisticsOptedIn: boolean;
  /** How many resources it shares now. */
  readonly liveResources: number;
  readonly revoked: boolean;
};

/** Reads connection_created, and by shared_resource_live the resources of this page only. */
const sandboxSharesSql = `
with page as materialized (
  select id, created_at, scopes, statistics_opted_in, revocation_id is not null as revoked from connection
   where client_number = $1 and ($2::text is null or (created_at, id) < (select created_at, id from connection where client_number = $1 and id = $2))
   order by created_at desc, id desc limit $3)
select p.id, p.created_at as "createdAt", p.scopes, p.statistics_opted_in as "statisticsOptedIn", p.revoked,
       (select count(*)::int from shared_resource s where s.client_number = $1 and s.connection_id = p.id and s.revocation_id is null) as "liveResources"
  from page p order by p.created_at desc, p.id desc`;

const countSql = 'select count(*)::int as total from connection where client_number = $1';

const knownSql = 'select 1 from connection where client_number = $1 and id = $2';

/**
 * A page of the connections of the operator's own sandbox, newest first. Errors: not_found, invalid_request (`first`,
 * `after`).
 */
export async function sandboxShares(
  em: EntityManager,
  { actor, clientId, ...request }: { actor: OperatorActor; clientId: string } & PageRequest,
): Promise<Page<SandboxShare> & { readonly totalCount: number }> {
  const { number } = await ownSandbox(em, actor, clientId);
  const found = await page(request, {
    cursors: idCursors<SandboxShare>('con', ({ id }) => id),
    read: async (count, after) => {
      if (after !== null && (await sql(em, knownSql, [number, after])).length === 0) refuseForeignCursor();
      return sql<SandboxShare>(em, sandboxSharesSql, [number, after, count]);
    },
  });
  const [counted] = await sql<{ total: number }>(em, countSql, [number]);
  return { ...found, totalCount: counted?.total ?? 0 };
}
