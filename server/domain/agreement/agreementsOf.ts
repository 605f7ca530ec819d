import type { EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { BusinessModelReport } from './BusinessModelReport.ts';
import { CommercialAgreement } from './CommercialAgreement.ts';

/** The newest rows of each integration, by business_model_report_integration and commercial_agreement_integration. */
const newestSql = (table: string, time: string) => `
  select newest.id from unnest($1::text[]) wanted(id)
   cross join lateral (select t.id from ${table} t where t.integration_id = wanted.id order by t.${time} desc, t.id desc limit ${limits.pageSize}) newest`;
const newestReportsSql = newestSql('business_model_report', 'reported_at');
const newestAgreementsSql = newestSql('commercial_agreement', 'recorded_at');

/** The latest 100 reports of a change of business model of each integration, newest first. */
export async function businessModelReportsOf(em: EntityManager, integrationIds: readonly string[]): Promise<BusinessModelReport[][]> {
  const ids = await sql<{ id: string }>(em, newestReportsSql, [integrationIds]);
  const rows = await em.find(
    BusinessModelReport,
    { id: { $in: ids.map(({ id }) => id) } },
    { orderBy: { reportedAt: 'desc', id: 'desc' } },
  );
  return integrationIds.map((id) => rows.filter(({ integrationId }) => integrationId === id));
}

/** The latest 100 commercial agreements of each integration, newest first, including withdrawn and ended ones. */
export async function commercialAgreementsOf(em: EntityManager, integrationIds: readonly string[]): Promise<CommercialAgreement[][]> {
  const ids = await sql<{ id: string }>(em, newestAgreementsSql, [integrationIds]);
  const rows = await em.find(
    CommercialAgreement,
    { id: { $in: ids.map(({ id }) => id) } },
    { orderBy: { recordedAt: 'desc', id: 'desc' } },
  );
  return integrationIds.map((id) => rows.filter(({ integrationId }) => integrationId === id));
}
