import { phaseFacts } from '../../../../../server/domain/integration/integrationFacts.ts';
import { pressingWithin } from '../../../../../server/domain/notification/words/attentionKinds.ts';
import { deadlineMissed, missedDeadline } from '../../../../../server/domain/notification/words/consequences.ts';
import { spanWords } from '../../../../../server/domain/shared/text/spanWords.ts';
import type { Phase } from '../../../features/integration/integrationQuery.ts';
import { counted } from '../../../ui/text/counted.ts';
import { elapsedWords } from '../../../ui/time/timeWords.ts';
import type { Revocation, RevocationPage } from './revocationsQuery.ts';

type Counts = Pick<RevocationPage, 'dueCount' | 'overdueCount' | 'nextDeadlineAt'> & {
  readonly overdueSince?: string | null;
  readonly outstandingCount?: number;
};

/** How many deletions are due, as in "3 deletions due, 1 overdue". Beside it stands until when. */
export function countWords({ dueCount, overdueCount, outstandingCount = 0 }: Omit<Counts, 'nextDeadlineAt'>): string {
  if (dueCount === 0) return outstandingCount > 0 ? 'Nothing is due' : 'Nothing to delete';
  if (dueCount === 1) return '1 deletion';
  return lateWords({ dueCount, overdueCount });
}

function lateWords({ dueCount, overdueCount }: Pick<Counts, 'dueCount' | 'overdueCount'>): string {
  const deletions = counted(dueCount, 'deletion');
  if (overdueCount === dueCount) return `${deletions} overdue`;
  return `${deletions} due${overdueCount > 0 ? `, ${overdueCount.toLocaleString('en')} overdue` : ''}`;
}

/** The same in one line with until when, as in "3 deletions due, next in 2 days 4 hours". */
export function dueWords(counts: Counts, now: Date): string {
  const { dueCount, overdueCount, nextDeadlineAt, overdueSince = null } = counts;
  const since = overdueCount > 0 && overdueSince !== null ? ` ${elapsedWords(new Date(overdueSince), now)}` : '';
  const words = `${lateWords(counts)}${since}`;
  if (nextDeadlineAt === null) return words;
  return `${words}${dueCount === 1 ? '' : ', next'} in ${spanWords(Math.max(0, Date.parse(nextDeadlineAt) - now.getTime()))}`;
}

/** What to delete, as in "Order" or "Connection, 3 resources". */
export function subjectWords({ subjectType, subjectId, resourceCount }: Revocation): string {
  if (subjectType === 'connection') return `Connection, ${counted(resourceCount, 'resource')}`;
  return subjectId.startsWith('veh_') ? 'Stock vehicle' : 'Order';
}

type Asked = { readonly phase: Phase; readonly environment: Revocation['environment']; readonly scopes: readonly string[] };

/** What follows from a missed deadline. */
export function overdueWords({ phase, environment, scopes }: Asked): string {
  if (phaseFacts[phase].calls === 'never') return 'The integration is retired, so the API refuses every call.';
  const why = acknowledgementRefusal({ phase, scopes })
    ? ''
    : 'The API refuses the acknowledgement with 409 acknowledgement_window_closed. ';
  return `${why}${environment === 'sandbox' ? 'Nothing else follows in the sandbox.' : consequences[phase]}`;
}

const consequences: Readonly<Record<Phase, string>> = {
  unapproved: missedDeadline,
  prepared: missedDeadline,
  open: deadlineMissed,
  suspended: 'An administrator looks at what is overdue before lifting the suspension.',
  over: '',
};

/** What is told of a deadline before anything has missed it. */
export const deadlineWords: Readonly<Record<Phase, string>> = {
  unapproved: missedDeadline,
  prepared: missedDeadline,
  open: missedDeadline,
  suspended: `The suspension stays. ${consequences.suspended}`,
  over: 'Nothing more is stopped, but the data must be deleted all the same.',
};

/** Why the machine API accepts no acknowledgement of a client with these scopes while its integration stands like this, or null. */
export function acknowledgementRefusal({ phase, scopes }: Pick<Asked, 'phase' | 'scopes'>): string | null {
  return (
    refusalsByPhase[phase] ??
    (scopes.includes('revocations.ack') ? null : 'Your client cannot acknowledge deletions, because it lacks the scope revocations.ack.')
  );
}

const refusalsByPhase: Readonly<Record<Phase, string | null>> = {
  unapproved: null,
  prepared: null,
  open: null,
  suspended: 'While the integration is suspended, the API accepts no acknowledgements in production.',
  over: 'The integration is retired, so the API refuses every call.',
};

export type TimeLeft = {
  /** The time left in words, as in "1 day 12 hours left" or "overdue for 3 hours". */
  words: string;
  urgency: 'calm' | 'soon' | 'overdue';
};

/** How much time is left until `deadline`. */
export function timeLeft(deadline: Date, now: Date): TimeLeft {
  const left = deadline.getTime() - now.getTime();
  if (left <= 0) return { words: `overdue ${elapsedWords(deadline, now)}`, urgency: 'overdue' };
  return { words: `${spanWords(left)} left`, urgency: left <= pressingWithin ? 'soon' : 'calm' };
}
