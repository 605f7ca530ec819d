import type { Environment } from '../../shared/environment.ts';

/** What can need an operator, in the order in which things without a deadline are listed. */
const ownerAttentionKinds = [
  'suspended',
  'deletions',
  'certificateGone',
  'certificateMissing',
  'callsRefused',
  'syncsStopped',
  'gateClosed',
  'deadLetters',
  'webhookFailing',
  'corpusFailed',
  'reviewQuestion',
  'reviewRejected',
  'activation',
  'certificateEnding',
  'successorUnused',
  'certificateRefused',
  'someRefused',
  'syncsLate',
  'webhookPaused',
  'endpointUnproven',
  'quota',
  'terms',
  'accountReset',
] as const;

/** What can need a reviewer. */
const reviewerAttentionKinds = ['submission'] as const;

/** What can need an administrator, about the service as a whole. */
export const serviceAttentionKinds = [
  'failedJobs',
  'slowReviews',
  'overdueDeletions',
  'suspendedIntegrations',
  'deadLettersWaiting',
  'failingEndpoints',
  'lateMail',
  'authorityEnding',
  'crlEnding',
  'gatesMoved',
  'resetsWaiting',
  'unread',
] as const;

export const attentionKinds = [...ownerAttentionKinds, ...reviewerAttentionKinds, ...serviceAttentionKinds] as const;
export type AttentionKind = (typeof attentionKinds)[number];
export type OwnerAttentionKind = (typeof ownerAttentionKinds)[number];

/** What each is about, in the words in which its reader looks for it. */
export const attentionTopics: Readonly<Record<AttentionKind, string>> = {
  suspended: 'Suspended',
  deletions: 'To delete',
  certificateGone: 'Certificate',
  certificateMissing: 'Certificate',
  certificateEnding: 'Certificate',
  successorUnused: 'Certificate',
  certificateRefused: 'Calls refused',
  callsRefused: 'Calls refused',
  someRefused: 'Calls refused',
  syncsStopped: 'Syncs',
  syncsLate: 'Syncs',
  deadLetters: 'Not delivered',
  webhookFailing: 'Not delivered',
  webhookPaused: 'Not delivered',
  endpointUnproven: 'Not delivered',
  quota: 'Quota',
  corpusFailed: 'Test data',
  gateClosed: 'Production',
  reviewQuestion: 'Production',
  reviewRejected: 'Production',
  activation: 'Production',
  terms: 'Terms',
  accountReset: 'Account',
  submission: 'Review',
  failedJobs: 'Service',
  slowReviews: 'Service',
  overdueDeletions: 'Service',
  suspendedIntegrations: 'Service',
  deadLettersWaiting: 'Service',
  failingEndpoints: 'Service',
  lateMail: 'Service',
  authorityEnding: 'Service',
  crlEnding: 'Service',
  gatesMoved: 'Service',
  resetsWaiting: 'Service',
  unread: 'Service',
};

/**
 * `failing`: something does not work. `attention`: something has to be done before it stops working. `settingUp`: a step on the way to
 * production, which has never worked.
 */
export const attentionLevels = ['failing', 'attention', 'settingUp'] as const;
export type AttentionLevel = (typeof attentionLevels)[number];

/** What is due within so many milliseconds is as pressing as what fails, and comes before it. Deletions are warned of then. */
export const pressingWithin = 48 * 60 * 60_000;

/** The pages on which something can be done about it. */
export const actPages = [
  'integrations',
  'overview',
  'sandbox',
  'certificates',
  'webhooks',
  'webhookEndpoint',
  'requests',
  'deletions',
  'production',
  'profile',
  'terms',
  'account',
  'submission',
  'reviews',
  'adminHome',
  'adminJobs',
  'adminIntegrations',
  'adminIntegration',
  'adminOperator',
  'adminGate',
  'adminCertificates',
  'adminWebhooks',
] as const;
export type ActPage = (typeof actPages)[number];

/** The one thing to do: the words of its button, and where it is done. */
export type Act = {
  readonly label: string;
  readonly page: ActPage;
  readonly environment: Environment | null;
  /** What the page is about, where it is not the integration: an endpoint, a submission, a version of the terms, a kind of need. */
  readonly objectId: string | null;
};

/**
 * What its time says where that is no deadline of all there is to do and no state that lasts: when the first of several things is due, what the
 * title says already, or when something happened.
 */
export const timeForms = ['firstDeadline', 'inTitle', 'event'] as const;
export type TimeForm = (typeof timeForms)[number];

/** What is to be deleted, as in “2 orders, 1 overdue”, how many deletions that is, and whether its integration is retired. */
export type DeletionsToDo = {
  readonly words: string;
  readonly count: number;
  readonly overdue: number;
  readonly retired: boolean;
  /** Of the only one. */
  readonly subjectId: string | null;
};

/** The words of one thing that needs somebody. Pages and mails say the same. */
export type AttentionWords = {
  readonly title: string;
  /** What it is called where several integrations need it, if that is not the title. */
  readonly several?: string;
  /** The answer in one line, as far as the title does not give it: what and how many, or why and what helps. */
  readonly detail?: string | null;
  readonly timeForm?: TimeForm | null;
  /** Of what asks for deletions. */
  readonly deletions?: DeletionsToDo | null;
  readonly text: string;
  readonly act: Act;
};

/** An act on a page of the integration. */
export function actOn(page: ActPage, label: string, environment: Environment | null = null, objectId: string | null = null): Act {
  return { label, page, environment, objectId };
}

const ownersTab: Partial<Record<ActPage, string>> = {
  overview: '',
  sandbox: '/sandbox',
  certificates: '/certificates',
  webhooks: '/webhooks',
  requests: '/requests',
  deletions: '/deletions',
  production: '/production',
  profile: '/profile',
};

/** The address of an act of an integration’s owner, for mails. The pages make theirs with `paths`. */
export function ownersPath({ page, environment, objectId }: Act, slug: string): string {
  if (page === 'terms') return `/terms/${objectId}`;
  const tab = page === 'webhookEndpoint' ? `/webhooks/${objectId}` : ownersTab[page];
  if (tab === undefined) throw new Error(`The page ${page} is not an owner’s.`);
  return `/integrations/${slug}${tab}${environment === null ? '' : `?environment=${environment}`}`;
}
