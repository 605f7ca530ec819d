import type { Environment } from '../../shared/environment.ts';
import { actOn, type AttentionWords, type DeletionsToDo, type OwnerAttentionKind } from './attentionKinds.ts';
import { deadlineMissed, missedDeadline, sandboxInSuspension } from './consequences.ts';
import { stepWords } from './productionPath.ts';
import { capital, inSentence } from '../../shared/text/firstLetter.ts';
import { limits } from '../../shared/limits.ts';
import { counted, numberWords } from '../../shared/text/numberWords.ts';
import { roughSpanWords } from '../../shared/text/spanWords.ts';

type In = { readonly environment: Environment };
type OfEndpoint = In & { readonly endpointId: string | null; readonly host: string };
/** Why the last attempt at a delivery failed, where that is known. */
type Failed = {
  readonly cause: { readonly title: string; readonly what: string; readonly next?: string | null; readonly saysReplay?: true } | null;
};

/** How many events were given up on; `more`: than are counted. */
type Letters = { readonly letters: number; readonly more: boolean };
/** `cause`: of the last; `reasons`: of all, where they are known. */
type GivenUp = Letters & Failed & { readonly reasons?: Reasons };

/** The most frequent first. */
type Reasons = readonly { readonly title: string; readonly count: number }[];

/** Why the last call was refused, and what helps, where that is known. */
type Refused = { readonly last: { readonly title: string; readonly advice: string } | null };
/** `reasons`: of all that were refused, where they are known. */
type RefusedOf = {
  readonly refused: number;
  readonly requests: number;
  readonly reasons?: Reasons;
};
/** Of how many of each kind copies are to be deleted. */
export type ToDelete = {
  readonly orders: number;
  readonly vehicles: number;
  readonly connections: number;
  /** The ID of the only one. */
  readonly only?: string | null;
};
type ToBeDeleted = { readonly outstanding: number; readonly overdue: number; readonly what?: ToDelete | null; readonly retired?: boolean };

/** The facts that the words of each kind are made of. */
export type AttentionDetails = {
  /** `reason`: as staff have given it, for their decision. */
  suspended: {
    readonly cause: 'missedDeletion' | 'decision';
    readonly outstanding: number;
    readonly overdue?: number;
    readonly reason?: string | null;
    readonly what?: ToDelete | null;
  };
  /** `suspends`: a missed deletion does. `mayAcknowledge`: the API takes acknowledgements from its back end, as far as status and scopes go. */
  deletions: {
    readonly suspends?: boolean;
    readonly outstanding: number;
    readonly overdue: number;
    readonly what?: ToDelete | null;
    readonly retired: boolean;
    readonly mayAcknowledge: boolean;
  };
  certificateGone: In;
  /** `settingUp`: production has never worked. */
  certificateMissing: In & { readonly settingUp: boolean };
  /** `left`: in milliseconds. */
  certificateEnding: In & { readonly left: number };
  successorUnused: In;
  certificateRefused: In & Refused;
  /** Of how many `requests` in two hours. */
  callsRefused: In & Refused & RefusedOf;
  /** As for the calls, where it is not about the last sync alone. */
  someRefused: In & Refused & ({ readonly lastSync: true } | ({ readonly lastSync: false } & RefusedOf));
  syncsLate: In;
  syncsStopped: In & { readonly never: boolean };
  gateClosed: Record<string, never>;
  /**
   * `hosts`: of every endpoint that fails; `endpointId` is that of a single one; `retried`: whether its last failure is tried again; `givenUp`:
   * the events that were not delivered to it, where these are all.
   */
  webhookFailing: In &
    Failed & {
      readonly hosts: readonly string[];
      readonly endpointId: string | null;
      readonly retried?: boolean;
      readonly givenUp?: GivenUp | null;
    };
  webhookPaused: OfEndpoint & { readonly by: 'owner' | 'administrator' };
  /** `host`: where the last of them should have gone. */
  deadLetters: In & GivenUp & { readonly host?: string | null };
  endpointUnproven: OfEndpoint;
  quota: In & { readonly percent: number; readonly est: boolean };
  corpusFailed: Record<string, never>;
  /** `approved`: by a second administrator, so that it runs. */
  accountReset: { readonly approved: boolean };
  reviewQuestion: Record<string, never>;
  reviewRejected: { readonly unmet: number };
  activation: Record<string, never>;
  terms: { readonly version: number };
};

