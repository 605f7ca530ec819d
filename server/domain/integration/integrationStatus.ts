import { environments, type Environment } from '../shared/environment.ts';
import { type Known, namesOf, factsIn, statusLifecycle } from '../shared/lifecycle.ts';
import type { Transition, TransitionTable } from '../shared/stateMachine.ts';
import { integrationFacts, phaseFacts, type IntegrationPhase, type PhaseFacts, type StatusFacts } from './integrationFacts.ts';

export type IntegrationStatus = Known<keyof typeof integrationFacts>;
export const integrationStatuses = namesOf(integrationFacts);
/** As it was read, when only a later release may know it. */
export type ReadIntegrationStatus = IntegrationStatus | 'unknown';

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

export const integrationLifecycle = statusLifecycle('integration', integrationFacts, integrationTransitions);

export const integrationPhases = namesOf(phaseFacts);

export function phaseOf(status: ReadIntegrationStatus, environment: Environment): IntegrationPhase {
  return factsIn(integrationFacts, status)[environment];
}

/** What is true in this environment while the integration has this status. */
export function factsOf(status: ReadIntegrationStatus, environment: Environment): PhaseFacts {
  return phaseFacts[phaseOf(status, environment)];
}

/** Whether it has ended for good. */
export function isOver(status: ReadIntegrationStatus): boolean {
  return environments.every((environment) => factsOf(status, environment).calls === 'never');
}

/** Whether calls in this environment used to be answered and are refused now, for a time or for good. */
export function isStopped(status: ReadIntegrationStatus, environment: Environment): boolean {
  const { calls } = factsOf(status, environment);
  return calls === 'notNow' || calls === 'never';
}

/** Whether its owner has to see to what works or is missing: it is being prepared, or its calls are answered. */
export function isInUse({ calls, isUnderWay }: PhaseFacts): boolean {
  return calls === 'yes' || isUnderWay;
}

/** Whether only an administrator can bring it back, whom its owner has to ask. */
export function waitsForAdministrator(status: ReadIntegrationStatus): boolean {
  const ways: readonly Transition<IntegrationStatus>[] = Object.values(integrationTransitions).filter(({ to }) => to !== 'retired');
  const from = ways.filter((way) => way.from.some((each) => each === status));
  return from.length > 0 && from.every(({ by }) => by.every((mover) => mover === 'administrator'));
}

/** Why its deliveries are held, or null. */
export function holdOf(status: ReadIntegrationStatus): StatusFacts['holds'] {
  return factsIn(integrationFacts, status).holds;
}

/** The statuses of which this holds, for statements. */
export function statusesThat(holds: (status: IntegrationStatus) => boolean): readonly IntegrationStatus[] {
  return integrationStatuses.filter(holds);
}

/** SQL: whether the integration `row` has ended for good. */
export function isOverSql(row: string): string {
  return integrationLifecycle.isIn(statusesThat(isOver), { row });
}

/**
 * SQL: whether the integration `row` has a status that only a later release knows, whose processes run beside these while it is installed or taken
 * back. What may be done in it is not known either, so nothing is.
 */
export function isUnknownSql(row: string): string {
  return `not ${integrationLifecycle.isIn(integrationStatuses, { row })}`;
}

/** SQL: why the deliveries of the integration `row` are held, or null. */
export function holdSql(row: string): string {
  const reasons = [...new Set(integrationStatuses.map(holdOf))].filter((reason) => reason !== null);
  const cases = reasons.map((reason) => `when ${integrationLifecycle.where(({ holds }) => holds === reason, { row })} then '${reason}'`);
  return `case ${cases.join(' ')} when ${isUnknownSql(row)} then 'integration_suspended' end`;
}

/** SQL: whether users find the integration `row` in the catalogue. */
export function isListedSql(row: string): string {
  return integrationLifecycle.where(({ isListed }) => isListed, { row });
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
