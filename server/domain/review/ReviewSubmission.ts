import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { Integration } from '../integration/Integration.ts';
import { integrationTransitions } from '../integration/integrationStatus.ts';
import { TermsVersion } from '../integration/terms/TermsVersion.ts';
import type { Scope } from '../shared/scopes.ts';
import type { Statement } from './reviewChecklist.ts';

/** `withdrawn`: its owner took it back, or the integration was retired, before anybody decided. */
export const submissionStatuses = ['submitted', 'rejected', 'approved', 'withdrawn'] as const;
export const reviewRoles = ['operator', 'reviewer'] as const;
export type ReviewRole = (typeof reviewRoles)[number];

const schema = defineEntity({
  name: 'ReviewSubmission',
  tableName: 'review_submission',
  properties: {
    /** `sub_…` */
    id: p.string().primary(),
    integrationId: p.manyToOne(Integration).mapToPk().fieldName('integration_id'),
    operatorId: p.manyToOne(Operator).mapToPk().fieldName('operator_id'),
    /** The first submission of an integration is number 1. */
    number: p.integer().fieldName('round'),
    profileVersion: p.integer(),
    scopes: p.array<Scope>((text) => text as Scope),
    termsVersion: p.manyToOne(TermsVersion).mapToPk().fieldName('terms_version'),
    reviewUrl: p.string(),
    statement: p.json<readonly Statement[]>(),
    status: p.enum(submissionStatuses),
    submittedAt: p.datetime(3),
    /** Whose turn it is. */
    waitingFor: p.enum(reviewRoles),
    /** Since when it is their turn; once it is decided, when that was. */
    waitingSince: p.datetime(3),
    reviewerId: p.manyToOne(Operator).mapToPk().fieldName('reviewer_id').nullable(),
    takenAt: p.datetime(3).nullable(),
    decidedAt: p.datetime(3).nullable(),
    decidedBy: p.manyToOne(Operator).mapToPk().fieldName('decided_by').nullable(),
    decisionNotes: p.text().nullable(),
    /** What the integration was when it was submitted, and is again if this is withdrawn. */
    submittedFrom: p.enum(integrationTransitions.withdrawSubmission.to),
  },
});

/** What was sent for review: one profile version with exactly its scopes. Nothing but its turn and its decision ever changes. */
export class ReviewSubmission extends schema.class {
  /** Hands the turn to the other side; a turn that is theirs already goes on. */
  passTurnTo(role: ReviewRole, now: Date): void {
    if (this.waitingFor === role) return;
    this.waitingFor = role;
    this.waitingSince = now;
  }
}
schema.setClass(ReviewSubmission);

/** Its owner took it back; a retirement closes submissions as well. */
export function isWithdrawnByOwner({
  status,
  decidedBy,
  operatorId,
}: Pick<ReviewSubmission, 'status' | 'decidedBy' | 'operatorId'>): boolean {
  return status === 'withdrawn' && decidedBy === operatorId;
}
