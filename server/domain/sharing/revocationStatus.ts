import { isSet, markedLifecycle, namesOf, passed, unless } from '../shared/lifecycle.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';
import { deletionFacts } from './deletionFacts.ts';

type DeletionState = keyof typeof deletionFacts;
const deletionStates = namesOf(deletionFacts);

/** Neither acknowledged nor recorded by hand: the operator still has to delete. */
export const undeletedStates = deletionStates.filter((state) => !deletionFacts[state].isDone);

/** Every change of a revocation (docs/specification.md, “Revocation” and the sections after it). Only time makes it overdue. */
export const revocationTransitions = {
  revoke: { from: [], to: 'outstanding', by: ['owner', 'tooling', 'administrator', 'service'], sets: ['revokedAt', 'deletionDeadlineAt'] },
  acknowledgeRevocation: { from: ['outstanding'], to: 'acknowledged', by: ['client'], sets: ['acknowledgedAt'] },
  recordDeletion: {
    from: undeletedStates,
    to: 'acknowledged',
    by: ['owner'],
    sets: ['acknowledgedAt', 'acknowledgedLate', 'recordedByHand'],
  },
  /** Once, from day 5 on. */
  warnOfDeletionDeadline: { from: ['outstanding'], to: 'outstanding', by: ['service'], sets: ['warnedAt'] },
  /** Once, on day 7. The integration's own table has what this does to the integration. */
  enforceDeletionDeadline: { from: ['overdue'], to: 'overdue', by: ['service'], sets: ['enforcedAt'] },
} as const satisfies TransitionTable<DeletionState>;

export const revocationLifecycle = markedLifecycle(
  'revocation',
  deletionFacts,
  {
    marks: [
      ['acknowledged', isSet('acknowledgedAt')],
      ['overdue', unless('fixture', passed('deletionDeadlineAt'))],
    ],
    otherwise: 'outstanding',
  },
  revocationTransitions,
);

/** SQL: whether the operator still has to delete what the revocation `row` is about, and should have by now. */
export function isLateSql({ row, now }: { row?: string; now: string }): string {
  return revocationLifecycle.where(({ isLate }) => isLate, { row, now });
}