const sandboxOr: Record<Environment, string> = { sandbox: 'sandbox', production: 'production' };
const listed = new Intl.ListFormat('en', { type: 'conjunction' });

/** How many reasons of refusals are named. */
const namedReasons = 3;

/** As in “28 × Invalid cursor, 2 × Scope required”: why each was refused or given up on. Null where that is not known. */
function reasonWords(reasons: Reasons = []): string | null {
  const [only, ...more] = reasons;
  if (!only) return null;
  if (more.length === 0) return only.title;
  const others = reasons.slice(namedReasons).reduce((sum, { count }) => sum + count, 0);
  const named = reasons.slice(0, namedReasons).map(({ title, count }) => `${numberWords(count)} × ${title}`);
  return [...named, ...(others > 0 ? [counted(others, 'other')] : [])].join(', ');
}

/** What helps against the last refusal, which is named where it is one of several. */
const adviceWords = ({ last }: Refused, reasons: Reasons = []): string | null =>
  last && `${reasons.length > 1 ? `${last.title}: ` : ''}${last.advice}`;

/** As in “Invalid cursor: 30 of 33 production calls refused in 2 hours”, or with “ (most recently: Invalid cursor)” where only that is known. */
function refusedWords(environment: Environment, { refused, requests, reasons, last }: RefusedOf & Refused): string {
  const words = `${numberWords(refused)} of ${counted(requests, `${sandboxOr[environment]} call`)} refused in 2 hours`;
  const why = reasonWords(reasons);
  if (why !== null) return `${why}: ${words}`;
  return last ? `${words} (most recently: ${last.title})` : words;
}
/** Owners look for what did not arrive, before they know what the guides call it. */
const undeliveredWords = (environment: Environment, { letters, more }: Letters): string =>
  `${more ? 'More than ' : ''}${counted(letters, `${sandboxOr[environment]} event`)} not delivered`;

/**
 * Why events were given up on. `retried`: why others are still retried, as in “12 production events not delivered: status 422; others still
 * retried (status 503)”.
 */
function givenUpWords(environment: Environment, { cause, reasons = [], ...of }: GivenUp, retried: string | null = null): string {
  const last = cause && `${of.letters === 1 ? '' : 'most recently '}${inSentence(cause.title)}`;
  const why = reasonWords(reasons.map(({ title, count }) => ({ title: inSentence(title), count }))) ?? last;
  return [
    undeliveredWords(environment, of),
    why && `: ${why}`,
    retried ? `; others still retried${retried === why ? '' : ` (${retried})`}` : why && '; not retried',
  ]
    .filter(Boolean)
    .join('');
}

/** Where they should have gone, what happened there, and what helps, with what it is of where it is one of several. */
const givenUpDetail = ({ cause, letters, reasons = [] }: GivenUp, host: string | null): string | null =>
  host &&
  cause &&
  `${host}: ${letters > 1 && reasons.length !== 1 ? `${inSentence(cause.title)}: ` : ''}${inSentence(helpWords(cause))}${replayWords(cause)}`;
/** What follows then, where the cause does not say so itself. */
const replayWords = ({ saysReplay }: NonNullable<Failed['cause']>): string => (saysReplay ? '' : ' Fix it, then replay.');
/** As in “Your receiver failed. Check its log.”, beside a title that names the failure. */
const helpWords = ({ what, next }: NonNullable<Failed['cause']>): string => [what, next].filter(Boolean).join(' ');

/** As in “3 orders and 1 connection”. */
function toDeleteWords({ orders, vehicles, connections }: ToDelete): string {
  const parts = [
    [orders, 'order'],
    [vehicles, 'stock vehicle'],
    [connections, 'connection'],
  ] as const;
  const said = parts.flatMap(([number, noun]) => (number > 0 ? counted(number, noun) : []));
  // Nearly all have one kind, and the formatter takes longer than all other words of a need.
  return said.length > 1 ? listed.format(said) : (said[0] ?? '');
}

/** What is to be deleted, beside a title that counts what is overdue, if anything is. */
function deletionsDetail({ outstanding, overdue, what }: ToBeDeleted): string | null {
  if (!what) return null;
  return `Delete ${toDeleteWords(what)}${what.only ? ` (${what.only})` : ''}${overdue > 0 && overdue < outstanding ? ' in all' : ''}`;
}

