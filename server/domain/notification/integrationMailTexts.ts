import { type AttentionWords, ownersPath } from './words/attentionKinds.ts';
import { attentionWords } from './words/attentionWords.ts';
import type { Environment } from '../shared/environment.ts';
import { webhookLimits } from '../outbox/webhookLimits.ts';
import { limits } from '../shared/limits.ts';
import { counted } from '../shared/text/numberWords.ts';
import { spanWords } from '../shared/text/spanWords.ts';
import type { accountMailTexts } from './accountMailTexts.ts';
import type { MailDetails, MailKind, StaffMailKind } from './mailKinds.ts';
import { moment, type MailFacts, type MailText, type MailTexts, notYou } from './mailText.ts';

const olderCertificate = 'If an older certificate still works, its original end applies again; the portal shows when that is.';

/** Which certificates were revoked, and what that means, by `which` of the mail. */
const revokedWords: Readonly<Record<MailDetails['certificates_revoked']['which'], (environment: string, certificates: number) => string>> =
  {
    one: (environment, certificates) =>
      [
        `An administrator of the service has revoked a ${environment} certificate of this integration. The machine API refuses every call with it from now on, including on open connections.`,
        certificates === 1 && 'Another certificate of the same client keeps working.',
        certificates === 2 && 'Its key may be compromised, so the certificate that was renewed from it through EST is revoked as well.',
        certificates > 2 &&
          `Its key may be compromised, so the ${certificates - 1} certificates that were renewed from it through EST are revoked as well.`,
      ]
        .filter(Boolean)
        .join(' '),
    all: (environment, certificates) =>
      `An administrator of the service has revoked ${certificates === 1 ? 'the only' : `all ${certificates}`} ${environment} ${certificates === 1 ? 'certificate' : 'certificates'} of this integration. The machine API refuses every call from now on, including on open connections.`,
    authority: (environment, certificates) =>
      `The authority of the service that had issued ${certificates === 1 ? 'a' : certificates} ${environment} ${certificates === 1 ? 'certificate' : 'certificates'} of this integration is no longer trusted, so the service has revoked ${certificates === 1 ? 'it' : 'them'}. The machine API refuses every call with ${certificates === 1 ? 'it' : 'them'} from now on, including on open connections. Certificates of another authority keep working.`,
  };

/**
 * The text of each kind that goes to operators about their integrations and the terms that bind these. Of what somebody else wrote to the
 * operator, they repeat only a reason.
 */
