import type { StatusWord } from '../../shared/text/statusWord.ts';

/** How well an integration works in one environment, in the word and colour that every page shows. */
export const healthFacts = {
  new: { tone: 'neutral', word: 'New' },
  settingUp: { tone: 'underWay', word: 'Setting up' },
  healthy: { tone: 'good', word: 'Healthy' },
  attention: { tone: 'waiting', word: 'Needs attention' },
  failing: { tone: 'bad', word: 'Failing' },
  suspended: { tone: 'bad', word: 'Suspended' },
  retired: { tone: 'stopped', word: 'Retired' },
} as const satisfies Readonly<Record<string, StatusWord>>;
