import type { StatusWord } from '../shared/text/statusWord.ts';

/** What each status of an authority means. No column holds it: `authorityStatus.ts` tells it. */
export const authorityFacts = {
  root: { tone: 'neutral', word: 'Root' },
  waiting: { tone: 'underWay', word: 'Waits for its turn' },
  issuing: { tone: 'good', word: 'Issues certificates' },
  replaced: { tone: 'neutral', word: 'Replaced' },
  abandoned: { tone: 'stopped', word: 'Key given up' },
  revoked: { tone: 'stopped', word: 'Revoked' },
  expired: { tone: 'stopped', word: 'Expired' },
} as const satisfies Readonly<Record<string, StatusWord>>;