export const integrationMailTexts: MailTexts<Exclude<MailKind, StaffMailKind | keyof typeof accountMailTexts>> = {
  terms_published: ({ details: { version, title } }) => ({
    ...asNeeded(attentionWords.terms({ version }), null),
    subject: attentionWords.terms({ version }).title,
    ...(title !== undefined && { facts: [['Terms', title]] }),
  }),
  submission_approved: ({ integration }) => ({
    ...asNeeded(attentionWords.activation({}), integration, [
      'Production data stays disabled until an administrator opens the production gate.',
    ]),
    subject: `Approved: ${nameOf(integration)}`,
  }),
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
      `The certificate that was to replace your older ${environment} certificate has been revoked, or its package was never claimed. So the older one no longer ends after the overlap of 14 days.`,
      'Your back end can keep using it. Request another one before it ends.',
    ],
    facts: [
      ['Common name', commonName],
      ['Works until', moment(usableUntil)],
    ],
    ...step(integration, 'View your certificates', 'certificates', environment),
  }),
  p12_expired: ({ integration, details: { environment, commonName } }) => ({
    subject: `P12 package not claimed: ${nameOf(integration)}`,
    paragraphs: [
      `The P12 package that you requested for ${environment} was not claimed within 15 minutes. It has been removed, and its certificate revoked; nobody has the key.`,
      'If you still need a certificate, request another package and keep the page open until you have downloaded it.',
      olderCertificate,
    ],
    facts: [['Common name', commonName]],
    ...step(integration, 'New certificate', 'certificates', environment),
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
    ...step(integration, 'View your certificates', 'certificates', environment),
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
    ...step(integration, 'View your certificates', 'certificates', environment),
  }),
  certificates_revoked: ({ integration, details: { environment, commonName, certificates, which, serial, reason }, contact }) => ({
    subject: `${certificates === 1 ? 'Certificate' : 'Certificates'} revoked: ${nameOf(integration)}`,
    paragraphs: [
      revokedWords[which](environment, certificates),
      'To continue, get a new certificate, with a new key (do not use the old one again).',
      `To ask about it, contact ${contact}.`,
    ],
    facts: [['Reason', reason], ['Common name', commonName], ...(serial === undefined ? [] : [['Serial', serial] as const])],
    ...step(integration, 'View your certificates', 'certificates', environment),
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
    ...asNeeded(
      attentionWords.webhookFailing({ environment: environmentOf(environment), endpointId: null, hosts: [host], cause: null }),
      integration,
      [
        'An event that your receiver refuses for good is not retried. Everything else is retried with growing delays until its window closes. You can replay what was not delivered. The endpoint is never switched off automatically, and your back end can still read everything with a sync.',
      ],
    ),
    facts: [
      ['Endpoint', host],
      ['Failing since', `${moment(since)}, for ${hours < 24 ? count(hours, 'hour') : count(hours / 24, 'day')}`],
    ],
  }),
  webhook_dead_letters: ({ integration, details: { environment, letters, more, hosts } }) => ({
    ...asNeeded(
      attentionWords.deadLetters({ environment: environmentOf(environment), letters, more: more === 1, cause: null }),
      integration,
      [
        `They can be replayed for ${spanWords(webhookLimits.webhookHistoryKept - webhookLimits.webhookReplayWindow)} after the event. A sync brings your data up to date in any case.`,
      ],
    ),
    facts: [
      ['Environment', environment],
      ['Endpoints', hosts],
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
    ...step(integration, 'View the endpoint', 'webhooks', environment),
  }),
  deletion_warning: ({ integration, details: { deletions, revocationId, deadline, recordOnly = 0 } }) => ({
    ...asNeeded(
      attentionWords.deletions({ outstanding: deletions ?? 1, overdue: 0, retired: false, mayAcknowledge: recordOnly === 0 }),
      integration,
      [
        recordOnly === 0
          ? 'Acknowledge with POST /v1/revocations/{revocation_id}/ack, or record the deletions in the portal, one by one or all at once.'
          : 'Record the deletions in the portal, one by one or all at once.',
      ],
    ),
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
  integration_retired: ({ integration, details: { reason, deletions }, contact }) => ({
    subject: `Retired: ${nameOf(integration)}`,
    paragraphs: [
      'The service has retired this integration for good. Its certificates and connections have been revoked, and every call is refused, in the sandbox and in production.',
      deletions === 0
        ? 'Nobody had shared production data with it, so there is nothing to delete for its users.'
        : `Delete everything that users have shared, including all copies, within ${spanWords(limits.deletionDeadline)}, and record the deletions in the portal, one by one or all at once.`,
      `To ask about it, contact ${contact}.`,
    ],
    facts: [['Reason', reason]],
    ...(deletions === 0 ? step(integration, 'View the integration', '') : step(integration, 'View deletions', 'deletions')),
  }),
};

/** What the move of one gate means, depending on the other. */
function flowWords(open: boolean, otherOpen: boolean, gate: 'service' | 'integration'): string {
  const other = gate === 'service' ? 'The gate of this integration' : 'The gate of the whole service';
  if (!open) {
    return otherOpen
      ? 'Production data stops with the next request. Deletion deadlines keep running.'
      : `${other} was closed already, so no production data flowed before either. Deletion deadlines keep running.`;
  }
  return otherOpen
    ? 'Both gates are open now: production data flows as soon as the integration is active.'
    : `${other} is still closed, so no production data flows yet.`;
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

/** Where the mail is about one environment, its page shows that one, whichever is the usual one. */
function step(integration: Named, label: string, page: string, environment?: string): Pick<MailText, 'action'> {
  if (!integration) return {};
  const shown = environment === undefined ? '' : `?environment=${environmentOf(environment)}`;
  return { action: { label, path: `/integrations/${integration.slug}${page && `/${page}`}${shown}` } };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
