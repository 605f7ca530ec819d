import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../shared/actor.ts';
import { timeAndIdCursors } from '../shared/lists/cursors.ts';
import { inOrder, page, type Page, type PageRequest } from '../shared/lists/page.ts';
import { integrationsNamedTo, refuseBadSearch } from '../shared/lists/search.ts';
import { sql } from '../shared/sql.ts';
import { BusinessModelReport } from './BusinessModelReport.ts';

/**
 * In the order of business_model_report_newest, or by business_model_report_integration. `$1` is the reviewer, `$2` the number of rows,
 * `$3` the integrations asked for, `$4` and `$5` the place of the last item.
 */
const reportsSql = (named: boolean, resumed: boolean) => `
  select id from business_model_report where operator_id <> $1 and ${named ? 'integration_id = any ($3::text[])' : '$3::text[] is null'}
         ${resumed ? 'and (reported_at, id) < ($4::timestamptz, $5::text)' : ''}
   order by reported_at desc, id desc limit $2`;

/**
 * A page of what other operators have reported about their business models, newest first, whatever the status of their integrations. The
 * service is told before something changes (docs/specification.md, “Commercial use”), so somebody has to read it. A search finds what
 * `integrationsNamedTo` finds. Errors: invalid_request.
 */
export function businessModelReports(
  em: EntityManager,
  { actor, search, ...request }: { actor: OperatorActor; search?: string | null } & PageRequest,
): Promise<Page<BusinessModelReport>> {
  return page(request, {
    cursors,
    read: async (count, after) => {
      refuseBadSearch(search ?? '', 'search');
      const named = search?.trim() ? await integrationsNamedTo(em, actor, search) : null;
      const text = reportsSql(named !== null, after !== null);
      const rows = await sql<{ id: string }>(em, text, [actor.operatorId, count, named, ...(after ?? [])]);
      const ids = rows.map(({ id }) => id);
      return inOrder(ids, await em.find(BusinessModelReport, { id: { $in: ids } }));
    },
  });
}

const cursors = timeAndIdCursors<BusinessModelReport>('bmr', ({ reportedAt }) => reportedAt);
