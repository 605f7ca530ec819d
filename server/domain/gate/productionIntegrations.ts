import type { EntityManager } from '@mikro-orm/postgresql';
import { Integration } from '../integration/Integration.ts';
import { productionStatuses, type ProductionStatus } from '../integration/integrationFacts.ts';
import { idCursors } from '../shared/lists/cursors.ts';
import { inOrder, page, type Page, type PageRequest } from '../shared/lists/page.ts';
import { integrationsNamed, refuseBadSearch } from '../shared/lists/search.ts';
import { sql } from '../shared/sql.ts';

type Asked = {
  /** null: all of them. */
  readonly status?: ProductionStatus | null;
  /** Whether their own gate is open; null: either. */
  readonly open?: boolean | null;
  /** The text to search for, as in `integrationsNamed`. */
  readonly search?: string | null;
} & PageRequest;

/**
 * The newest of each status are read from index `integration_status`, or, by the position of their gate, from `integration_gate`, in its
 * order.
 */
const pageSql = (ofGate: boolean, named: boolean): string => `
select i.id
  from unnest($3::text[]) wanted(status)
 cross join lateral (select id, created_at from integration i
                      where i.status = wanted.status and ${ofGate ? 'i.production_gate_open = $4' : '$4::boolean is null'}
                        and ${named ? 'i.id = any ($5::text[])' : '$5::text[] is null'}
                        and ($2::text is null or (i.created_at, i.id) < (select created_at, id from integration where id = $2))
                      order by i.created_at desc, i.id desc limit $1) i
 order by i.created_at desc, i.id desc limit $1`;

/** A page of the integrations in whose status a gate has an effect, newest first. Errors: invalid_request. */
export function productionIntegrations(
  em: EntityManager,
  { status = null, open = null, search = null, ...request }: Asked,
): Promise<Page<Integration>> {
  return page(request, {
    cursors: idCursors<Integration>('int', ({ id }) => id),
    read: async (count, after) => {
      refuseBadSearch(search ?? '', 'search');
      const named = search?.trim() ? await integrationsNamed(em, search) : null;
      const wanted = [count, after, status === null ? [...productionStatuses] : [status], open, named];
      const ids = (await sql<{ id: string }>(em, pageSql(open !== null, named !== null), wanted)).map(({ id }) => id);
      return inOrder(ids, await em.find(Integration, { id: { $in: ids } }));
    },
  });
}
