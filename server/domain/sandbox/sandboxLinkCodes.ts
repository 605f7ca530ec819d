import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../shared/actor.ts';
import { limits } from '../shared/limits.ts';
import { idCursors } from '../shared/lists/cursors.ts';
import { page, refuseForeignCursor, type Page, type PageRequest } from '../shared/lists/page.ts';
import type { Scope } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';
import { linkCodeLifecycle, type LinkCodeState } from '../sharing/linkCodeStatus.ts';
import { ownSandbox } from './ownSandbox.ts';

/** A link code of a sandbox without its digits, which are shown only once. */
type SandboxLinkCode = {
  readonly id: string;
  readonly state: LinkCodeState;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly redeemedAt: Date | null;
  readonly connectionId: string | null;
  readonly failedAttempts: number;
  readonly orders: number;
  readonly vehicles: number;
  readonly scopes: readonly Scope[];
  readonly statisticsOptedIn: boolean;
};

/** Reads index link_code_client, and the resources by link_code_resource_pkey. */
const sandboxLinkCodesSql = `
select c.id, c.created_at as "createdAt", c.expires_at as "expiresAt", c.redeemed_at as "redeemedAt", c.cancelled_at as "cancelledAt",
       c.connection_id as "connectionId", c.failed_attempts as "failedAttempts", c.scopes, c.statistics_opted_in as "statisticsOptedIn", r.orders, r.vehicles
  from link_code c
 cross join lateral (
   select count(*) filter (where t.type = 'order')::int as orders, count(*) filter (where t.type = 'vehicle')::int as vehicles
     from link_code_resource l join tracked_resource t on t.id = l.tracked_resource_id where l.link_code_id = c.id) r
 where c.client_number = $1 and c.created_at > $2
   and ($3::text is null or (c.created_at, c.id) < (select created_at, id from link_code where client_number = $1 and id = $3))
 order by c.created_at desc, c.id desc limit $4`;

/** A code may have left the list since its cursor was given out; its cursor works until the code is removed. */
const knownSql = 'select 1 from link_code where client_number = $1 and id = $2';

/**
 * A page of the sandbox's link codes of the last day, newest first. Errors: not_found, invalid_request
 * (`first`, `after`).
 */
export async function sandboxLinkCodes(
  em: EntityManager,
  { actor, clientId, now, ...request }: { actor: OperatorActor; clientId: string; now: Date } & PageRequest,
): Promise<Page<SandboxLinkCode>> {
  const { number } = await ownSandbox(em, actor, clientId);
  return page(request, {
    cursors: idCursors<SandboxLinkCode>('lnk', ({ id }) => id),
    read: async (count, after) => {
      if (after !== null && (await sql(em, knownSql, [number, after])).length === 0) refuseForeignCursor();
      const since = new Date(now.getTime() - limits.linkCodeKept);
      const rows = await sql<Row>(em, sandboxLinkCodesSql, [number, since, after, count]);
      return rows.map((row) => withState(row, now));
    },
  });
}

type Row = Omit<SandboxLinkCode, 'state'> & { readonly cancelledAt: Date | null };

function withState({ cancelledAt, ...row }: Row, now: Date): SandboxLinkCode {
  return { ...row, state: linkCodeLifecycle.stateOf({ ...row, cancelledAt }, now) };
}
