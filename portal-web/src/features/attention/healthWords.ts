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
