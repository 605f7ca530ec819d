import type { StatusWord } from '../shared/text/statusWord.ts';

type CorpusFacts = StatusWord & {
  /** Whether its job is running or will run soon, so that the present test data is about to be replaced. */
  readonly isUnderWay: boolean;
  readonly isReady: boolean;
};

/** What each state of a sandbox's test data means. The job of a failed corpus can be tried again. */
export const corpusFacts = {
  queued: { tone: 'waiting', word: 'Queued', isUnderWay: true, isReady: false },
  building: { tone: 'working', word: 'Building', isUnderWay: true, isReady: false },
  ready: { tone: 'good', word: 'Ready', isUnderWay: false, isReady: true },
  failed: { tone: 'bad', word: 'Failed', isUnderWay: false, isReady: false },
} as const satisfies Readonly<Record<string, CorpusFacts>>;
