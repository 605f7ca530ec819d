import type { EntityManager } from '@mikro-orm/postgresql';
import { Integration } from '../integration/Integration.ts';
import type { IntegrationStatus } from '../integration/integrationStatus.ts';
import { slugRefusal } from '../integration/profileRules.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { integrationsNamed, refuseBadSearch } from './search.ts';

export const integrationOrders = ['newest', 'oldest', 'slug'] as const;
export type IntegrationOrder = (typeof integrationOrders)[number];

export type IntegrationFilter = {
  /** What names it: see `integrationsNamed`. */
  readonly search?: string | null;
  readonly status?: IntegrationStatus | null;
  readonly operatorId?: string | null;
};

type Asked = {
  readonly filter: IntegrationFilter;
  readonly order: IntegrationOrder;
  readonly first: number;
  readonly after: string | null;
};

/**
 * A page of everybody's integrations for administrators, by age or by slug; a search finds those that it names. `after` is the cursor of a former item. Errors: invalid_request.
 */
export async function allIntegrations(
  em: EntityManager,
  { filter, order, first, after }: Asked,
): Promise<{ items: readonly Integration[]; hasNextPage: boolean }> {
  const search = filter.search?.trim() ?? '';
  const last = after === null ? null : Buffer.from(after, 'base64url').toString('utf8');
  refuseInvalid([
    ...(first < 1 || first > limits.pageSize ? [{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }] : []),
    ...(last !== null && !hasIdForm('int', last) ? [{ path: 'after', message: 'This cursor does not belong to this list.' }] : []),
  ]);
  refuseBadSearch(search, 'filter.search');
  const place = last === null ? null : await em.findOne(Integration, last);
  if (last !== null && !place) refuseInvalid([{ path: 'after', message: 'This cursor does not belong to this list.' }]);
  const ids = search === '' ? null : await integrationsNamed(em, search);
  const { text, values } = pageSql({ ...filter, ids }, order, place, first + 1);
  const page = (await sql<{ id: string }>(em, text, values)).map(({ id }) => id);
  const found = new Map((await em.find(Integration, { id: { $in: page.slice(0, first) } })).map((each) => [each.id, each]));
  return { items: page.slice(0, first).flatMap((id) => found.get(id) ?? []), hasNextPage: page.length > first };
}

/** Anybody's integration by its slug. Errors: not_found. */
export async function anyIntegration(em: EntityManager, slug: string): Promise<Integration> {
  const integration = slugRefusal(slug) === null ? await em.findOne(Integration, { slug }) : null;
  if (!integration) throw new DomainError('not_found', { detail: 'There is no such integration.' });
  return integration;
}

/** The opaque cursor of an item. */
export function administeredCursor({ id }: Integration): string {
  return Buffer.from(id).toString('base64url');
}

/** Of a search the primary key; else indexes integration_created, integration_status, integration_slug, integration_status_slug, each in the order of the page. */
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
