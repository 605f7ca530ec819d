import type { EntityManager } from '@mikro-orm/postgresql';
import { integrationsNamedTo, refuseBadSearch } from '../administration/search.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { placeAfter, timeCursor } from '../shared/timeCursor.ts';
import { BusinessModelReport } from './BusinessModelReport.ts';

/**
 * In the order of business_model_report_newest, or by business_model_report_integration. `$1` the reviewer, `$2` rows wanted, `$3` the
 * integrations asked for, `$4` and `$5` the last item's place.
 */
const reportsSql = (named: boolean, resumed: boolean) => `
  select id from business_model_report where operator_id <> $1 and ${named ? 'integration_id = any ($3::text[])' : '$3::text[] is null'}
         ${resumed ? 'and (reported_at, id) < ($4::timestamptz, $5::text)' : ''}
   order by reported_at desc, id desc limit $2`;

/**
 * A page of what other operators have reported of their business models, newest first, whatever the status of their integrations: the
 * service is told before something changes (specification, “Operator obligations”), so somebody has to read it. A search finds
 * what `integrationsNamedTo` does. `after` is the cursor of a former item. Errors: invalid_request.
 */
export async function businessModelReports(
  em: EntityManager,
  { actor, search, first, after }: { actor: OperatorActor; search?: string | null; first: number; after: string | null },
): Promise<{ items: readonly BusinessModelReport[]; hasNextPage: boolean }> {
  if (first < 1 || first > limits.pageSize) refuseInvalid([{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }]);
  refuseBadSearch(search ?? '', 'search');
  const place = after === null ? [] : placeOf(after);
  const named = search?.trim() ? await integrationsNamedTo(em, actor, search) : null;
  const rows = await sql<{ id: string }>(em, reportsSql(named !== null, after !== null), [actor.operatorId, first + 1, named, ...place]);
  const ids = rows.slice(0, first).map(({ id }) => id);
  const items = await em.find(BusinessModelReport, { id: { $in: ids } }, { orderBy: { reportedAt: 'desc', id: 'desc' } });
  return { items, hasNextPage: rows.length > first };
}

/** The opaque cursor of an item. */
export function reportCursor({ id, reportedAt }: Pick<BusinessModelReport, 'id' | 'reportedAt'>): string {
  return timeCursor(reportedAt, id);
}

function placeOf(cursor: string): readonly [Date, string] {
  const { at, rest } = placeAfter(cursor, (id) => hasIdForm('bmr', id));
  return [at, rest];
}
