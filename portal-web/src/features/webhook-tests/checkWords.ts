import type { StatusTone } from '../../ui/values/statusTone.ts';
import type { ReceiverCheck } from './testQueries.ts';

type Checked = Pick<ReceiverCheck, 'passed'> & { readonly probes: readonly Pick<ReceiverCheck['probes'][number], 'verdict' | 'title'>[] };

/** What a receiver check has found, as a mark. Where a request was not sent, it does not say that all is well, and `untried` names it. */
export function checkWords({ passed, probes }: Checked): { tone: StatusTone; word: string; untried: string | null } {
  if (!passed) return { tone: 'bad', word: 'Receiver does not follow the rules', untried: null };
  const unsent = probes.filter(({ verdict }) => verdict === 'not_sent').map(({ title }) => title);
  if (unsent.length === 0) return { tone: 'good', word: 'Receiver follows the rules', untried: null };
  return { tone: 'neutral', word: 'Receiver follows the rules that were checked', untried: `Not checked: ${unsent.join('; ')}` };
}
