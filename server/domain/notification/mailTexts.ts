import { type AttentionWords, ownersPath } from '../attention/words/attentionKinds.ts';
import { attentionWords } from '../attention/words/attentionWords.ts';
import type { Environment } from '../shared/environment.ts';
import { counted } from '../shared/text/numberWords.ts';
import type { MailDetails, MailKind, StaffMailKind } from './mailKinds.ts';

/** The words of a mail: paragraphs, a table of facts, and at most one link to press. */
export type MailText = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly facts?: readonly (readonly [name: string, value: string])[];
  readonly action?: { readonly label: string; readonly path: string };
};

/** What a text is made of. The token of a link is in the fragment of its address, which no server sees. */
export type MailFacts<Kind extends MailKind> = {
  readonly details: MailDetails[Kind];
  readonly token: string | null;
  /** The code of a registration, for the page on which it was asked for. */
  readonly code: string | null;
  /** Whom the reader can contact, in words. */
  readonly contact: string;
  readonly integration: { readonly name: string; readonly slug: string } | null;
};

/** The texts of some kinds of mail. */
export type MailTexts<Kinds extends MailKind> = { readonly [Kind in Kinds]: (facts: MailFacts<Kind>) => MailText };

const notYou = (contact: string): string =>
  `If this was not you, sign in, end all sessions and remove any passkeys you do not recognise. If you cannot sign in, use a recovery code. If you have none, contact ${contact}.`;

const olderCertificate = 'If an older certificate of yours still works, it has its own end again: the portal shows until when it works.';

/** Which certificates were revoked, and what that means, by `which` of the mail. */
const revokedWords: Readonly<Record<MailDetails['certificates_revoked']['which'], (environment: string, certificates: number) => string>> =
  {
    one: (environment, certificates) =>
      [
        `An administrator of the service has revoked a ${environment} certificate of this integration. The machine API refuses every call with it from now on, also on open connections.`,
        certificates === 1 && 'Another certificate of the same client keeps working.',
        certificates === 2 && 'Its key may be compromised, so the certificate that was renewed from it through EST is revoked as well.',
        certificates > 2 &&
          `Its key may be compromised, so the ${certificates - 1} certificates that were renewed from it through EST are revoked as well.`,
      ]
        .filter(Boolean)
        .join(' '),
    all: (environment, certificates) =>
      `An administrator of the service has revoked ${certificates === 1 ? 'the only' : `all ${certificates}`} ${environment} ${certificates === 1 ? 'certificate' : 'certificates'} of this integration. The machine API refuses every call from now on, also on open connections.`,
    authority: (environment, certificates) =>
      `The authority of the service that had issued ${certificates === 1 ? 'a' : certificates} ${environment} ${certificates === 1 ? 'certificate' : 'certificates'} of this integration is trusted no longer, so the service has revoked ${certificates === 1 ? 'it' : 'them'}. The machine API refuses every call with ${certificates === 1 ? 'it' : 'them'} from now on, also on open connections. Certificates of another authority keep working.`,
  };

/**
 * The text of each kind that goes to operators; `staffMailTexts` has the others. Of what somebody else wrote to the operator, they repeat
 * only a reason.
 */
