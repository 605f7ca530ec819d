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

/** What has been found out about a signal, with its figure; only its state where what needs the owner is listed beside it. */
export function findingWords({ level, word, figure }: Pick<Signal, 'level' | 'word' | 'figure'>): string {
  if (level === 'failing' || level === 'attention' || level === 'settingUp') return healthFacts[level].word;
  return figure === null ? word : `${word}, ${figure}`;
}

/** How much needs the owner, where it is listed elsewhere. */
export const toDoWords = (needs: number): string => `${needs.toLocaleString('en')} to do`;
