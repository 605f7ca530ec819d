import type { EntityManager } from '@mikro-orm/postgresql';
import { openReset } from '../account/accountReset.ts';
import { termsToAccept } from '../integration/terms/acceptTerms.ts';
import type { MailDetails, MailKind } from '../notification/mailKinds.ts';
import { news, type NewsAsked, type NewsItem, unreadNews } from '../notification/news.ts';
import { submissionTitle } from '../notification/words/staffAttentionWords.ts';
import { openStatuses, submissionLifecycle } from '../review/submissionStatus.ts';
import { mapPage, type Page } from '../shared/lists/page.ts';
import { sql } from '../shared/sql.ts';
import { capital } from '../shared/text/firstLetter.ts';
import { counted } from '../shared/text/numberWords.ts';
import { firstDeadline } from '../sharing/deletion/deletionCounts.ts';
import type { ClientFacts, IntegrationFacts } from './facts/IntegrationFacts.ts';
import { hostOf } from './findings/webhooksFinding.ts';

/** News with what has become of it. */
type CurrentNews = NewsItem & {
  /** Whether it asked for something that nobody needs to do any more: it is told as past then, leads nowhere, and need not be read. */
  readonly settled: boolean;
};

/** What is known by now of what the news on a page ask for. */
type Known = {
  readonly now: Date;
  /** Of the integration that it is about. */
  readonly facts: IntegrationFacts | null;
  readonly termsToAccept: number | null;
  readonly hasReset: boolean;
  /** The submissions that wait for a reviewer. */
  readonly waiting: ReadonlySet<string>;
};

type Asking<Kind extends MailKind> = {
  /** What it is read from, besides the integration. */
  readonly of?: 'account' | 'submission';
  readonly isOpen: (details: MailDetails[Kind], known: Known) => boolean;
  /** What it is called once that is over. */
  readonly past: (details: MailDetails[Kind]) => string;
};

/** All other kinds: what they tell stays as it was told. */
type Telling =
  | 'registration'
  | 'new_passkey'
  | 'passkey_removed'
  | 'recovery_used'
  | 'recovery_codes_made'
  | 'session_stolen'
  | 'email_change_current'
  | 'email_change_new'
  | 'email_changed'
  | 'account_deleted'
  | 'account_locked'
  | 'account_unlocked'
  | 'account_reset_cancelled'
  | 'account_reset_ready'
  | 'account_reset_used'
  | 'certificate_end_restored'
  | 'p12_expired'
  | 'p12_blocked'
  | 'certificate_renewal'
  | 'certificates_revoked'
  | 'webhook_resumed'
  | 'integration_reactivated'
  | 'gate_moved'
  | 'role_granted'
  | 'role_withdrawn'
  | 'integration_retired'
  | 'business_model_reported'
  | 'suspension_made'
  | 'deletions_overdue'
  | 'account_reset_waiting';

/** The kinds of news that ask for something, with whether they still do. */
const asking: { readonly [Kind in MailKind]?: Asking<Kind> } = {
  certificate_expiring: {
    isOpen: ({ environment, usableUntil }, { facts }) => newestEnd(clientOf(facts, environment)) <= Date.parse(usableUntil),
    past: ({ environment }) => `The ${environment} certificate was about to end`,
  },
  deletion_warning: {
    isOpen: ({ deadline }, { facts }) => {
      const first = facts?.production && firstDeadline(facts.production.deletions);
      return first ? first.getTime() <= Date.parse(deadline) : false;
    },
    past: ({ deletions = 1 }) => `${counted(deletions, 'deletion')} ${deletions === 1 ? 'was' : 'were'} due`,
  },
  webhook_failing: {
    isOpen: ({ environment, host }, { facts }) => endpointsOf(facts, environment, host).some(({ failingSince }) => failingSince !== null),
    past: ({ environment, host }) => `${capital(environment)} webhooks to ${host} were failing`,
  },
  webhook_dead_letters: {
    isOpen: ({ environment }, { facts }) => clientOf(facts, environment)?.endpoints.some(({ dead }) => dead > 0) ?? false,
    past: ({ environment, letters, more }) =>
      `${more === 1 ? 'More than ' : ''}${counted(letters, `${environment} event`)} ${letters === 1 ? 'was' : 'were'} not delivered`,
  },
  webhook_paused: {
    isOpen: ({ environment, host }, { facts }) =>
      endpointsOf(facts, environment, host).some(({ pausedBy }) => pausedBy === 'administrator'),
    past: ({ environment }) => `${capital(environment)} webhook endpoint was paused by an administrator`,
  },
  quota_reached: {
    isOpen: ({ resetsAt }, { now }) => Date.parse(resetsAt) > now.getTime(),
    past: ({ percent }) => `${percent}% of a quota was used`,
  },
  review_question: {
    isOpen: (_, { facts }) => facts?.status === 'submitted' && facts.review?.waitsFor === 'operator',
    past: () => 'The reviewers had a question',
  },
  submission_rejected: { isOpen: (_, { facts }) => facts?.status === 'rejected', past: () => 'Changes were needed' },
  submission_approved: { isOpen: (_, { facts }) => facts?.status === 'approved', past: () => 'Approved' },
  integration_suspended: { isOpen: (_, { facts }) => facts?.status === 'suspended', past: () => 'Was suspended' },
  terms_published: {
    of: 'account',
    isOpen: ({ version }, { termsToAccept: open }) => open !== null && version >= open,
    past: ({ version }) => `Integration Terms: version ${version}`,
  },
  account_reset_requested: {
    of: 'account',
    isOpen: (_, { hasReset }) => hasReset,
    past: () => 'Somebody said that you had lost access to your account',
  },
  account_reset_approved: { of: 'account', isOpen: (_, { hasReset }) => hasReset, past: () => 'Your account was to be reset' },
  submission_received: {
    of: 'submission',
    isOpen: ({ submissionId }, { waiting }) => waiting.has(submissionId),
    past: ({ round: number }) => submissionTitle(number),
  },
  question_answered: {
    of: 'submission',
    isOpen: ({ submissionId }, { waiting }) => waiting.has(submissionId),
    past: () => 'Question answered',
  },
} satisfies { readonly [Kind in Exclude<MailKind, Telling>]: Asking<Kind> };

