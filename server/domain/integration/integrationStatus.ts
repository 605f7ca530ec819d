import { statusLifecycle } from '../shared/lifecycle.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';

/** docs/specification.md, “Integration status”; `sandbox` is its “draft / sandbox”. */
export const integrationStatuses = ['sandbox', 'submitted', 'rejected', 'approved', 'active', 'suspended', 'retired'] as const;
export type IntegrationStatus = (typeof integrationStatuses)[number];

/** The statuses from approval on, suspension included: production certificates can be prepared, and the gate has an effect. */
export const productionStatuses = ['approved', 'active', 'suspended'] as const satisfies readonly IntegrationStatus[];
export type ProductionStatus = (typeof productionStatuses)[number];

const written = ['statusReason', 'statusChangedAt'] as const;

/** Every change of an integration's status; nothing else writes it (docs/specification.md, “Integration status”). */
export const integrationTransitions = {
  createIntegration: { from: [], to: 'sandbox', by: ['owner'], sets: ['createdAt'] },
  submitForReview: { from: ['sandbox', 'rejected'], to: 'submitted', by: ['owner'], sets: written },
  /** Goes back to the status that the submission came from. */
  withdrawSubmission: { from: ['submitted'], to: ['sandbox', 'rejected'], by: ['owner'], sets: written },
  approveSubmission: { from: ['submitted'], to: 'approved', by: ['reviewer'], sets: [...written, 'reviewedProfileVersion'] },
  rejectSubmission: { from: ['submitted'], to: 'rejected', by: ['reviewer'], sets: written },
  activateForProduction: { from: ['approved'], to: 'active', by: ['owner'], sets: written },
  suspendForMissedDeletion: { from: ['active'], to: 'suspended', by: ['service'], sets: written },
  suspendIntegration: { from: ['approved', 'active'], to: 'suspended', by: ['administrator'], sets: written },
  reactivateIntegration: { from: ['suspended'], to: 'active', by: ['administrator'], sets: written },
  /** An integration under review can be retired by an administrator, but not by its owner. */
  retireIntegration: {
    from: ['sandbox', 'submitted', 'rejected', 'approved', 'active', 'suspended'],
    to: 'retired',
    by: ['owner', 'administrator'],
    sets: written,
  },
} as const satisfies TransitionTable<IntegrationStatus>;

/** Every action on an integration that already exists. */
export type IntegrationAction = Exclude<keyof typeof integrationTransitions, 'createIntegration'>;
export const integrationActions = (Object.keys(integrationTransitions) as (keyof typeof integrationTransitions)[]).filter(
  (action) => action !== 'createIntegration',
);

export const integrationLifecycle = statusLifecycle('integration', integrationStatuses, integrationTransitions);
