import type { EntityManager } from '@mikro-orm/postgresql';
import { isOverSql } from './integrationStatus.ts';
import { DomainError } from '../shared/DomainError.ts';
import { idCursors } from '../shared/lists/cursors.ts';
import { inOrder, page, refuseForeignCursor, type Page, type PageRequest } from '../shared/lists/page.ts';
import { partOf, refuseBadSearch } from '../shared/lists/search.ts';
import { sql } from '../shared/sql.ts';
import { foldText } from '../shared/text/writtenText.ts';
import { Integration } from './Integration.ts';
import { slugRefusal } from './slugRefusal.ts';

/** One of the operator's own integrations, by its slug. Somebody else's is not_found, like one that never existed. */
export async function ownIntegration(em: EntityManager, operatorId: string, slug: string): Promise<Integration> {
  const integration = slugRefusal(slug) === null ? await em.findOne(Integration, { slug, operatorId }) : null;
  if (!integration) throw new DomainError('not_found', { detail: 'There is no such integration.' });
  return integration;
}

/** Which of an operator's own integrations a list shows: those that are retired, the others, or both; and those with a part of this name or slug. */
type Asked = {
  readonly operatorId: string;
  readonly retired?: boolean | null | undefined;
  readonly search?: string | null | undefined;
  /** Only these; null: all. */
  readonly ids?: readonly string[] | null | undefined;
} & PageRequest;

/** By integration_operator. `$1` whose, `$2` retired or not, `$3` part of the name or slug, `$4` which. */
const wanted = `
  from integration i join profile_version v on v.integration_id = i.id and v.version = i.profile_version
 where i.operator_id = $1 and ($2::boolean is null or (${isOverSql('i')}) = $2) and ($3::text is null or i.slug like $3 or folded(v.public_name) like $3)
   and ($4::text[] is null or i.id = any ($4))`;

/** `$5` rows wanted, `$6` and `$7` the last item's place. */
const pageSql = (resumed: boolean) => `
select i.id ${wanted} ${resumed ? 'and (i.created_at, i.id) < ($6::timestamptz, $7::text)' : ''} order by i.created_at desc, i.id desc limit $5`;

/** A page of the operator's own integrations, newest first. Errors: invalid_request. */
export async function ownIntegrations(
  em: EntityManager,
  { operatorId, retired = null, search = null, ids: wantedIds = null, ...request }: Asked,
): Promise<Page<Integration> & { readonly totalCount: number; readonly retiredCount: number }> {
  refuseBadSearch(search ?? '', 'search');
  const part = search?.trim() ? partOf(foldText(search.trim())) : null;
  const counts = `select count(*)::int as total, count(*) filter (where ${isOverSql('i')})::int as retired ${wanted}`;
  const read = page(request, {
    cursors: idCursors<Integration>('int', ({ id }) => id),
    read: async (count, after) => {
      const last = after === null ? null : await em.findOne(Integration, { id: after, operatorId });
      if (after !== null && !last) refuseForeignCursor();
      const place = last ? [last.createdAt, last.id] : [];
      const ids = (await sql<{ id: string }>(em, pageSql(last !== null), [operatorId, retired, part, wantedIds, count, ...place])).map(
        ({ id }) => id,
      );
      return inOrder(ids, await em.find(Integration, { id: { $in: ids } }));
    },
  });
  // Beside each other: what the page's items are asked for then comes sooner.
  const [found, [counted]] = await Promise.all([
    read,
    sql<{ total: number; retired: number }>(em, counts, [operatorId, null, part, wantedIds]),
  ]);
  const { total = 0, retired: retiredCount = 0 } = counted ?? {};
  return { ...found, totalCount: retired === null ? total : retired ? retiredCount : total - retiredCount, retiredCount };
}