type Circumstances = {
  readonly now: Date;
  readonly factsOf: (integrationIds: readonly string[]) => Promise<readonly IntegrationFacts[]>;
};
type Asked = NewsAsked & Circumstances;

/** How many pages are passed over in one request because all their news are settled. */
const pagesPassed = 5;

/**
 * A page of somebody’s news as of now, newest first. Where only the unread are asked for, some pages of which none is left are passed over; after
 * these, one may be empty although others follow. Errors: invalid_request.
 */
export async function currentNews(em: EntityManager, asked: Asked, passed = 0): Promise<Page<CurrentNews>> {
  const found = await news(em, asked);
  const about = await knownOf(
    em,
    found.edges.map(({ node }) => node.of),
    asked,
  );
  const current = mapPage(found, (item) => asOfNow(item, about));
  if (!asked.unread) return current;
  const edges = current.edges.filter(({ node }) => !node.settled);
  const { hasNextPage, endCursor } = current.pageInfo;
  if (edges.length > 0 || !hasNextPage || passed === pagesPassed) return { ...current, edges };
  return currentNews(em, { ...asked, after: endCursor }, passed + 1);
}

type CountAsked = Pick<NewsAsked, 'operatorId' | 'roles'> & { readonly most: number } & Circumstances;

/** How many of somebody’s newest news are neither marked as read nor settled. */
export async function unreadCount(em: EntityManager, asked: CountAsked): Promise<number> {
  const unread = await unreadNews(em, asked);
  const about = await knownOf(em, unread, asked);
  return unread.filter((of) => !isSettled(of, about)).length;
}

const nothingToDo = 'This is settled: nothing is left to do.';

type Of = Pick<NewsItem['of'], 'kind' | 'details' | 'integrationId'>;

// `notify` stored the details with the type that belongs to the kind.
const askOf = ({ kind }: Of) => asking[kind] as Asking<MailKind> | undefined;

function isSettled(of: Of, about: (of: Of) => Known): boolean {
  const ask = askOf(of);
  return ask !== undefined && !ask.isOpen(of.details, about(of));
}

function asOfNow(item: NewsItem, about: (of: Of) => Known): CurrentNews {
  const { details, name } = item.of;
  const ask = askOf(item.of);
  if (!ask || !isSettled(item.of, about)) return { ...item, settled: false };
  const title = ask.past(details);
  return { ...item, read: true, settled: true, title: name === null ? title : `${title}: ${name}`, text: nothingToDo, action: null };
}

/** By the primary key. */
const waitingSql = `
select s.id from review_submission s where s.id = any ($1::text[]) and ${submissionLifecycle.isIn(openStatuses, { row: 's' })} and s.waiting_for = 'reviewer'`;

async function knownOf(
  em: EntityManager,
  all: readonly Of[],
  { now, factsOf, operatorId }: Pick<Asked, 'now' | 'factsOf' | 'operatorId'>,
): Promise<(of: Of) => Known> {
  const items = all.filter(({ kind }) => kind in asking);
  const ofAccount = items.some(({ kind }) => asking[kind]?.of === 'account');
  const submissions = items.flatMap(({ kind, details }) => (asking[kind]?.of === 'submission' ? [String(details['submissionId'])] : []));
  const integrations = [...new Set(items.flatMap(({ kind, integrationId }) => (asking[kind]?.of ? [] : (integrationId ?? []))))];
  const [facts, terms, reset, waiting] = await Promise.all([
    integrations.length > 0 ? factsOf(integrations) : [],
    ofAccount ? termsToAccept(em, operatorId) : null,
    ofAccount ? openReset(em, operatorId, now) : null,
    submissions.length > 0 ? sql<{ id: string }>(em, waitingSql, [submissions]) : [],
  ]);
  const rest = { now, termsToAccept: terms, hasReset: reset !== null, waiting: new Set(waiting.map(({ id }) => id)) };
  return ({ integrationId }) => ({ ...rest, facts: facts.find(({ id }) => id === integrationId) ?? null });
}

function clientOf(facts: IntegrationFacts | null, environment: string): ClientFacts | null {
  return facts && (environment === 'production' ? facts.production : facts.sandbox);
}

function endpointsOf(facts: IntegrationFacts | null, environment: string, host: string): ClientFacts['endpoints'] {
  return clientOf(facts, environment)?.endpoints.filter((each) => hostOf(each) === host) ?? [];
}

/** When the last of its certificates ends; without one there is nothing to renew. */
function newestEnd(client: ClientFacts | null): number {
  const ends = client?.certificates.flatMap(({ usableUntil }) => usableUntil?.getTime() ?? []) ?? [];
  return ends.length > 0 ? Math.max(...ends) : Number.POSITIVE_INFINITY;
}
