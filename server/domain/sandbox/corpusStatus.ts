import { isSet, markedLifecycle, namesOf } from '../shared/lifecycle.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';
import { corpusFacts } from './corpusFacts.ts';

export type CorpusState = keyof typeof corpusFacts;
export const corpusStates = namesOf(corpusFacts);

/** Not ready yet. */
export const unfinishedStates = corpusStates.filter((state) => !corpusFacts[state].isReady);

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
  corpusFacts,
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

/** Whether its job is running or will run soon. */
export function isUnderWay(corpus: Parameters<typeof corpusLifecycle.stateOf>[0], now: Date): boolean {
  return corpusFacts[corpusLifecycle.stateOf(corpus, now)].isUnderWay;
}
