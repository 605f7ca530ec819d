import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { Integration } from '../integration/Integration.ts';

const schema = defineEntity({
  name: 'CommercialAgreement',
  tableName: 'commercial_agreement',
  properties: {
    id: p.string().primary(),
    integrationId: p.manyToOne(Integration).mapToPk().fieldName('integration_id'),
    /** Where the written agreement is filed. */
    reference: p.string(),
    summary: p.text(),
    /** Both days are included, as YYYY-MM-DD. Without an end, the agreement lasts until it is withdrawn. */
    validFrom: p.date(),
    validUntil: p.date().nullable(),
    recordedAt: p.datetime(3),
    /** Null if it was recorded on the terminal. */
    recordedBy: p.manyToOne(Operator).mapToPk().fieldName('recorded_by').nullable(),
    withdrawnAt: p.datetime(3).nullable(),
    withdrawalReason: p.text().nullable(),
  },
});

/**
 * The record that an integration has a written agreement with the service beyond the standard, non-commercial licence
 * (docs/specification.md, “Commercial use”). It can be withdrawn, but not changed.
 */
export class CommercialAgreement extends schema.class {}
schema.setClass(CommercialAgreement);

export const agreementStates = ['future', 'valid', 'ended', 'withdrawn'] as const;
export type AgreementState = (typeof agreementStates)[number];

/** Where an agreement stands on a given day (UTC). */
export function agreementState(agreement: CommercialAgreement, now: Date): AgreementState {
  const today = now.toISOString().slice(0, 10);
  if (agreement.withdrawnAt) return 'withdrawn';
  if (today < agreement.validFrom) return 'future';
  return agreement.validUntil && today > agreement.validUntil ? 'ended' : 'valid';
}
