import type { EntityManager } from '@mikro-orm/postgresql';
import type { HealthLevel } from '../attention/findings/findingTypes.ts';
import { Integration } from '../integration/Integration.ts';
import type { IntegrationStatus } from '../integration/integrationStatus.ts';
import { slugRefusal } from '../integration/slugRefusal.ts';
import { DomainError } from '../shared/DomainError.ts';
import { idCursors } from '../shared/lists/cursors.ts';
import { inOrder, page, refuseForeignCursor, type Page, type PageRequest } from '../shared/lists/page.ts';
import { integrationsNamed, refuseBadSearch } from '../shared/lists/search.ts';
import { sql } from '../shared/sql.ts';

export const integrationOrders = ['newest', 'oldest', 'slug'] as const;
export type IntegrationOrder = (typeof integrationOrders)[number];

type IntegrationFilter = {
  /** What names the integration: see `integrationsNamed`. */
  readonly search?: string | null;
  readonly status?: IntegrationStatus | null;
  /** As it was last judged. */
  readonly health?: HealthLevel | null;
  readonly operatorId?: string | null;
};

type Asked = { readonly filter: IntegrationFilter; readonly order: IntegrationOrder } & PageRequest;

/**
 * A page of everybody's integrations for administrators, by age or by slug. With a search, only those that it names. Errors:
 * invalid_request.
 */
export function allIntegrations(em: EntityManager, { filter, order, ...request }: Asked): Promise<Page<Integration>> {
  const search = filter.search?.trim() ?? '';
  return page(request, {
    cursors: idCursors<Integration>('int', ({ id }) => id),
    read: async (count, after) => {
      refuseBadSearch(search, 'filter.search');
      const last = after === null ? null : await em.findOne(Integration, after);
      if (after !== null && !last) refuseForeignCursor();
      const named = search === '' ? null : await integrationsNamed(em, search);
      const { text, values } = pageSql({ ...filter, ids: named }, order, last, count);
      const ids = (await sql<{ id: string }>(em, text, values)).map(({ id }) => id);
      return inOrder(ids, await em.find(Integration, { id: { $in: ids } }));
    },
  });
}

/** Anybody's integration by its slug. Errors: not_found. */
export async function anyIntegration(em: EntityManager, slug: string): Promise<Integration> {
  const integration = slugRefusal(slug) === null ? await em.findOne(Integration, { slug }) : null;
  if (!integration) throw new DomainError('not_found', { detail: 'There is no such integration.' });
  return integration;
}

/**
 * With a search, the primary key. Otherwise the indexes integration_created, integration_status, integration_health, integration_slug,
 * integration_status_slug and integration_health_slug, each in the order of the page.
 */
function pageSql(
  filter: Omit<IntegrationFilter, 'search'> & { ids: readonly string[] | null },
  order: IntegrationOrder,
  last: Integration | null,
  limit: number,
) {
  const values: unknown[] = [];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const parts = ['true'];
  if (filter.ids !== null) parts.push(`i.id = any (${place(filter.ids)}::text[])`);
  if (filter.operatorId) parts.push(`i.operator_id = ${place(filter.operatorId)}`);
  if (filter.status) parts.push(`i.status = ${place(filter.status)}`);
  if (filter.health) parts.push(`i.health = ${place(filter.health)}`);
  const bySlug = order === 'slug';
  const descending = order === 'newest';
  if (last !== null) {
    const sooner = bySlug
      ? `i.slug ~>~ ${place(last.slug)}`
      : `(i.created_at, i.id) ${descending ? '<' : '>'} (${place(last.createdAt)}::timestamptz, ${place(last.id)}::text)`;
    parts.push(sooner);
  }
  const direction = descending ? 'desc' : 'asc';
  const ordered = bySlug ? 'i.slug using ~<~' : `i.created_at ${direction}, i.id ${direction}`;
  const text = `select i.id from integration i where ${parts.join(' and ')} order by ${ordered} limit ${place(limit)}`;
  return { text, values };
}
