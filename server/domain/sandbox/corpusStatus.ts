import { isSet, markedLifecycle } from '../shared/lifecycle.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';

export const corpusStates = ['queued', 'building', 'ready', 'failed'] as const;
export type CorpusState = (typeof corpusStates)[number];

const underWayStates = ['queued', 'building'] as const satisfies readonly CorpusState[];
/** Not ready yet. The job of a failed corpus can be tried again. */
export const unfinishedStates = ['queued', 'building', 'failed'] as const satisfies readonly CorpusState[];

/** Every change of a sandbox's corpus (docs/specification.md, “Test data”). A later generation supersedes it in any state. */
export const corpusTransitions = {
  requestSandboxCorpus: { from: [], to: 'queued', by: ['owner'], sets: ['requestedAt', 'startedAt', 'readyAt', 'failedAt'] },
  /** The time of the first start is kept. */
  startSandboxCorpus: { from: unfinishedStates, to: 'building', by: ['service'], sets: ['startedAt', 'failedAt'] },
  activateSandboxCorpus: { from: unfinishedStates, to: 'ready', by: ['service'], sets: ['readyAt', 'failedAt'] },
  failSandboxCorpus: { from: unfinishedStates, to: 'failed', by: ['service'], sets: ['failedAt'] },
} as const satisfies TransitionTable<CorpusState>;

export const corpusLifecycle = markedLifecycle(
  'sandbox_corpus',
  {
    marks: [
      ['ready', isSet('readyAt')],
      ['failed', isSet('failedAt')],
      ['building', isSet('startedAt')],
    ],
    otherwise: 'queued',
  },
  corpusTransitions,
);

/** Whether its job is running or will run soon, so that the present test data is about to be replaced. */
export function isUnderWay(corpus: Parameters<typeof corpusLifecycle.stateOf>[0], now: Date): boolean {
  const state = corpusLifecycle.stateOf(corpus, now);
  return underWayStates.some((each) => each === state);
}
