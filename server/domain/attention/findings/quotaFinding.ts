import { quotaLeftWords } from '../../client/quotaFacts.ts';
import { isStopped } from '../../integration/integrationStatus.ts';
import { usageLimits } from '../../usage/usageLimits.ts';
import type { ClientFacts, IntegrationFacts } from '../facts/IntegrationFacts.ts';
import type { Finding } from './findingTypes.ts';
import { need } from './need.ts';

const signal = 'quota';
const page = 'requests';

type Quota = ClientFacts['quotas'][number];

/** Of a client that has used none in their present windows, as nearly all have. */
const unused: Finding = { signal, level: 'healthy', word: 'All available', figure: null, page, needs: [] };
const refused: Finding = { signal, level: 'quiet', word: 'Not counted', figure: 'every call is refused', page, needs: [] };

/**
 * How much of the client’s fullest quota of an hour is left, and whether this minute’s is used up, in the words of the page Requests. The mails begin
 * at the same share; a minute passes too soon to need anybody. Where no call is answered any more, that is neither good nor bad.
 */
export function quotaFinding(facts: IntegrationFacts, { environment, quotas }: ClientFacts): Finding {
  if (isStopped(facts.status, environment)) return refused;
  if (quotas.length === 0) return unused;
  const [nearly, all] = usageLimits.quotaWarningPercents;
  const [fullest] = quotas.filter(({ name }) => name !== 'minute').toSorted((one, other) => percentOf(other) - percentOf(one));
  const minute = quotas.find(({ name, left }) => name === 'minute' && left === 0);
  const hourly = fullest ? quotaLeftWords(fullest) : unused.word;
  const percent = fullest ? percentOf(fullest) : 0;
  if (percent < nearly) {
    return minute
      ? { signal, level: 'quiet', word: quotaLeftWords(minute), figure: hourly, page, needs: [] }
      : { signal, level: 'healthy', word: hourly, figure: null, page, needs: [] };
  }
  const level = percent >= all ? 'failing' : 'attention';
  // The mail names the threshold, and so does this: the share changes with every request.
  const details = { environment, percent: percent >= all ? all : nearly, est: fullest?.name === 'est' };
  return {
    signal,
    level,
    word: percent >= all ? 'Used up' : 'Nearly used up',
    figure: hourly,
    page,
    needs: [need(facts, 'quota', level, details)],
  };
}

function percentOf({ limit, left }: Quota): number {
  return ((limit - left) * 100) / limit;
}
