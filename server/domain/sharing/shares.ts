import type { EntityManager } from '@mikro-orm/postgresql';
import type { ServiceTokenActor } from '../shared/actor.ts';
import type { LookupKeys } from '../shared/keySet.ts';
import { idCursors } from '../shared/lists/cursors.ts';
import { page, refuseForeignCursor, type Page, type PageRequest } from '../shared/lists/page.ts';
import { userRef } from '../shared/lookupKeys.ts';
import type { Scope } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';
import type { GrantedResource } from './grantResources.ts';
import { userErrors } from './sharingRules.ts';

/** What a user shares, or has shared, with one integration through one redeemed link code. */
type Share = {
  readonly connectionId: string;
  readonly integrationId: string;
  readonly scopes: readonly Scope[];
  /** The profile version to which the user consented last. */
  readonly profileVersion: number;
  readonly statisticsOptedIn: boolean;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  /** What is shared now, by the IDs that the integration knows. Only the holder of the keys knows which orders these are. */
  readonly resources: readonly GrantedResource[];
};

type Shares = {
  readonly actor: ServiceTokenActor;
  readonly lookupKeys: LookupKeys;
  readonly user: string;
} & PageRequest;

/** Newest first (index connection_user; the few connections of one user are sorted). Live resources by the index shared_resource_live. */
const sharesSql = `
select c.id as "connectionId", k.integration_id as "integrationId", c.scopes, c.profile_version as "profileVersion",
       c.statistics_opted_in as "statisticsOptedIn", c.created_at as "createdAt", r.revoked_at as "revokedAt",
       (select coalesce(json_agg(json_build_object('id', s.id, 'type', s.type) order by s.position), '[]') from shared_resource s
         where s.client_number = c.client_number and s.connection_id = c.id and s.revocation_id is null) as resources
  from connection c join client k on k.number = c.client_number left join revocation r on r.client_number = c.client_number and r.id = c.revocation_id
 where c.user_ref = $1 and ($3::text is null or (c.created_at, c.id) < (select l.created_at, l.id from connection l where l.id = $3 and l.user_ref = $1))
 order by c.created_at desc, c.id desc limit $2`;

/** A cursor of another user's list tells nothing about that user. */
const knownSql = 'select 1 from connection where id = $1 and user_ref = $2';

const countSql = 'select count(*)::int as count from connection where user_ref = $1';

/**
 * A page of a user's shares in the token's environment, newest first, including revoked ones. Errors: invalid_request (`user`, `first`,
 * `after`). A user who is not known has none.
 */
export async function shares(
  em: EntityManager,
  { actor, lookupKeys, user, ...request }: Shares,
): Promise<Page<Share> & { readonly totalCount: number }> {
  const reference = userRef(lookupKeys, actor.environment, user);
  const found = await page(request, {
    cursors: idCursors<Share>('con', ({ connectionId }) => connectionId),
    errors: userErrors(user).map(({ message }) => ({ path: 'user', message })),
    read: async (count, after) => {
      if (after !== null && (await sql(em, knownSql, [after, reference])).length === 0) refuseForeignCursor();
      return sql<Share>(em, sharesSql, [reference, count, after]);
    },
  });
  const [counted] = await sql<{ count: number }>(em, countSql, [reference]);
  return { ...found, totalCount: counted?.count ?? 0 };
}
