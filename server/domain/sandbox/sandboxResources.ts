import type { EntityManager } from '@mikro-orm/postgresql';
import { changedAt, clientScopeBits, readBit } from '../feed/visibleSql.ts';
import type { OperatorActor } from '../shared/actor.ts';
import type { Cursors } from '../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../shared/lists/page.ts';
import { sql } from '../shared/sql.ts';
import type { OrderStatus, ResourceType } from '../tracking/allowlist.ts';
import { ownSandbox } from './ownSandbox.ts';

/** A resource of the corpus as it is shared in a sandbox. What the integration may not read, or may no longer read, is null. */
type SandboxResource = {
  readonly id: string;
  readonly type: ResourceType;
  readonly connectionId: string;
  readonly status: string | null;
  readonly model: string | null;
  readonly market: string | null;
  readonly revision: number;
  /** When it was revoked; otherwise, when it last changed. */
  readonly updatedAt: Date;
  readonly revoked: boolean;
  /** Whether an order is under way by ship, so that its voyage can have another event. */
  readonly onVoyage: boolean;
  /** Its position in the client's feed, by which the list is ordered. */
  readonly position: string;
};

/** The statuses in which an order that has a voyage is on it. */
export const voyageStatuses: readonly OrderStatus[] = ['in_transit', 'at_port'];

type SandboxResources = {
  readonly actor: OperatorActor;
  readonly clientId: string;
  readonly type: ResourceType | null;
  readonly status: string | null;
  readonly connectionId: string | null;
  /** The ID of one resource, or the beginning of IDs. */
  readonly id: string | null;
} & PageRequest;

/** Reads shared_resource_feed backwards; a sandbox has at most 5,000 shares. Only text that may contain the status is parsed. */
const fromSql = `
  from shared_resource s join client c on c.number = s.client_number join client_feed f on f.client_number = s.client_number
  join tracked_resource t on t.id = s.tracked_resource_id and t.synthetic_for = s.client_number
 cross join lateral (select s.revocation_id is null and (s.consented & ${clientScopeBits} & ${readBit('s.type')}) <> 0 as readable) r`;

const whereSql = `
 where s.client_number = $1 and ($2::text is null or s.type = $2) and ($4::text is null or s.connection_id = $4)
   and ($5::text is null or starts_with(s.id, $5))
   and ($3::text is null or case when r.readable and strpos(t.core, '"' || $3 || '"') > 0 then t.core::json->>'status' = $3 else false end)`;

const countSql = `select count(*)::int as total, count(s.revocation_id)::int as revoked ${fromSql} ${whereSql}`;

const pageSql = `
select s.id, s.type, s.connection_id as "connectionId", o.status, o.model, o.market, s.revision + f.epoch as revision,
       coalesce((select v.revoked_at from revocation v where v.client_number = s.client_number and v.id = s.revocation_id), ${changedAt('s', 'f')}) as "updatedAt",
       s.revocation_id is not null as revoked, s.position,
       coalesce(s.revocation_id is null and t.shipping is not null and o.status = any($8::text[]), false) as "onVoyage"
${fromSql}
  left join lateral json_to_record(t.core::json) o(status text, model text, market text) on r.readable ${whereSql}
   and ($6::bigint is null or s.position < $6) order by s.position desc limit $7`;

const cursors: Cursors<SandboxResource, string> = {
  write: ({ position }) => position,
  read: (text) => (/^\d{1,15}$/.test(text) ? text : undefined),
};

/**
 * A page of the resources of the corpus that are shared in the operator's own sandbox, most recently changed or revoked first. Errors:
 * not_found, invalid_request (`first`, `after`).
 */
export async function sandboxResources(
  em: EntityManager,
  { actor, clientId, type, status, connectionId, id, ...request }: SandboxResources,
): Promise<Page<SandboxResource> & { readonly totalCount: number; readonly revokedCount: number }> {
  const { number } = await ownSandbox(em, actor, clientId);
  const matching = [number, type, status, connectionId, id];
  const found = await page(request, {
    cursors,
    read: async (count, after) => {
      const rows = await sql<Row>(em, pageSql, [...matching, after, count, voyageStatuses]);
      return rows.map((row) => ({ ...row, revision: Number(row.revision) }));
    },
  });
  const [counted] = await sql<{ total: number; revoked: number }>(em, countSql, matching);
  return { ...found, totalCount: counted?.total ?? 0, revokedCount: counted?.revoked ?? 0 };
}

type Row = Omit<SandboxResource, 'revision'> & { readonly revision: string };
