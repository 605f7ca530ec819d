import { capital } from '../../shared/text/firstLetter.ts';
import { actOn, type Act, type AttentionWords } from './attentionKinds.ts';
import type { serviceAttentionKinds } from './attentionKinds.ts';
import { hour, limits } from '../../shared/limits.ts';
import { counted } from '../../shared/text/numberWords.ts';
import { roughSpanWords, spanWords } from '../../shared/text/spanWords.ts';

type Counted = { readonly count: number; /** Whether there are more than were counted. */ readonly more?: boolean };

/** The facts that the words of each kind are made of. */
export type ServiceDetails = {
  failedJobs: Counted & { readonly givenUp: number };
  slowReviews: Counted & { readonly usual: number; readonly measured: boolean };
  overdueDeletions: Counted & { readonly integrations: number };
  suspendedIntegrations: Counted & { readonly slug: string | null };
  deadLettersWaiting: Counted & { readonly endpoints: number };
  failingEndpoints: Counted;
  lateMail: Counted;
  authorityEnding: { readonly kind: 'root' | 'issuing'; readonly ended: boolean };
  crlEnding: Counted & { readonly missing: number; readonly ended: number };
  gatesMoved: Counted & { readonly service: boolean; readonly slug: string | null };
  resetsWaiting: Counted & { readonly operatorId: string };
  unread: { readonly parts: readonly string[] };
};
export type ServiceKind = (typeof serviceAttentionKinds)[number];

const number = ({ count, more = false }: Counted, noun: string): string => `${more ? 'more than ' : ''}${counted(count, noun)}`;
const toIntegration = (slug: string | null): Act =>
  slug === null ? actOn('adminIntegrations', 'View integrations') : actOn('adminIntegration', 'Open the integration', null, slug);

/** What is said about each thing that the service as a whole needs of its administrators. */
export const serviceWords: { readonly [Kind in ServiceKind]: (details: ServiceDetails[Kind]) => AttentionWords } = {
  failedJobs: ({ givenUp, ...all }) => ({
    title: `${capital(number(all, 'job'))} failed`,
    timeForm: 'event',
    text:
      givenUp > 0
        ? `${counted(givenUp, 'job')} will not be retried automatically. The log gives the reason. Fix it, then retry.`
        : 'They are retried automatically. If they keep failing, the log gives the reason.',
    act: actOn('adminJobs', 'View jobs'),
  }),
  slowReviews: ({ usual, measured, ...all }) => ({
    title: `${capital(number(all, 'submission'))} waiting too long`,
    text: measured
      ? `Nine in ten reviews take ${usual < 60_000 ? '' : 'at most '}${roughSpanWords(usual)}. It is the reviewers’ turn.`
      : `It has been the reviewers’ turn for more than ${roughSpanWords(usual)}.`,
    act: actOn('reviews', 'View the queue'),
  }),
  overdueDeletions: ({ integrations, ...all }) => ({
    title: `${capital(number(all, 'deletion'))} overdue`,
    text: `${counted(integrations, 'integration')} missed a deletion deadline. ${integrations === 1 ? 'Its owner has' : 'Their owners have'} been notified.`,
    act: actOn('adminIntegrations', 'View integrations'),
  }),
  suspendedIntegrations: ({ slug, ...all }) => ({
    title: `${capital(number(all, 'integration'))} suspended`,
    text: 'Production access is stopped until an administrator reactivates it.',
    act: toIntegration(slug),
  }),
  deadLettersWaiting: ({ endpoints, ...all }) => ({
    title: `${capital(number(all, 'dead letter'))} waiting`,
    text: `Deliveries to ${counted(endpoints, 'production endpoint')} failed for good and have not been replayed.`,
    act: actOn('adminWebhooks', 'View webhooks'),
  }),
  failingEndpoints: (all) => ({
    title: `${capital(number(all, 'webhook endpoint'))} failing`,
    text: 'Every attempt to deliver to these production endpoints has failed for an hour or longer. Their owners have been notified.',
    act: actOn('adminWebhooks', 'View webhooks'),
  }),
  lateMail: (all) => ({
    title: `${capital(number(all, 'email'))} not sent`,
    text: 'Email normally goes out within seconds. Check the mail server and the workers.',
    act: actOn('adminJobs', 'View jobs'),
  }),
  authorityEnding: ({ kind, ended }) => ({
    title: `The ${kind === 'root' ? 'root' : 'issuing'} authority ${ended ? 'has ended' : 'ends soon'}`,
    text: ended ? 'Its certificates are no longer accepted.' : 'Create its successor before then: certificates end with their authority.',
    act: actOn('adminCertificates', 'View authorities'),
  }),
  crlEnding: ({ missing, ended, ...all }) => ({
    title: `${capital(number(all, 'revocation list'))} ${ended > 0 ? 'out of date' : missing > 0 ? 'missing' : 'not renewed'}`,
    text: 'A list is made at least once a day and is valid for 7 days. Check the workers. If the root is kept offline, import its list.',
    act: actOn('adminCertificates', 'View authorities'),
  }),
  gatesMoved: ({ service, slug, ...all }) => ({
    title: service ? 'The service gate was changed' : `${capital(number(all, 'gate'))} changed`,
    timeForm: 'event',
    text: `This happened in the last ${limits.gatesListed / hour} hours, and is listed so that every administrator knows.`,
    act: slug === null ? actOn('adminGate', 'View gates') : toIntegration(slug),
  }),
  resetsWaiting: ({ operatorId, ...all }) => ({
    title: `${capital(number(all, 'account reset'))} waiting for a second administrator`,
    text: `Read the proof on the account’s page, then approve the reset or cancel it. It expires after ${spanWords(limits.accountResetUsable)}.`,
    act: actOn('adminOperator', 'Open the account', null, operatorId),
  }),
  unread: ({ parts }) => ({
    title: 'Not everything could be checked',
    text: `These could not be read, so their state is unknown: ${parts.join(', ')}.`,
    act: actOn('adminHome', 'Check again'),
  }),
};
