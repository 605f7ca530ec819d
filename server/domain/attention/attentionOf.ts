import { factsOf, isInUse, isOver } from '../integration/integrationStatus.ts';
import { firstDeadline, noDeletions } from '../sharing/deletion/deletionCounts.ts';
import type { IntegrationFacts } from './facts/IntegrationFacts.ts';
import type { Environment } from '../shared/environment.ts';
import type { Signal } from './findings/findingTypes.ts';
import type { AttentionItem } from '../notification/words/AttentionItem.ts';
import { clientFindings } from './findings/clientFindings.ts';
import { toDelete } from './findings/deletionsFinding.ts';
import { need } from './findings/need.ts';
import { attentionKinds, attentionLevels, pressingWithin } from '../notification/words/attentionKinds.ts';

/**
 * What an integration needs of its owner, the most urgent first. Inbox, list, overview and mails all say what is said here
 * (docs/specification.md, “Attention”). It is computed when it is asked for, so it has no mark for “read” and is gone when it is done.
 */
export function attentionOf(facts: IntegrationFacts): AttentionItem[] {
  return inOrder(allNeeds(facts), facts.asOf);
}

/** The same in no order, for what is put in order with others. */
export function allNeeds(facts: IntegrationFacts): AttentionItem[] {
  return [...foundIn(facts, 'production'), ...foundIn(facts, 'sandbox')];
}

/** The part of that which concerns one environment. What is decided about the integration concerns production. */
export function needsIn(facts: IntegrationFacts, environment: Environment): AttentionItem[] {
  return inOrder(foundIn(facts, environment), facts.asOf);
}

/** In no order. Nearly every finding needs nothing, so this makes no list of each. */
function foundIn(facts: IntegrationFacts, environment: Environment): AttentionItem[] {
  const client = facts[environment];
  const found = environment === 'production' ? statusNeeds(facts) : [];
  for (const { signal, needs } of client ? clientFindings(facts, client) : []) {
    for (const each of needs) if (matters(facts, environment, signal, each.kind)) found.push(each);
  }
  return found;
}

/**
 * The most urgent first: what has stopped everything; what is overdue or due soon; what fails; what is not delivered; what has a later deadline;
 * what will fail; a step of the way. Among these, the next deadline at the top, then by kind, the oldest first.
 */
export function inOrder(items: readonly AttentionItem[], now: Date): AttentionItem[] {
  // So it is with nearly every integration, of which a page counts a thousand.
  if (items.length < 2) return [...items];
  const never = Number.POSITIVE_INFINITY;
  const urgencyOf = ({ deadline, level, kind }: AttentionItem): number => {
    if (kind === 'suspended') return 0;
    if (deadline && deadline.getTime() - now.getTime() <= pressingWithin) return 1;
    if (level === 'failing') return 2;
    if (undelivered.has(kind)) return 3;
    return deadline ? 4 : 5;
  };
  const keyOf = (item: AttentionItem) => ({
    item,
    urgency: urgencyOf(item),
    deadline: item.deadline?.getTime() ?? never,
    level: attentionLevels.indexOf(item.level),
    kind: attentionKinds.indexOf(item.kind),
    since: item.since?.getTime() ?? never,
  });
  return items
    .map(keyOf)
    .toSorted(
      (a, b) =>
        compared(a.urgency, b.urgency) ||
        compared(a.deadline, b.deadline) ||
        compared(a.level, b.level) ||
        compared(a.kind, b.kind) ||
        compared(a.since, b.since),
    )
    .map(({ item }) => item);
}

/** What does not arrive at a receiver. */
const undelivered: ReadonlySet<AttentionItem['kind']> = new Set(['deadLetters', 'webhookPaused', 'endpointUnproven']);

const compared = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/**
 * While nothing can be called in production, only what users have revoked is still to be done there, and what is never held to be received: of
 * that, an endpoint fails as at any other time.
 */
function matters({ status }: IntegrationFacts, environment: Environment, signal: Signal, kind: AttentionItem['kind']): boolean {
  if (environment === 'sandbox') return !isOver(status);
  return isInUse(factsOf(status, 'production')) || signal === 'deletions' || (kind === 'webhookFailing' && !isOver(status));
}

function statusNeeds(facts: IntegrationFacts): AttentionItem[] {
  const { status, statusChangedAt: since, statusReason, review, suspendedFor, production } = facts;
  switch (status) {
    case 'suspended': {
      const deletions = production?.deletions ?? noDeletions;
      const { outstandingCount: outstanding, overdueCount: overdue } = deletions;
      const cause = suspendedFor ?? 'decision';
      const deadline = cause === 'missedDeletion' ? firstDeadline(deletions) : null;
      const details = { cause, outstanding, overdue, what: toDelete(deletions), reason: statusReason };
      return [need(facts, 'suspended', 'failing', details, { since, deadline })];
    }
    case 'submitted':
      return review?.waitsFor === 'operator' ? [need(facts, 'reviewQuestion', 'attention', {}, { since: review.waitingSince })] : [];
    case 'rejected':
      return [need(facts, 'reviewRejected', 'attention', { unmet: review?.unmet ?? 0 }, { since })];
    case 'approved':
      return [need(facts, 'activation', 'settingUp', {}, { since })];
    case 'sandbox':
    case 'active':
    case 'retired':
    case 'unknown':
      return [];
  }
}
