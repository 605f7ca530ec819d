import { healthFacts } from '../../../../server/domain/attention/findings/healthFacts.ts';
import type { StatusTone } from '../../ui/values/statusTone.ts';
import type { Health } from './healthFragment.ts';

type Signal = Health['signals'][number];

/** Those of its signals. One that is quiet is neither good nor bad. */
export const signalTones = {
  quiet: 'neutral',
  settingUp: 'underWay',
  healthy: 'good',
  attention: 'waiting',
  failing: 'bad',
} as const satisfies Record<Signal['level'], StatusTone>;

/** What each signal is about. */
export const signalWords = {
  data: 'Data',
  errors: 'Requests',
  certificate: 'Certificate',
  deletions: 'Deletions',
  webhooks: 'Webhooks',
  quota: 'Quota',
} as const satisfies Record<Signal['signal'], string>;

/** What has been found out about a signal, with its figure. */
export function findingWords({ word, figure }: Pick<Signal, 'word' | 'figure'>): string {
  return figure === null ? word : `${word}, ${figure}`;
}

/** Its state in a word, for those who cannot see its icon; null where nothing needs the owner. */
export function stateWord({ level }: Pick<Signal, 'level'>): string | null {
  return level === 'quiet' || level === 'healthy' ? null : healthFacts[level].word;
}

/** How much needs the owner, where it is listed elsewhere. */
export const toDoWords = (needs: number): string => `${needs.toLocaleString('en')} to do`;
