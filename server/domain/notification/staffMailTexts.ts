import { limits } from '../shared/limits.ts';
import { spanWords } from '../shared/text/spanWords.ts';
import { submissionTitle } from './words/staffAttentionWords.ts';
import type { StaffMailKind } from './mailKinds.ts';
import type { MailFacts, MailTexts } from './mailText.ts';

/** The text of each kind that goes to reviewers or administrators. None of them repeats what owners wrote, which is read in the portal. */
export const staffMailTexts: MailTexts<StaffMailKind> = {
  submission_received: ({ integration, details: { submissionId, round: number } }) => ({
    subject: `${submissionTitle(number)}: ${nameOf(integration)}`,
    paragraphs: ['An operator has submitted an integration for production review. It stays in the review queue until a reviewer takes it.'],
    action: { label: 'Open the submission', path: `/review/${submissionId}` },
  }),
  question_answered: ({ integration, details: { submissionId } }) => ({
    subject: `Question answered: ${nameOf(integration)}`,
    paragraphs: ['The owner has answered a question about the submission. It is the reviewers’ turn again.'],
    action: { label: 'Read the answer', path: `/review/${submissionId}` },
  }),
  business_model_reported: ({ integration }) => ({
    subject: `Change of business model: ${nameOf(integration)}`,
    paragraphs: [
      'An owner has reported an upcoming change to the business model of an integration. The report does not change its status.',
    ],
    action: { label: 'Read the report', path: '/review/business-models' },
  }),
  suspension_made: ({ integration, details: { reason } }) => ({
    subject: `Suspended by an administrator: ${nameOf(integration)}`,
    paragraphs: [
      'Another administrator has suspended an integration. Its production access has been stopped, and its owner has been notified.',
    ],
    facts: [['Reason', reason]],
    ...administered(integration),
  }),
  deletions_overdue: ({ integration, details: { deletions, suspended } }) => ({
    subject: `Deletions overdue: ${nameOf(integration)}`,
    paragraphs: [
      deletions === 1
        ? `A deletion of production data was not acknowledged within ${spanWords(limits.deletionDeadline)}.`
        : `${deletions} deletions of production data were not acknowledged within ${spanWords(limits.deletionDeadline)}.`,
      suspended === 1
        ? 'The integration has been suspended, and its owner has been notified.'
        : 'The integration was not active, so its status does not change. Its owner can still record the deletions in the portal.',
    ],
    ...administered(integration),
  }),
  account_reset_waiting: ({ details: { operatorId, reason } }) => ({
    subject: 'The reset of an account waits for a second administrator',
    paragraphs: [
      'Another administrator has asked to reset the account of an owner who is said to have lost all passkeys and recovery codes. Once it is approved, a person who reads the email of its address can create a new passkey for it.',
      `Read the proof on the page of the account. Approve the reset if it convinces you, or cancel it. After ${spanWords(limits.accountResetUsable)} without an approval it is over.`,
    ],
    facts: [
      ['Account', operatorId],
      ['Reason', reason],
    ],
    action: { label: 'Open the account', path: `/admin/operators/${operatorId}` },
  }),
};

type Named = MailFacts<StaffMailKind>['integration'];

function nameOf(integration: Named): string {
  return integration?.name ?? 'an integration';
}

function administered(integration: Named) {
  if (!integration) return {};
  return { action: { label: 'Open the integration', path: `/admin/integrations/${integration.slug}` } };
}