/** What is to be deleted, where a page adds up what several integrations have to delete. */
function deletionsToDo({ outstanding: count, overdue, what, retired = false }: ToBeDeleted): DeletionsToDo | null {
  if (!what || count === 0) return null;
  return {
    words: `${toDeleteWords(what)}${overdue > 0 && overdue < count ? `, ${numberWords(overdue)} overdue` : ''}`,
    count,
    overdue,
    retired,
    subjectId: what.only ?? null,
  };
}

/** Of several, the deadline is that of the first. */
function dueOf(due: ToBeDeleted): Pick<AttentionWords, 'timeForm' | 'deletions'> {
  return { timeForm: due.outstanding > 1 ? 'firstDeadline' : null, deletions: deletionsToDo(due) };
}

/** How many deletions are due, or overdue, as in “1 deletion overdue”. */
export function deletionsTitle({ outstanding, overdue }: Pick<ToBeDeleted, 'outstanding' | 'overdue'>): string {
  return overdue > 0 ? `${counted(overdue, 'deletion')} overdue` : `${counted(outstanding, 'deletion')} due`;
}

/**
 * What is said about each thing that needs an operator: in the inbox, in the list, on the overview and in its mail. Each says what happened,
 * why it matters, and what to do.
 */
export const attentionWords: { readonly [Kind in OwnerAttentionKind]: (details: AttentionDetails[Kind]) => AttentionWords } = {
  suspended: ({ cause, outstanding, overdue = 0, reason = null, what = null }) => ({
    title: 'Suspended',
    detail: [
      'Every production call is refused (403)',
      ...(cause === 'decision'
        ? [reason && `Reason: ${reason}`]
        : outstanding > 0
          ? ['For a missed deletion', deletionsTitle({ outstanding, overdue }), deletionsDetail({ outstanding, overdue, what })]
          : ['For a missed deletion', 'Nothing is left to delete']),
    ]
      .filter(Boolean)
      .join('. '),
    text:
      cause === 'decision'
        ? `An administrator has stopped production access. ${sandboxInSuspension} Resolve the reason, then ask us to reactivate the integration.`
        : outstanding > 0
          ? 'Production access is stopped because a deletion was not acknowledged in time. Delete the data and record each deletion, then ask us to reactivate the integration.'
          : 'Production access was stopped because a deletion was not acknowledged in time. All deletions are settled now, so an administrator can reactivate the integration.',
    // Recording deletions ends no suspension that somebody decided; they have a line of their own.
    ...(cause === 'missedDeletion' && dueOf({ outstanding, overdue, what })),
    act: cause === 'missedDeletion' && outstanding > 0 ? actOn('deletions', 'Go to deletions') : actOn('overview', 'See what to do'),
  }),
  deletions: ({ outstanding, overdue, what = null, suspends = false, retired, mayAcknowledge }) => ({
    title: deletionsTitle({ outstanding, overdue }),
    detail: deletionsDetail({ outstanding, overdue, what }),
    ...dueOf({ outstanding, overdue, what, retired }),
    text:
      overdue > 0
        ? `Delete every copy, then record each deletion in the portal.${suspends ? ` ${deadlineMissed}` : ''}`
        : retired
          ? 'The integration is retired, and the data that users shared with it must be deleted. Delete every copy, then record each deletion.'
          : `Users have revoked access to shared data. Delete every copy, then ${mayAcknowledge ? 'acknowledge the deletion' : 'record each deletion in the portal'} before the deadline. ${missedDeadline}`,
    act: actOn('deletions', 'Go to deletions'),
  }),
  certificateGone: ({ environment }) => ({
    title: `The ${sandboxOr[environment]} certificate has expired`,
    text: 'No certificate works any more, so every call is refused. Get a new certificate, with a new key.',
    act: actOn('certificates', 'New certificate', environment),
  }),
  certificateMissing: ({ environment, settingUp }) => ({
    title: settingUp ? stepWords('certificate') : `No ${sandboxOr[environment]} certificate`,
    several: `No ${sandboxOr[environment]} certificate`,
    text: 'The integration is active but has no certificate to call with. Create a new key: sandbox and production never share one.',
    act: actOn('certificates', 'Get a certificate', environment),
  }),
  certificateEnding: ({ environment, left }) => ({
    title: `The ${sandboxOr[environment]} certificate ends in ${roughSpanWords(left)}`,
    // Another sentence of it would seem to mean another end.
    timeForm: 'inTitle',
    text: 'After that, every call with it is refused. Get a new certificate now, and switch while both work.',
    act: actOn('certificates', 'New certificate', environment),
  }),
  successorUnused: ({ environment }) => ({
    title: `The new ${sandboxOr[environment]} certificate is not used yet`,
    text: 'Your back end still calls with the old certificate, which ends at the deadline. Install the new one, and make one call with it.',
    act: actOn('certificates', 'Go to certificates', environment),
  }),
  certificateRefused: ({ environment, last }) => ({
    title: `${capital(sandboxOr[environment])} calls are refused because of the certificate`,
    detail: last && `Most recently: ${last.title}. ${last.advice}`,
    text: 'Calls are coming in with a certificate that is expired, revoked or not on record. If they are from your back end, install the current certificate there.',
    act: actOn('requests', 'See the refused calls', environment),
  }),
  callsRefused: ({ environment, last, ...of }) => ({
    title: refusedWords(environment, { last, ...of }),
    detail: adviceWords({ last }, of.reasons),
    several: `Most ${sandboxOr[environment]} calls refused in 2 hours`,
    text: 'Each refusal is listed with its cause and how to fix it.',
    act: actOn('requests', 'See the refused calls', environment),
  }),
  someRefused: ({ environment, last, ...of }) => ({
    title: of.lastSync
      ? `${last === null ? 'The' : `${last.title}: the`} last ${sandboxOr[environment]} sync was refused`
      : refusedWords(environment, { last, ...of }),
    detail: adviceWords({ last }, of.lastSync ? [] : of.reasons),
    several: of.lastSync
      ? `The last ${sandboxOr[environment]} sync was refused`
      : `Some ${sandboxOr[environment]} calls refused in 2 hours`,
    text: `${of.lastSync ? 'No sync has succeeded since. ' : ''}Each refusal is listed with its cause and how to fix it.`,
    act: actOn('requests', 'See the refused calls', environment),
  }),
  syncsLate: ({ environment }) => ({
    title: `${capital(sandboxOr[environment])} syncs are late`,
    text: `The last sync was more than ${numberWords(limits.syncLateAfterCadences)} of your planned polling intervals ago. Check that the job that calls GET /v1/sync is running.`,
    act: actOn('requests', 'View requests', environment),
  }),
  syncsStopped: ({ environment, never }) => ({
    title: never ? `No ${sandboxOr[environment]} sync yet` : `${capital(sandboxOr[environment])} syncs have stopped`,
    text: never
      ? 'Your back end is calling, but none of its syncs has succeeded, so you have no data. Check that the job that calls GET /v1/sync is running, and that its calls are answered.'
      : `The last sync was more than ${numberWords(limits.syncStoppedAfterCadences)} of your planned polling intervals ago, so your copies are out of date. Check that the job that calls GET /v1/sync is running.`,
    act: actOn('requests', 'View requests', environment),
  }),
  gateClosed: () => ({
    title: 'The production gate is closed',
    text: 'Capabilities already respond. Data follows once an administrator opens the gate; you do not need to do anything.',
    act: actOn('production', 'View the gate'),
  }),
  webhookFailing: ({ environment, endpointId, hosts, cause, retried = false, givenUp = null }) => {
    const one = hosts.length === 1;
    const why = cause && inSentence(cause.title);
    const failing = `${capital(sandboxOr[environment])} webhooks to ${one ? hosts[0] : counted(hosts.length, 'endpoint')} are failing${why ? `: ${why}${retried ? ', still retried' : ''}` : ''}`;
    return {
      title: givenUp ? givenUpWords(environment, givenUp, why && retried ? why : null) : failing,
      detail: givenUp ? givenUpDetail(givenUp, hosts[0] ?? null) : cause && helpWords(cause),
      // Beside a title with the cause, it would say again what fails.
      text: `${cause ? '' : `Every attempt to deliver an event to the ${sandboxOr[environment]} ${one ? 'endpoint' : 'endpoints'} at ${listed.format(hosts)} has failed for a while. `}The page shows each attempt with its error, and what your receiver answered.`,
      act:
        endpointId === null
          ? actOn('webhooks', one ? 'View the attempts' : 'View the endpoints', environment)
          : actOn('webhookEndpoint', 'View the attempts', null, endpointId),
    };
  },
  webhookPaused: ({ environment, endpointId, host, by }) => ({
    title:
      by === 'administrator'
        ? `${capital(sandboxOr[environment])} webhook endpoint paused by an administrator`
        : `A paused ${sandboxOr[environment]} webhook endpoint holds deliveries`,
    text:
      by === 'administrator'
        ? `Nothing is delivered to the ${sandboxOr[environment]} endpoint at ${host} until an administrator resumes it. Events whose window closes before that are not delivered; you can replay them.`
        : `Deliveries to the ${sandboxOr[environment]} endpoint at ${host} wait until you resume it. Events whose window closes before that are not delivered; you can replay them.`,
    act:
      endpointId === null
        ? actOn('webhooks', 'View the endpoint', environment)
        : actOn('webhookEndpoint', 'View the endpoint', null, endpointId),
  }),
  deadLetters: ({ environment, host = null, ...givenUp }) => ({
    title: givenUpWords(environment, givenUp),
    detail: givenUpDetail(givenUp, host),
    timeForm: 'event',
    several: undeliveredWords(environment, givenUp),
    text:
      host && givenUp.cause
        ? 'You can replay them one by one or all at once.'
        : 'They will not be retried automatically. Fix the receiver first, then replay them, one by one or all at once.',
    act: actOn('webhooks', 'View the deliveries', environment),
  }),
  endpointUnproven: ({ environment, endpointId, host }) => ({
    title: `Nothing is delivered to ${host}: its ${sandboxOr[environment]} endpoint is not proven`,
    text: `Nothing is delivered to the ${sandboxOr[environment]} endpoint at ${host} until its URL has answered a challenge. The page shows each step of the last challenge.`,
    act: endpointId === null ? actOn('webhooks', 'Prove the endpoint') : actOn('webhookEndpoint', 'Prove the endpoint', null, endpointId),
  }),
  quota: ({ environment, percent, est }) => ({
    title: `${percent}% of a quota used`,
    text: `${
      percent >= 100 ? 'A quota is used up. Requests' : 'A quota is nearly used up. Once it is, requests'
    } that count against it get 429 with Retry-After until the window ends. ${
      est
        ? 'Renew a certificate once, and wait for the time in Retry-After before you send its request again.'
        : 'Follow next_cursor to the end, then wait for the polling interval given in capabilities.'
    }`,
    act: actOn('requests', 'View your requests', environment),
  }),
  corpusFailed: () => ({
    title: 'The test data could not be generated',
    text: 'Generating it failed, and the service has stopped trying. Incomplete test data is never shown. Regenerate it.',
    act: actOn('sandbox', 'Go to the sandbox'),
  }),
  reviewQuestion: () => ({
    title: 'The reviewers have a question',
    text: 'The review is on hold until you answer it in the portal.',
    act: actOn('production', 'Read and answer'),
  }),
  reviewRejected: ({ unmet }) => ({
    title: 'Changes needed',
    text: `${unmet > 0 ? `${counted(unmet, 'point')} of the checklist ${unmet === 1 ? 'is' : 'are'} not met. ` : ''}The decision and the notes say what has to change. Make the changes, then submit again. Your sandbox keeps working.`,
    act: actOn('production', 'Read the notes'),
  }),
  activation: () => ({
    title: stepWords('activate'),
    several: 'Approved, not active yet',
    text: 'The reviewers approved the profile version and scopes that you submitted. Activate the integration to put them into effect; you can get a production certificate before or after that.',
    act: actOn('production', 'Continue to production'),
  }),
  accountReset: ({ approved }) => ({
    title: 'Administrators want to reset your account',
    text: approved
      ? 'When the time is over, a link that is emailed to your address creates a new passkey, and all previous ones stop working. You are signed in, so you do not need it.'
      : 'They were told that its passkeys and recovery codes are lost. A second administrator has yet to approve it. You are signed in, so you do not need it.',
    act: actOn('account', 'Cancel the reset'),
  }),
  terms: ({ version }) => ({
    title: `New Integration Terms: version ${version}`,
    text: 'Active integrations keep running. You must accept the new version before you create an integration, submit one for review or activate one.',
    act: actOn('terms', 'Read the terms', null, String(version)),
  }),
};
