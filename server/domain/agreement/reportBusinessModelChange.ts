import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../account/attempts.ts';
import { isOver } from '../integration/integrationStatus.ts';
import { record } from '../audit/record.ts';
import { lockIntegration } from '../integration/lockIntegration.ts';
import { notifyStaff } from '../notification/notifyStaff.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { newId } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { secondsUntil } from '../shared/secondsUntil.ts';
import { textErrors } from './agreementRules.ts';
import { BusinessModelReport } from './BusinessModelReport.ts';

type ReportBusinessModelChange = {
  readonly actor: OperatorActor;
  readonly integrationId: string;
  readonly description: string;
  readonly now: Date;
};

const day = 24 * 60 * 60 * 1000;

/**
 * The owner tells the service that the integration's business model is going to change (docs/specification.md, “Commercial use”). Reviewers
 * and administrators see the report, and reviewers get a mail. Nothing else follows by itself, and the report permits nothing. Errors:
 * invalid_request, not_found, conflict (retired), rate_limit_exceeded (10 a day for an integration, 30 for an operator).
 */
export function reportBusinessModelChange(
  em: EntityManager,
  { actor, integrationId, description, now }: ReportBusinessModelChange,
): Promise<BusinessModelReport> {
  const words = description.trim();
  refuseInvalid(textErrors(words, { path: 'input.description', name: 'The description', most: 2_000 }));
  return em.transactional(async (tx) => {
    await takeAttempt(tx, { kind: 'business_model_report_operator', source: actor.operatorId }, now);
    const integration = await lockIntegration(tx, integrationId, actor.operatorId);
    if (isOver(integration.status)) {
      throw new DomainError('conflict', { detail: 'This integration is retired, so its business model can no longer change.' });
    }
    await refuseTooMany(tx, integrationId, now);
    const report = tx.create(BusinessModelReport, {
      id: newId('bmr'),
      operatorId: actor.operatorId,
      integrationId,
      description: words,
      reportedAt: now,
    });
    await tx.persist(report).flush();
    await record(tx, actor, now, {
      action: 'business_model.reported',
      subject: { type: 'business_model_report', id: report.id },
      integrationId,
    });
    await notifyStaff(tx, { kind: 'business_model_reported', subjectId: report.id, except: [actor.operatorId], integrationId, now });
    return report;
  });
}

/** Index business_model_report_integration. The integration is locked, so that two reports at the same moment count each other. */
async function refuseTooMany(tx: EntityManager, integrationId: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - day);
  const today = { integrationId, reportedAt: { $gt: since } };
  const recent = await tx.find(BusinessModelReport, today, { orderBy: { reportedAt: 'desc' }, limit: limits.businessModelReportsPerDay });
  const oldest = recent.at(-1);
  if (!oldest || recent.length < limits.businessModelReportsPerDay) return;
  throw new DomainError('rate_limit_exceeded', {
    detail: `An integration can report ${limits.businessModelReportsPerDay} changes a day. Try again tomorrow.`,
    retryAfterSeconds: secondsUntil(new Date(oldest.reportedAt.getTime() + day), now),
  });
}
