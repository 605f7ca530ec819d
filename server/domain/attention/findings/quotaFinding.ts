import { isOver, isStopped } from '../../integration/integrationStatus.ts';
import { usageLimits } from '../../usage/usageLimits.ts';
import type { ClientFacts, IntegrationFacts } from '../facts/IntegrationFacts.ts';
import type { Finding } from './findingTypes.ts';
import { need } from './need.ts';

const signal = 'quota';
const page = 'requests';

/**
 * How much of the client’s fullest quota of an hour is used. The mails begin at the same share. Where no call is answered any more, that is
 * neither good nor bad.
 */
export function quotaFinding(facts: IntegrationFacts, { environment, quotaPercent, quotaIsEst }: ClientFacts): Finding {
  if (isOver(facts.status)) return { signal, level: 'quiet', word: 'Not counted', figure: 'every call is refused', page, needs: [] };
  const [nearly, all] = usageLimits.quotaWarningPercents;
  const percent = Math.floor(quotaPercent);
  const figure = `${percent}% used`;
  if (percent < nearly) {
    const level = isStopped(facts.status, environment) ? 'quiet' : 'healthy';
    return { signal, level, word: figure, figure: null, page, needs: [] };
  }
  const level = percent >= all ? 'failing' : 'attention';
  // The mail names the threshold, and so does this: the share changes with every request.
  const details = { environment, percent: percent >= all ? all : nearly, est: quotaIsEst };
  return {
    signal,
    level,
    word: percent >= all ? 'Used up' : 'Nearly used up',
    figure,
    page,
    needs: [need(facts, 'quota', level, details)],
  };
}
