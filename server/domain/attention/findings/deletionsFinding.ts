import { isOver } from '../../integration/integrationStatus.ts';
import type { ClientFacts, IntegrationFacts } from '../facts/IntegrationFacts.ts';
import type { Finding } from './findingTypes.ts';
import { need } from './need.ts';
import { counted, numberWords } from '../../shared/text/numberWords.ts';
import { spanWords } from '../../shared/text/spanWords.ts';

const signal = 'deletions';
const page = 'deletions';

/** What the client’s operator still has to delete. In a sandbox that is practice, and never due. */
export function deletionsFinding(facts: IntegrationFacts, { environment, deletions }: ClientFacts): Finding {
  const { outstanding, overdue, nextDeadline } = deletions;
  if (outstanding === 0) return { signal, level: 'healthy', word: 'None outstanding', figure: null, page, needs: [] };
  if (environment === 'sandbox') {
    return { signal, level: 'quiet', word: `${counted(outstanding, 'deletion')} to try out`, figure: null, page, needs: [] };
  }
  const retired = isOver(facts.status);
  const level = overdue > 0 ? 'failing' : 'attention';
  // The suspension for a missed deletion says the same, and ends only after it.
  const said = facts.suspendedFor === 'missedDeletion';
  const needs = said ? [] : [need(facts, 'deletions', level, { outstanding, overdue, retired }, { deadline: nextDeadline })];
  if (overdue > 0) {
    const of = overdue < outstanding ? ` of ${numberWords(outstanding)}` : '';
    return { signal, level, word: `${numberWords(overdue)}${of} overdue`, figure: null, page, needs };
  }
  const left = nextDeadline && spanWords(nextDeadline.getTime() - facts.asOf.getTime());
  const figure = left && `${outstanding === 1 ? 'due' : 'next'} in ${left}`;
  return { signal, level, word: `${numberWords(outstanding)} to delete`, figure, page, needs };
}
