import { isSet, markedLifecycle, passed, unless } from '../shared/lifecycle.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';

/** The state of the deletion that a revocation requires. What came with the test data is never overdue. */
const deletionStates = ['outstanding', 'overdue', 'acknowledged'] as const;
export type DeletionState = (typeof deletionStates)[number];

/** Neither acknowledged nor recorded by hand: the operator still has to delete. */
export const undeletedStates = ['outstanding', 'overdue'] as const satisfies readonly DeletionState[];

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
  {
    marks: [
      ['acknowledged', isSet('acknowledgedAt')],
      ['overdue', unless('fixture', passed('deletionDeadlineAt'))],
    ],
    otherwise: 'outstanding',
  },
  revocationTransitions,
);
