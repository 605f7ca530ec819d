import type { EntityManager } from '@mikro-orm/postgresql';
import { isOver } from '../integration/integrationStatus.ts';
import { record } from '../audit/record.ts';
import { Integration } from '../integration/Integration.ts';
import { refuseOwn } from '../integration/refuseOwn.ts';
import type { Actor } from '../shared/actor.ts';
import { DomainError, refuseInvalid, type FieldError } from '../shared/DomainError.ts';
import { newId } from '../shared/ids.ts';
import { isDay, textErrors } from './agreementRules.ts';
import { CommercialAgreement } from './CommercialAgreement.ts';

type RecordCommercialAgreementInput = {
  readonly integrationId: string;
  readonly reference: string;
  readonly summary: string;
  readonly validFrom: string;
  readonly validUntil?: string | null;
};

/**
 * An administrator records that a written agreement with the service exists for an integration (docs/specification.md, “Commercial use”).
 * Owner, reviewers and administrators see it. Errors: invalid_request by field, not_found, forbidden (own), conflict (retired).
 */
export function recordCommercialAgreement(
  em: EntityManager,
  { actor, input, now }: { actor: Actor; input: RecordCommercialAgreementInput; now: Date },
): Promise<CommercialAgreement> {
  const [reference, summary] = [input.reference.trim(), input.summary.trim()];
  const validUntil = input.validUntil ?? null;
  refuseInvalid([
    ...textErrors(reference, { path: 'input.reference', name: 'The reference', most: 120 }),
    ...textErrors(summary, { path: 'input.summary', name: 'The summary', most: 2_000 }),
    ...validityErrors(input.validFrom, validUntil),
  ]);
  return em.transactional(async (tx) => {
    const integration = await tx.findOne(Integration, { id: input.integrationId });
    if (!integration) throw new DomainError('not_found', { detail: 'There is no such integration.' });
    refuseOwn(integration, actor, 'administers');
    if (isOver(integration.status)) throw new DomainError('conflict', { detail: 'This integration is retired.' });
    const agreement = tx.create(CommercialAgreement, {
      id: newId('agr'),
      integrationId: integration.id,
      reference,
      summary,
      validFrom: input.validFrom,
      validUntil,
      recordedAt: now,
      recordedBy: actor.type === 'operator' ? actor.operatorId : null,
      withdrawnAt: null,
      withdrawalReason: null,
    });
    await tx.persist(agreement).flush();
    await record(tx, actor, now, {
      action: 'commercial_agreement.recorded',
      subject: { type: 'commercial_agreement', id: agreement.id },
      operatorId: integration.operatorId,
      integrationId: integration.id,
      details: { reference, validFrom: input.validFrom, ...(validUntil !== null && { validUntil }) },
    });
    return agreement;
  });
}

function validityErrors(from: string, until: string | null): FieldError[] {
  if (!isDay(from)) return [{ path: 'input.validFrom', message: 'Enter a day such as 2026-12-31.' }];
  if (until === null) return [];
  if (!isDay(until)) return [{ path: 'input.validUntil', message: 'Enter a day such as 2026-12-31, or leave it empty.' }];
  return until < from ? [{ path: 'input.validUntil', message: 'The last day is before the first day.' }] : [];
}
