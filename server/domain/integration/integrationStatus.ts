import type { TransitionTable } from '../shared/stateMachine.ts';

/** docs/specification.md, “Integration status”; `sandbox` is its “draft / sandbox”. */
export const integrationStatuses = ['sandbox', 'submitted', 'rejected', 'approved', 'active', 'suspended', 'retired'] as const;
export type IntegrationStatus = (typeof integrationStatuses)[number];

/** From the approval on, also while production is suspended: production certificates can be prepared, and the gate has an effect. */
export const productionStatuses = ['approved', 'active', 'suspended'] as const satisfies readonly IntegrationStatus[];
export type ProductionStatus = (typeof productionStatuses)[number];

/** Every change of an integration's status; nothing else writes it (docs/specification.md, “Integration status”). */
export const integrationTransitions = {
  submitForReview: { from: ['sandbox', 'rejected'], to: 'submitted' },
  rejectSubmission: { from: ['submitted'], to: 'rejected' },
  /** Back to where the submission came from. */
  withdrawSubmission: { from: ['submitted'], to: ['sandbox', 'rejected'] },
  approveSubmission: { from: ['submitted'], to: 'approved' },
  activateForProduction: { from: ['approved'], to: 'active' },
  suspendForMissedDeletion: { from: ['active'], to: 'suspended' },
  suspendIntegration: { from: ['approved', 'active'], to: 'suspended' },
  reactivateIntegration: { from: ['suspended'], to: 'active' },
  /** An owner cannot retire what is under review, an administrator can. */
  retireIntegration: { from: ['sandbox', 'submitted', 'rejected', 'approved', 'active', 'suspended'], to: 'retired' },
} as const satisfies TransitionTable<IntegrationStatus>;

export type IntegrationAction = keyof typeof integrationTransitions;
