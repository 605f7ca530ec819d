import { factsOf, isOver } from '../../integration/integrationStatus.ts';
import { type DeletionCounts, firstDeadline } from '../../sharing/deletion/deletionCounts.ts';
import type { ToDelete } from '../../notification/words/attentionWords.ts';
import type { ClientFacts, IntegrationFacts } from '../facts/IntegrationFacts.ts';
import type { Finding } from './findingTypes.ts';
import { need } from './need.ts';
import { counted, numberWords } from '../../shared/text/numberWords.ts';
import { spanWords } from '../../shared/text/spanWords.ts';

const signal = 'deletions';
const page = 'deletions';
const none: Finding = { signal, level: 'healthy', word: 'Nothing to delete', figure: null, page, needs: [] };

/** What the client’s operator still has to delete, and until when. In a sandbox that is practice, which needs nobody. */
export function deletionsFinding(facts: IntegrationFacts, { environment, deletions, hasAcknowledgeScope }: ClientFacts): Finding {
  const { outstandingCount: outstanding, dueCount: due, overdueCount: overdue, nextDeadlineAt } = deletions;
  if (outstanding === 0) return none;
  if (due === 0) return { signal, level: 'quiet', word: `${counted(outstanding, 'deletion')} to try out`, figure: null, page, needs: [] };
  const practice = environment === 'sandbox';
  const urgency = overdue > 0 ? 'failing' : 'attention';
  const deadline = firstDeadline(deletions);
  const { calls, missedDeletionSuspends: suspends } = factsOf(facts.status, environment);
  const [mayAcknowledge, retired] = [hasAcknowledgeScope && calls === 'yes', isOver(facts.status)];
  const details = { outstanding: due, overdue, what: toDelete(deletions), retired, suspends, mayAcknowledge };
  // The suspension for a missed deletion says the same, and ends only after it.
  const said = facts.suspendedFor === 'missedDeletion';
  const found = {
    signal,
    level: practice ? ('quiet' as const) : urgency,
    page,
    deadline,
    needs: practice || said ? [] : [need(facts, 'deletions', urgency, details, { deadline })],
  } as const;
  const dueWords = counted(due, 'deletion');
  if (overdue > 0) return { ...found, word: `${overdue < due ? `${numberWords(overdue)} of ` : ''}${dueWords} overdue`, figure: null };
  const left = nextDeadlineAt && `in ${spanWords(nextDeadlineAt.getTime() - facts.asOf.getTime())}`;
  if (due === 1) return { ...found, word: [dueWords, 'due', left].filter(Boolean).join(' '), figure: null };
  return { ...found, word: `${dueWords} due`, figure: left && `next ${left}` };
}

/** Of what is due: how many of each kind, and which it is if it is only one. */
export function toDelete(deletions: DeletionCounts): ToDelete {
  const { dueCount, dueConnectionCount: connections, dueVehicleCount: vehicles, firstDueId } = deletions;
  return { orders: dueCount - connections - vehicles, vehicles, connections, only: dueCount === 1 ? firstDueId : null };
}
