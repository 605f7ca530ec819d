import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { Integration } from '../integration/Integration.ts';
import { integrationTransitions } from '../integration/integrationStatus.ts';
import { TermsVersion } from '../integration/terms/TermsVersion.ts';
import type { Scope } from '../shared/scopes.ts';
import { move, type HeldByTable } from '../shared/stateMachine.ts';
import type { KeptCheck } from './KeptCheck.ts';
import type { Statement } from './reviewChecklist.ts';
import { submissionStatuses, submissionTransitions } from './submissionStatus.ts';

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
    /** Since when it is their turn, or when the submission was decided. */
    waitingSince: p.datetime(3),
    reviewerId: p.manyToOne(Operator).mapToPk().fieldName('reviewer_id').nullable(),
    takenAt: p.datetime(3).nullable(),
    decidedAt: p.datetime(3).nullable(),
    decidedBy: p.manyToOne(Operator).mapToPk().fieldName('decided_by').nullable(),
    decisionNotes: p.text().nullable(),
    /** What the service had found out by itself when it was decided. */
    checks: p.json<readonly KeptCheck[]>().nullable(),
    /** The status of the integration when it was submitted, to which it returns if this is withdrawn. */
    submittedFrom: p.enum(integrationTransitions.withdrawSubmission.to),
  },
});

type End = { readonly operatorId: string; readonly notes: string | null; readonly now: Date };
const endOf = ({ operatorId, notes, now }: End) => ({ waitingSince: now, decidedAt: now, decidedBy: operatorId, decisionNotes: notes });

/** What was sent for review: one profile version with exactly its scopes. Nothing but its turn and its decision ever changes. */
export class ReviewSubmission extends (schema.class as HeldByTable<typeof schema.class, typeof submissionTransitions>) {
  /**
   * Passes the turn to the other side. A side that already has the turn keeps it. Throws `conflict` if the submission has been decided, as
   * the following methods do.
   */
  passTurnTo(this: ReviewSubmission, role: ReviewRole, now: Date): void {
    if (this.waitingFor !== role) move(submissionTransitions, this, 'passTurn', { waitingFor: role, waitingSince: now });
  }

  /** From now on this reviewer works on it, and nobody else. */
  take(this: ReviewSubmission, reviewerId: string, now: Date): void {
    move(submissionTransitions, this, 'takeSubmission', { reviewerId, takenAt: now });
  }

  /** Leaves it to all reviewers. */
  release(this: ReviewSubmission): void {
    move(submissionTransitions, this, 'releaseSubmission', { reviewerId: null, takenAt: null });
  }

  /** Ends it with a reviewer's decision, which keeps what the service had found out by itself. */
  decide(this: ReviewSubmission, how: 'approveSubmission' | 'rejectSubmission', by: End & { checks: readonly KeptCheck[] }): void {
    move(submissionTransitions, this, how, { ...endOf(by), checks: by.checks });
  }

  /** Ends it because its owner withdraws it. */
  withdraw(this: ReviewSubmission, by: End): void {
    move(submissionTransitions, this, 'withdrawSubmission', endOf(by));
  }
}
schema.setClass(ReviewSubmission);

/** Whether its owner withdrew it. A retirement closes submissions as well. */
export function isWithdrawnByOwner({
  status,
  decidedBy,
  operatorId,
}: Pick<ReviewSubmission, 'status' | 'decidedBy' | 'operatorId'>): boolean {
  return status === 'withdrawn' && decidedBy === operatorId;
}