export const mailTexts: MailTexts<Exclude<MailKind, StaffMailKind>> = {
  registration: ({ token, code }) => ({
    subject: 'Confirm your address',
    paragraphs: [
      'Somebody, hopefully you, asked to register as an operator with this address.',
      'Open the link on the device that is to have your passkey; opening it changes nothing, you confirm on the page. Or enter the code on the page on which you asked for this email.',
      'Link and code work once each and expire after 20 minutes. Enter the code on no other page, and do not tell it to anybody: we never ask for it.',
      'If this was not you, ignore this email. Nothing happens without the link or the code.',
    ],
    facts: [['Code', code ?? '']],
    action: { label: 'Confirm this address', path: `/verify#token=${token}` },
  }),
  new_passkey: ({ details: { passkeyName }, contact }) => ({
    subject: 'A passkey was added to your account',
    paragraphs: ['A new passkey can now be used to sign in to your operator account.', notYou(contact)],
    ...(passkeyName !== undefined && { facts: [['Passkey', passkeyName]] }),
    action: { label: 'View your passkeys', path: '/account' },
  }),
  passkey_removed: ({ details: { passkeyName }, contact }) => ({
    subject: 'A passkey was removed from your account',
    paragraphs: ['This passkey can no longer be used to sign in to your operator account. Open sessions stay open.', notYou(contact)],
    facts: [['Passkey', passkeyName]],
    action: { label: 'View your passkeys', path: '/account' },
  }),
  recovery_codes_made: () => ({
    subject: 'You have new recovery codes',
    paragraphs: [
      'New recovery codes were generated for your operator account. The previous ones no longer work.',
      'If this was not you, sign in at once, end all other sessions, remove any passkeys you do not recognise, and generate new codes: whoever has these codes can take over the account.',
    ],
    action: { label: 'View your account', path: '/account' },
  }),
  recovery_used: ({ details: { codesLeft }, contact }) => ({
    subject: 'A recovery code was used',
    paragraphs: [
      'Somebody used one of your recovery codes. All sessions have ended and all passkeys have been removed; the next step is to create a new passkey.',
      'If this was you, finish creating the passkey. You then get new codes, and the old ones stop working.',
      codesLeft === 0
        ? `It was your last code: unless a new passkey is created within 20 minutes, the account can no longer be recovered. If this was not you, contact ${contact} at once.`
        : 'If this was not you, use another recovery code at once to take the account back.',
    ],
    ...(codesLeft !== undefined && { facts: [['Codes left', String(codesLeft)]] }),
    ...(codesLeft !== 0 && { action: { label: 'Use a recovery code', path: '/recover' } }),
  }),
  session_stolen: () => ({
    subject: 'We ended a session of your account',
    paragraphs: [
      'An outdated copy of a session cookie was used. This can mean that somebody copied it, so we ended the session at once.',
      'Sign in again, and check your sessions and passkeys.',
    ],
    action: { label: 'Check your account', path: '/account' },
  }),
  email_change_current: ({ token }) => ({
    subject: 'Confirm your change of address',
    paragraphs: [
      'A new address was entered for your operator account. The change must be confirmed from this address and from the new one.',
      'The link works once and expires after 20 minutes. Opening it changes nothing; you confirm on the page.',
      'If this was not you, do not confirm: nothing changes without this link. Then end all sessions, because somebody is signed in as you.',
    ],
    action: { label: 'Confirm the change', path: `/confirm-address#token=${token}` },
  }),
  email_change_new: ({ token }) => ({
    subject: 'Confirm your new address',
    paragraphs: [
      'This address was entered as the new address of an operator account. The change must be confirmed from this address and from the current one.',
      'The link works once and expires after 20 minutes. Opening it changes nothing; you confirm on the page.',
      'If this was not you, ignore this email. Nothing happens without the link.',
    ],
    action: { label: 'Confirm this address', path: `/confirm-address#token=${token}` },
  }),
  email_changed: ({ contact }) => ({
    subject: 'The address of your account has changed',
    paragraphs: [
      'Both addresses confirmed the change. From now on we email the new address; the old one is no longer linked to the account.',
      'All sessions have ended: sign in again with your passkey. Your passkeys and recovery codes still work.',
      notYou(contact),
    ],
    action: { label: 'View your account', path: '/account' },
  }),
  account_deleted: ({ details: { reason }, contact }) => ({
    subject: 'Your account has been deleted',
    paragraphs: [
      ...(reason === undefined ? [] : [`The service has closed this account. Contact ${contact} if that should not be.`]),
      'Your operator account has been deleted. Its address, passkeys, recovery codes and sessions have been removed, its integrations retired, and their certificates and connections revoked.',
      'The audit trail keeps a record under an anonymous identifier. This is our last email to you. You can register with this address again at any time.',
    ],
    ...(reason !== undefined && { facts: [['Reason', reason]] }),
  }),
  account_locked: ({ details: { reason }, contact }) => ({
    subject: 'Your account is locked',
    paragraphs: [
      'An administrator of the service has locked your operator account. All its sessions have ended, and you cannot sign in with a passkey or a recovery code until it is unlocked.',
      'Your integrations keep their access to the machine API, and deletion deadlines keep running. Your back end can still acknowledge deletions, but you cannot record them in the portal while the account is locked.',
      `To ask about it, contact ${contact}.`,
    ],
    facts: [['Reason', reason]],
  }),
  account_unlocked: ({ details: { reason } }) => ({
    subject: 'Your account is unlocked',
    paragraphs: ['You can sign in to your operator account again. Your passkeys and recovery codes work as they did before.'],
    facts: [['Reason', reason]],
    action: { label: 'Sign in', path: '/sign-in' },
  }),
  account_reset_requested: ({ details: { reason }, contact }) => ({
    subject: 'Somebody says that you have lost access to your account',
    paragraphs: [
      'An administrator of the service has asked to reset your operator account, because its passkeys and recovery codes are said to be lost. A second administrator has to approve it; after that, nothing happens for 72 hours.',
      `If you can still sign in, cancel it on the page Account. If you did not ask for it, contact ${contact}.`,
    ],
    facts: [['Reason', reason]],
    action: { label: 'Cancel the reset', path: '/account' },
  }),
  account_reset_approved: ({ details: { reason, dueAt }, contact }) => ({
    subject: 'Your account will be reset in 72 hours',
    paragraphs: [
      'Two administrators of the service have agreed to reset your operator account. When the time is over, a link that we mail to this address creates a new passkey, and all former passkeys, recovery codes and sessions end.',
      `If you did not ask for it, sign in and cancel it on the page Account until then, or contact ${contact}.`,
    ],
    facts: [
      ['Reason', reason],
      ['From', moment(dueAt)],
    ],
    action: { label: 'Cancel the reset', path: '/account' },
  }),
  account_reset_cancelled: ({ contact }) => ({
    subject: 'The reset of your account was cancelled',
    paragraphs: [`It can no longer be used. If you have asked for the reset and still need it, contact ${contact}.`],
    action: { label: 'View your account', path: '/account' },
  }),
  account_reset_ready: ({ contact }) => ({
    subject: 'You can create a new passkey for your account',
    paragraphs: [
      'The waiting time for the reset of your operator account is over. Enter this address on the page for registration: the link that we mail you then leads to a new passkey and new recovery codes. All former ones end. You have 14 days.',
      `If you did not ask for it, sign in and cancel it on the page Account, or contact ${contact}.`,
    ],
    action: { label: 'Get the link', path: '/register' },
  }),
  account_reset_used: ({ contact }) => ({
    subject: 'Your account has been reset',
    paragraphs: [
      'Somebody has used the link of the reset. All passkeys, recovery codes and sessions of your operator account have ended, and the browser with the link can create a new passkey within 20 minutes.',
      `If that was not you, contact ${contact} at once.`,
    ],
    action: { label: 'Get another link', path: '/register' },
  }),
  terms_published: ({ details: { version, title } }) => ({
    ...asNeeded(attentionWords.terms({ version }), null),
    subject: attentionWords.terms({ version }).title,
    ...(title !== undefined && { facts: [['Terms', title]] }),
  }),
  submission_approved: ({ integration }) =>
    asNeeded(attentionWords.activation({}), integration, [
      'Production data stays disabled until an administrator opens the production gate.',
    ]),
  submission_rejected: ({ integration, details: { unmet = 0 } }) => asNeeded(attentionWords.reviewRejected({ unmet }), integration),
  review_question: ({ integration }) => asNeeded(attentionWords.reviewQuestion({}), integration),
  certificate_expiring: ({ integration, details: { environment, commonName, usableUntil, left } }) => ({
    ...asNeeded(attentionWords.certificateEnding({ environment: environmentOf(environment), left }), integration, [
      'If you have already switched, there is nothing left to do.',
    ]),
    facts: [
      ['Common name', commonName],
      ['Works until', moment(usableUntil)],
    ],
  }),
  certificate_end_restored: ({ integration, details: { environment, commonName, usableUntil } }) => ({
    subject: `The older certificate works longer again: ${nameOf(integration)}`,
    paragraphs: [
      `The certificate that was to replace your older ${environment} certificate has been revoked, or nobody has claimed its package. So the older one no longer ends with the overlap of 14 days.`,
      'Your back end can go on calling with it. Before it ends, request another one.',
    ],
    facts: [
      ['Common name', commonName],
      ['Works until', moment(usableUntil)],
    ],
    ...step(integration, 'View your certificates', 'certificates'),
  }),
  p12_expired: ({ integration, details: { environment, commonName } }) => ({
    subject: `P12 package not claimed: ${nameOf(integration)}`,
    paragraphs: [
      `The P12 package that you requested for ${environment} was not claimed within 15 minutes. It has been removed, and its certificate revoked; nobody has the key.`,
      'If you still need a certificate, request another package and keep the page open until you have downloaded it.',
      olderCertificate,
    ],
    facts: [['Common name', commonName]],
    ...step(integration, 'Request a certificate', 'certificates'),
  }),
  p12_blocked: ({ integration, details: { environment, commonName }, contact }) => ({
    subject: `P12 package removed after wrong tokens: ${nameOf(integration)}`,
    paragraphs: [
      `Somebody signed in to your account entered five wrong claim tokens for a ${environment} P12 package. The package has been removed, and its certificate revoked; nobody has the key.`,
      'If this was you, request another package and claim it on the page that requested it.',
      olderCertificate,
      notYou(contact),
    ],
    facts: [['Common name', commonName]],
    ...step(integration, 'View your certificates', 'certificates'),
  }),
  certificate_renewal: ({ integration, details: { environment, commonName, certificateId, renewedSerial } }) => ({
    subject: `Certificate renewed by its back end: ${nameOf(integration)}`,
    paragraphs: [
      `Your back end has requested the next ${environment} certificate through EST, with a new key, and gets it within moments. From then on the older certificate works for at most 14 more days.`,
      'If this was not your back end, somebody else has its key: revoke the certificate that it was requested with, for the reason “The private key may be compromised”. That revokes the new one as well. Then switch renewal through EST off.',
    ],
    facts: [
      ['Common name', commonName],
      ['New certificate', certificateId],
      ['Requested with the certificate', renewedSerial],
    ],
    ...step(integration, 'View your certificates', 'certificates'),
  }),
  certificates_revoked: ({ integration, details: { environment, commonName, certificates, which, serial, reason }, contact }) => ({
    subject: `${certificates === 1 ? 'Certificate' : 'Certificates'} revoked: ${nameOf(integration)}`,
    paragraphs: [
      revokedWords[which](environment, certificates),
      'To continue, make a new key, never the old one again, and request a new certificate.',
      `To ask about it, contact ${contact}.`,
    ],
    facts: [['Reason', reason], ['Common name', commonName], ...(serial === undefined ? [] : [['Serial', serial] as const])],
    ...step(integration, 'View your certificates', 'certificates'),
  }),
  quota_reached: ({ integration, details: { environment, quota, percent, limit, resetsAt } }) => ({
    ...asNeeded(
      attentionWords.quota({ environment: environmentOf(environment), percent, est: quota === 'est_requests_per_hour' }),
      integration,
      quota === 'est_requests_per_hour' ? [] : ['Send If-None-Match to make polling cheap.'],
    ),
    facts: [
      ['Environment', environment],
      ['Quota', `${quota}, ${limit}`],
      ['Window ends', moment(resetsAt)],
    ],
  }),
  webhook_failing: ({ integration, details: { environment, host, since, hours } }) => ({
    ...asNeeded(attentionWords.webhookFailing({ environment: environmentOf(environment), endpointId: null, host }), integration, [
      'Deliveries are repeated with growing delays until their windows close; those that still fail then become dead letters, which you can replay. The endpoint is never switched off by itself. Your back end can read everything with a sync meanwhile.',
    ]),
    facts: [
      ['Endpoint', host],
      ['Failing since', `${moment(since)}, for ${hours < 24 ? count(hours, 'hour') : count(hours / 24, 'day')}`],
    ],
  }),
  webhook_dead_letters: ({ integration, details: { environment, letters, more, endpoints } }) => ({
    ...asNeeded(attentionWords.deadLetters({ environment: environmentOf(environment), letters, more: more === 1 }), integration, [
      'They can be replayed for 29 days after the event. A sync brings your data up to date in any case.',
    ]),
    facts: [
      ['Environment', environment],
      ['Endpoints', String(endpoints)],
    ],
  }),
  webhook_paused: ({ integration, details: { environment, host, reason }, contact }) => ({
    ...asNeeded(
      attentionWords.webhookPaused({ environment: environmentOf(environment), endpointId: null, host, by: 'administrator' }),
      integration,
      [`To ask about it, contact ${contact}.`],
    ),
    facts: [
      ['Endpoint', host],
      ['Reason', reason],
    ],
  }),
  webhook_resumed: ({ integration, details: { environment, host, reason } }) => ({
    subject: `${environment === 'production' ? 'Production' : 'Sandbox'} webhook endpoint resumed: ${nameOf(integration)}`,
    paragraphs: [`An administrator of the service has resumed this ${environment} endpoint. What was held is being delivered now.`],
    facts: [
      ['Endpoint', host],
      ['Reason', reason],
    ],
    ...step(integration, 'View the endpoint', 'webhooks'),
  }),
  deletion_warning: ({ integration, details: { deletions, revocationId, deadline } }) => ({
    ...asNeeded(attentionWords.deletions({ outstanding: deletions ?? 1, overdue: 0, retired: false }), integration, [
      'Acknowledge with POST /v1/revocations/{revocation_id}/ack, or record the deletions in the portal, one by one or all at once.',
    ]),
    facts: [
      ['Due', counted(deletions ?? 1, 'deletion')],
      ...(revocationId === undefined ? [] : [['Revocation', revocationId] as const]),
      ['Deadline', moment(deadline)],
    ],
  }),
  integration_suspended: ({ integration, details: { reason, outstanding = 0 }, contact }) => ({
    ...asNeeded(attentionWords.suspended({ cause: outstanding > 0 ? 'missedDeletion' : 'decision', outstanding }), integration, [
      `Deletion deadlines keep running. To ask about the suspension, contact ${contact}.`,
    ]),
    facts: [['Reason', reason]],
  }),
  integration_reactivated: ({ integration, details: { reason, inPlaceOfOwner }, contact }) => ({
    subject: inPlaceOfOwner === 1 ? `Activated by an administrator: ${nameOf(integration)}` : `Active again: ${nameOf(integration)}`,
    paragraphs:
      inPlaceOfOwner === 1
        ? [
            'An administrator of the service has activated this integration for production. You had not activated it yourself. Its suspension is over.',
            `To ask about it, contact ${contact}.`,
          ]
        : ['Production access for this integration has been restored, with the same certificates.'],
    ...(reason !== undefined && { facts: [['Reason', reason]] }),
    ...step(integration, 'View the integration', ''),
  }),
  gate_moved: ({ integration, details: { gate, open, otherOpen, reason }, contact }) => ({
    subject: `Production gate ${open === 1 ? 'opened' : 'closed'}: ${nameOf(integration)}`,
    paragraphs: [
      `An administrator of the service has ${open === 1 ? 'opened' : 'closed'} ${gate === 'service' ? 'the production gate of the whole service' : 'the production gate of this integration'}. ${flowWords(open === 1, otherOpen === 1, gate)}`,
      `To ask about it, contact ${contact}.`,
    ],
    facts: [['Reason', reason]],
    ...step(integration, 'View production', 'production'),
  }),
  role_granted: ({ details: { role, reason }, contact }) => ({
    subject: `You are ${article(role)} now`,
    paragraphs: [
      `Your operator account has been given the role ${role}. It applies from your next request on, and your own integrations stay as they are.`,
      `To ask about it, contact ${contact}.`,
    ],
    ...(reason !== undefined && { facts: [['Reason', reason]] }),
    action: { label: 'Open the portal', path: '/' },
  }),
  role_withdrawn: ({ details: { role, reason }, contact }) => ({
    subject: `You are no longer ${article(role)}`,
    paragraphs: [
      `The role ${role} has been withdrawn from your operator account. Your own integrations stay as they are.`,
      `To ask about it, contact ${contact}.`,
    ],
    ...(reason !== undefined && { facts: [['Reason', reason]] }),
    action: { label: 'Open the portal', path: '/' },
  }),
  integration_retired: ({ integration, details: { reason, deletions }, contact }) => ({
    subject: `Retired: ${nameOf(integration)}`,
    paragraphs: [
      'The service has retired this integration for good. Its certificates and connections have been revoked, and every call is refused, in the sandbox and in production.',
      deletions === 0
        ? 'Nobody had shared production data with it, so there is nothing to delete for its users.'
        : 'Delete everything that users have shared, including all copies, within 7 days, and record the deletions in the portal, one by one or all at once.',
      `To ask about it, contact ${contact}.`,
    ],
    facts: [['Reason', reason]],
    ...(deletions === 0 ? step(integration, 'View the integration', '') : step(integration, 'View deletions', 'deletions')),
  }),
};

