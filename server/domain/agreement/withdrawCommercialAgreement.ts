import { lockRow } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { Integration } from '../integration/Integration.ts';
import { refuseOwn } from '../integration/refuseOwn.ts';
import type { Actor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { goodReason } from '../shared/reason.ts';
import { CommercialAgreement } from './CommercialAgreement.ts';

type WithdrawCommercialAgreement = {
  readonly actor: Actor;
  readonly agreementId: string;
  readonly reason: string;
  readonly now: Date;
};

/**
 * An administrator withdraws the record of an agreement, which stays visible with the reason. Errors: invalid_request, not_found, forbidden
 * (own), conflict.
 */
export function withdrawCommercialAgreement(
  em: EntityManager,
  { actor, agreementId, reason, now }: WithdrawCommercialAgreement,
): Promise<CommercialAgreement> {
  const words = goodReason(reason);
  return em.transactional(async (tx) => {
    await lockRow(tx, 'agreement', agreementId);
    const agreement = await tx.findOne(CommercialAgreement, { id: agreementId }, { refresh: true });
    if (!agreement) throw new DomainError('not_found', { detail: 'There is no such agreement.' });
    const integration = await tx.findOneOrFail(Integration, { id: agreement.integrationId });
    refuseOwn(integration, actor, 'administers');
    if (agreement.withdrawnAt) throw new DomainError('conflict', { detail: 'This agreement has already been withdrawn.' });
    tx.assign(agreement, { withdrawnAt: now, withdrawalReason: words });
    await tx.flush();
    await record(tx, actor, now, {
      action: 'commercial_agreement.withdrawn',
      subject: { type: 'commercial_agreement', id: agreement.id },
      operatorId: integration.operatorId,
      integrationId: agreement.integrationId,
      details: { reason: words },
    });
    return agreement;
  });
}
