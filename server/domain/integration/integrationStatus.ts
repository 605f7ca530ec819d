import { environments, type Environment } from '../shared/environment.ts';
import { statusLifecycle } from '../shared/lifecycle.ts';
import type { HoldReason } from '../outbox/deliveryStatus.ts';
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

/** Whether something can be had: `notYet` before the approval, `notNow` during a suspension, `never` again after the retirement. */
export type Permission = 'yes' | 'notYet' | 'notNow' | 'never';

/** How the machine API refuses an integration because of its status. */
export type IntegrationRefusal = 'integration_not_active' | 'integration_suspended' | 'integration_retired';

/** What is true of an integration in one environment. */
type PhaseFacts = {
  /** The problem with which the machine API refuses every call, renewals included; null: it answers. */
  readonly refusal: IntegrationRefusal | null;
  readonly certificates: Permission;
  readonly endpoints: Permission;
  /** Whether users can share with it, and its back end can redeem link codes. */
  readonly shares: boolean;
};

const phases = {
  unapproved: { refusal: 'integration_not_active', certificates: 'notYet', endpoints: 'notYet', shares: false },
  prepared: { refusal: 'integration_not_active', certificates: 'yes', endpoints: 'yes', shares: false },
  open: { refusal: null, certificates: 'yes', endpoints: 'yes', shares: true },
  suspended: { refusal: 'integration_suspended', certificates: 'yes', endpoints: 'notNow', shares: false },
  over: { refusal: 'integration_retired', certificates: 'never', endpoints: 'never', shares: false },
} as const satisfies Readonly<Record<string, PhaseFacts>>;

/** How an integration stands in one environment. */
export type IntegrationPhase = keyof typeof phases;
export const integrationPhases = Object.keys(phases) as readonly IntegrationPhase[];

type StatusFacts = Readonly<Record<Environment, IntegrationPhase>> & {
  /** Why deliveries are held in both environments; null: they go. */
  readonly holds: HoldReason | null;
  /** Whether users find it in the catalogue. */
  readonly isListed: boolean;
};

/** What each status means, for everything that asks about more than a name. Whether a missed deletion suspends is in the transitions. */
const statusFacts: Readonly<Record<IntegrationStatus, StatusFacts>> = {
  sandbox: { sandbox: 'open', production: 'unapproved', holds: null, isListed: false },
  submitted: { sandbox: 'open', production: 'unapproved', holds: null, isListed: false },
  rejected: { sandbox: 'open', production: 'unapproved', holds: null, isListed: false },
  approved: { sandbox: 'open', production: 'prepared', holds: null, isListed: false },
  active: { sandbox: 'open', production: 'open', holds: null, isListed: true },
  suspended: { sandbox: 'open', production: 'suspended', holds: 'integration_suspended', isListed: false },
  retired: { sandbox: 'over', production: 'over', holds: null, isListed: false },
};

export function phaseOf(status: IntegrationStatus, environment: Environment): IntegrationPhase {
  return statusFacts[status][environment];
}

/** What is true in this environment while the integration has this status. */
export function factsOf(status: IntegrationStatus, environment: Environment): PhaseFacts {
  return phases[statusFacts[status][environment]];
}

/** Whether it has ended for good. */
export function isOver(status: IntegrationStatus): boolean {
  return environments.every((environment) => statusFacts[status][environment] === 'over');
}

/** Whether calls in this environment used to be answered and are refused now, for a time or for good. */
export function isStopped(status: IntegrationStatus, environment: Environment): boolean {
  const phase = phaseOf(status, environment);
  return phase === 'suspended' || phase === 'over';
}

/** Whether production is being prepared or open. */
export function isUnderWay(status: IntegrationStatus): boolean {
  const phase = phaseOf(status, 'production');
  return phase === 'prepared' || phase === 'open';
}

/** Why its deliveries are held, or null. */
export function holdOf(status: IntegrationStatus): StatusFacts['holds'] {
  return statusFacts[status].holds;
}

/** The statuses of which this holds, for statements. */
export function statusesThat(holds: (status: IntegrationStatus) => boolean): readonly IntegrationStatus[] {
  return integrationStatuses.filter(holds);
}

/** SQL: whether the integration `row` has ended for good. */
export function isOverSql(row: string): string {
  return integrationLifecycle.isIn(statusesThat(isOver), { row });
}

/** SQL: why the deliveries of the integration `row` are held, or null. */
export function holdSql(row: string): string {
  const reasons = [...new Set(integrationStatuses.map(holdOf))].filter((reason) => reason !== null);
  const cases = reasons.map(
    (reason) =>
      `when ${integrationLifecycle.isIn(
        statusesThat((status) => holdOf(status) === reason),
        { row },
      )} then '${reason}'`,
  );
  return `case ${cases.join(' ')} end`;
}

/** SQL: whether users find the integration `row` in the catalogue. */
export function isListedSql(row: string): string {
  return integrationLifecycle.isIn(
    statusesThat((status) => statusFacts[status].isListed),
    { row },
  );
}

/** SQL: whether this holds of the integration `row` in the environment that the expression names. */
export function whereFacts(holds: (facts: PhaseFacts) => boolean, { row, environment }: { row: string; environment: string }): string {
  const wanted = environments.map((each) => ({ each, statuses: statusesThat((status) => holds(factsOf(status, each))) }));
  const [first] = wanted;
  if (first && wanted.every(({ statuses }) => statuses.join() === first.statuses.join()))
    return integrationLifecycle.isIn(first.statuses, { row });
  return `(${wanted
    .filter(({ statuses }) => statuses.length > 0)
    .map(({ each, statuses }) => `${environment} = '${each}' and ${integrationLifecycle.isIn(statuses, { row })}`)
    .join(' or ')})`;
}