/** For a registration with an address that already has an account: the page gave the same answer as for a new address. */
export const knownAddressText: MailText = {
  subject: 'You already have an account',
  paragraphs: [
    'Somebody, hopefully you, asked to register as an operator with this address, but it already has an account.',
    'Sign in with your passkey. If this was not you, ignore this email; nothing has changed.',
  ],
  action: { label: 'Sign in', path: '/sign-in' },
};

/** For a change to an address that already has an account: the page gave the same answer as for a free address. */
export const takenAddressText: MailText = {
  subject: 'This address already has an account',
  paragraphs: [
    'Somebody entered this address as the new address of another operator account. It already has its own account, so it cannot be used for another one.',
    'Nothing has changed. If this was you, delete this account first or choose another address.',
  ],
  action: { label: 'Sign in', path: '/sign-in' },
};

/** What the move of one gate means, depending on the other. */
function flowWords(open: boolean, otherOpen: boolean, gate: 'service' | 'integration'): string {
  if (!open) return 'Production data stops with the next request. Deletion deadlines keep running.';
  if (otherOpen) return 'Both gates are open now: production data flows as soon as the integration is active.';
  return gate === 'service'
    ? 'The gate of this integration is still closed, so no production data flows yet.'
    : 'The gate of the whole service is still closed, so no production data flows yet.';
}

function article(role: string): string {
  return `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`;
}

type Named = MailFacts<MailKind>['integration'];

function nameOf(integration: Named): string {
  return integration?.name ?? 'your integration';
}

/** A mail about something that needs the owner says what the portal says about it (docs/specification.md, “Attention”). */
function asNeeded({ title, text, act }: AttentionWords, integration: Named, more: readonly string[] = []): MailText {
  const path = act.page === 'terms' || integration ? ownersPath(act, integration?.slug ?? '') : null;
  return {
    subject: `${title}: ${nameOf(integration)}`,
    paragraphs: [text, ...more],
    ...(path !== null && { action: { label: act.label, path } }),
  };
}

/** Details are stored as words. */
function environmentOf(word: string): Environment {
  return word === 'production' ? 'production' : 'sandbox';
}

function step(integration: Named, label: string, page: string): Pick<MailText, 'action'> {
  if (!integration) return {};
  return { action: { label, path: `/integrations/${integration.slug}${page && `/${page}`}` } };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function moment(instant: string): string {
  return `${words.format(new Date(instant))} UTC`;
}
