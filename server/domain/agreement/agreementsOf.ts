import type { EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../shared/limits.ts';
import { BusinessModelReport } from './BusinessModelReport.ts';
import { CommercialAgreement } from './CommercialAgreement.ts';

/** An integration's reports of a change of business model, the newest 100, newest first. */
export function businessModelReportsOf(em: EntityManager, integrationId: string): Promise<BusinessModelReport[]> {
  return em.find(BusinessModelReport, { integrationId }, { orderBy: { reportedAt: 'desc', id: 'desc' }, limit: limits.pageSize });
}

/** An integration's commercial agreements, withdrawn and ended ones too, the newest 100, newest first. */
export function commercialAgreementsOf(em: EntityManager, integrationId: string): Promise<CommercialAgreement[]> {
  return em.find(CommercialAgreement, { integrationId }, { orderBy: { recordedAt: 'desc', id: 'desc' }, limit: limits.pageSize });
}
