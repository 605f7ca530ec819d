import type { AuthenticatedSession } from '../account/session/authenticateSession.ts';
import { roles, type Role } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import type { AuthenticatedServiceToken } from './authenticateServiceToken.ts';
import type { ServicePermission } from './servicePermissions.ts';

/**
 * Who may call an operation: anyone, a session that can only enrol a passkey (of kind `enrolment` or `recovery`), any session, a signed-in
 * operator, or an operator with a role.
 */
type SessionRule = { readonly by: 'anyone' | 'enrolment' | 'session' | 'operator' | Role; readonly freshPasskey?: true };
/** Or the order-tracking service's tooling, with a token that has the permission. */
type TokenRule = { readonly by: 'serviceToken'; readonly permission: ServicePermission };

/** What a request has proved: a session or a service token, but never both. An anonymous request has proved neither. */
export type Credentials = { readonly session: AuthenticatedSession | null; readonly serviceToken: AuthenticatedServiceToken | null };

/** Every query and mutation of the portal with what it needs. An operation without a row cannot be called. */
export const permissions = {
  viewer: { by: 'anyone' },
  service: { by: 'anyone' },
  currentTerms: { by: 'anyone' },
  terms: { by: 'anyone' },
  scopeAdvice: { by: 'operator' },
  find: { by: 'operator' },
  integrations: { by: 'operator' },
  integration: { by: 'operator' },
  slugAvailable: { by: 'operator' },
  news: { by: 'operator' },
  profileVersions: { by: 'operator' },
  profileDiff: { by: 'operator' },
  revocations: { by: 'operator' },
  sandbox: { by: 'operator' },
  sandboxResources: { by: 'operator' },
  sandboxNextSync: { by: 'operator' },
  sandboxShares: { by: 'operator' },
  sandboxLinkCodes: { by: 'operator' },
  certificates: { by: 'operator' },
  usage: { by: 'operator' },
  requests: { by: 'operator' },
  auditTrail: { by: 'operator' },
  webhookEndpoint: { by: 'operator' },
  webhookDelivery: { by: 'operator' },
  replayCount: { by: 'operator' },
  waitingCount: { by: 'operator' },
  signedSample: { by: 'operator' },

  requestRegistration: { by: 'anyone' },
  confirmRegistration: { by: 'anyone' },
  confirmRegistrationCode: { by: 'anyone' },
  requestAccountReset: { by: 'administrator', freshPasskey: true },
  approveAccountReset: { by: 'administrator', freshPasskey: true },
  cancelAnyAccountReset: { by: 'administrator', freshPasskey: true },
  cancelAccountReset: { by: 'operator' },
  confirmEmailChange: { by: 'anyone' },
  emailChangeOfLink: { by: 'anyone' },
  beginPasskeyRegistration: { by: 'enrolment' },
  finishPasskeyRegistration: { by: 'enrolment' },
  beginSignIn: { by: 'anyone' },
  finishSignIn: { by: 'anyone' },
  beginPasskeyConfirmation: { by: 'operator' },
  finishPasskeyConfirmation: { by: 'operator' },
  redeemRecoveryCode: { by: 'anyone' },
  signOut: { by: 'session' },
  account: { by: 'operator' },
  sessions: { by: 'operator' },
  beginPasskeyAddition: { by: 'operator', freshPasskey: true },
  finishPasskeyAddition: { by: 'operator', freshPasskey: true },
  renamePasskey: { by: 'operator' },
  removePasskey: { by: 'operator', freshPasskey: true },
  regenerateRecoveryCodes: { by: 'operator', freshPasskey: true },
  endSession: { by: 'operator' },
  endOtherSessions: { by: 'operator' },

  accountSettings: { by: 'operator' },
  requestEmailChange: { by: 'operator' },
  cancelEmailChange: { by: 'operator' },
  setNotificationPreferences: { by: 'operator' },
  setSingleKeys: { by: 'operator' },
  deleteAccount: { by: 'operator', freshPasskey: true },

  markNewsRead: { by: 'operator' },
  markAllNewsRead: { by: 'operator' },
  acceptTerms: { by: 'operator' },
  reportBusinessModelChange: { by: 'operator' },
  createIntegration: { by: 'operator' },
  reviseProfile: { by: 'operator' },
  retireIntegration: { by: 'operator', freshPasskey: true },
  removeLogo: { by: 'operator' },
  regenerateSandboxCorpus: { by: 'operator' },
  generateSandboxLinkCode: { by: 'operator' },
  advanceSandboxResource: { by: 'operator' },
  addSandboxShippingEvent: { by: 'operator' },
  revokeSandboxShare: { by: 'operator' },
  publishSandboxStatistics: { by: 'operator' },
  activateForProduction: { by: 'operator', freshPasskey: true },
  deletionsToRecord: { by: 'operator' },
  recordDeletion: { by: 'operator', freshPasskey: true },
  recordDeletions: { by: 'operator', freshPasskey: true },
  requestCertificate: { by: 'operator', freshPasskey: true },
  requestP12: { by: 'operator', freshPasskey: true },
  claimP12: { by: 'operator', freshPasskey: true },
  revokeCertificate: { by: 'operator', freshPasskey: true },
  setRenewalByEst: { by: 'operator', freshPasskey: true },
  registerWebhookEndpoint: { by: 'operator', freshPasskey: true },
  reviseWebhookEndpoint: { by: 'operator', freshPasskey: true },
  pauseWebhookEndpoint: { by: 'operator', freshPasskey: true },
  resumeWebhookEndpoint: { by: 'operator', freshPasskey: true },
  removeWebhookEndpoint: { by: 'operator', freshPasskey: true },
  verifyWebhookEndpoint: { by: 'operator', freshPasskey: true },
  sendTestEvent: { by: 'operator' },
  requestSignedSample: { by: 'operator' },
  checkReceiver: { by: 'operator' },
  replayDelivery: { by: 'operator', freshPasskey: true },
  replayDeliveries: { by: 'operator', freshPasskey: true },
  attemptDelivery: { by: 'operator', freshPasskey: true },
  attemptDeliveries: { by: 'operator', freshPasskey: true },

  termsVersions: { by: 'administrator' },
  publishTerms: { by: 'administrator', freshPasskey: true },
  recordCommercialAgreement: { by: 'administrator', freshPasskey: true },
  withdrawCommercialAgreement: { by: 'administrator', freshPasskey: true },
  serviceTokens: { by: 'administrator' },
  createServiceToken: { by: 'administrator', freshPasskey: true },
  revokeServiceToken: { by: 'administrator', freshPasskey: true },
  suspendIntegration: { by: 'administrator', freshPasskey: true },
  reactivateIntegration: { by: 'administrator', freshPasskey: true },
  serviceGate: { by: 'administrator' },
  serviceGateHistory: { by: 'administrator' },
  productionIntegrations: { by: 'administrator' },
  openProductionGate: { by: 'administrator', freshPasskey: true },
  closeProductionGate: { by: 'administrator', freshPasskey: true },
  setQuotaOverride: { by: 'administrator', freshPasskey: true },
  withdrawQuotaOverride: { by: 'administrator', freshPasskey: true },
  operators: { by: 'administrator' },
  operator: { by: 'administrator' },
  grantRole: { by: 'administrator', freshPasskey: true },
  withdrawRole: { by: 'administrator', freshPasskey: true },
  lockAccount: { by: 'administrator', freshPasskey: true },
  unlockAccount: { by: 'administrator', freshPasskey: true },
  allIntegrations: { by: 'administrator' },
  healthTotals: { by: 'administrator' },
  anyIntegration: { by: 'administrator' },
  allCertificates: { by: 'administrator' },
  certificateAuthorities: { by: 'administrator' },
  revokeAnyCertificate: { by: 'administrator', freshPasskey: true },
  revokeClientCertificates: { by: 'administrator', freshPasskey: true },
  failingWebhookEndpoints: { by: 'administrator' },
  pauseAnyWebhookEndpoint: { by: 'administrator', freshPasskey: true },
  resumeAnyWebhookEndpoint: { by: 'administrator', freshPasskey: true },
  administratorsHome: { by: 'administrator' },
  failedJobs: { by: 'administrator' },
  auditExport: { by: 'administrator', freshPasskey: true },
  retryJob: { by: 'administrator', freshPasskey: true },

  reviewChecklist: { by: 'anyone' },
  reviewTimes: { by: 'anyone' },
  ownSubmissions: { by: 'operator' },
  saveSubmissionDraft: { by: 'operator' },
  checkPages: { by: 'operator' },
  submitForReview: { by: 'operator', freshPasskey: true },
  withdrawSubmission: { by: 'operator' },
  answerQuestion: { by: 'operator' },
  submissions: { by: 'reviewer' },
  submission: { by: 'reviewer' },
  nextSubmission: { by: 'reviewer' },
  reviewCounts: { by: 'reviewer' },
  minorRevisions: { by: 'reviewer' },
  businessModelReports: { by: 'reviewer' },
  checkSubmittedPages: { by: 'reviewer' },
  takeSubmission: { by: 'reviewer' },
  releaseSubmission: { by: 'reviewer' },
  saveReviewDraft: { by: 'reviewer' },
  noteReviewVisit: { by: 'reviewer' },
  askQuestion: { by: 'reviewer' },
  approveSubmission: { by: 'reviewer', freshPasskey: true },
  rejectSubmission: { by: 'reviewer', freshPasskey: true },

  upsertTrackedResources: { by: 'serviceToken', permission: 'resources.write' },
  withdrawTrackedResources: { by: 'serviceToken', permission: 'resources.write' },
  createLinkCode: { by: 'serviceToken', permission: 'shares.write' },
  cancelLinkCode: { by: 'serviceToken', permission: 'shares.write' },
  extendShare: { by: 'serviceToken', permission: 'shares.write' },
  narrowShare: { by: 'serviceToken', permission: 'shares.write' },
  revokeShare: { by: 'serviceToken', permission: 'shares.write' },
  setStatisticsParticipation: { by: 'serviceToken', permission: 'shares.write' },
  shares: { by: 'serviceToken', permission: 'shares.read' },
  eraseUser: { by: 'serviceToken', permission: 'users.erase' },
  publishStatisticsGeneration: { by: 'serviceToken', permission: 'statistics.publish' },
  catalogue: { by: 'serviceToken', permission: 'catalogue.read' },
} as const satisfies Readonly<Record<string, SessionRule | TokenRule>>;

export type Operation = keyof typeof permissions;

/**
 * Throws unless the caller may call the operation now: unauthenticated, forbidden or fresh_passkey_required. Sessions never reach the
 * tooling's operations, and tokens reach no others.
 */
export function refuseUnlessPermitted(operation: string, { session, serviceToken }: Credentials, now: Date): void {
  if (!Object.hasOwn(permissions, operation)) throw new DomainError('forbidden', { detail: `Nobody may call ${operation}.` });
  const rule = permissions[operation as Operation] as SessionRule | TokenRule;
  if (rule.by === 'serviceToken') {
    if (!serviceToken) throw tokenRequired(session);
    if (serviceToken.permissions.includes(rule.permission)) return;
    throw new DomainError('forbidden', { detail: `The service token lacks the permission ${rule.permission}.` });
  }
  if (serviceToken)
    throw new DomainError('forbidden', { detail: 'A service token can call only the order-tracking service’s operations.' });
  if (rule.by === 'anyone') return;
  if (!session) throw new DomainError('unauthenticated', { detail: 'Sign in with a passkey to continue.' });
  refuseUnlessSessionMay(rule, session, now);
}

function tokenRequired(session: AuthenticatedSession | null): DomainError {
  return session
    ? new DomainError('forbidden', {
        detail: 'This operation is for the order-tracking service’s programs. It needs a service token, not a session.',
      })
    : new DomainError('unauthenticated', { detail: 'Send a service token: Authorization: Bearer svct_…' });
}

function refuseUnlessSessionMay({ by, freshPasskey }: SessionRule, session: AuthenticatedSession, now: Date): void {
  if (by === 'enrolment' && session.kind === 'full') {
    throw new DomainError('forbidden', { detail: 'This step belongs to a registration. You are already signed in.' });
  }
  if ((by === 'operator' || isRole(by)) && session.kind !== 'full') {
    throw new DomainError('forbidden', { detail: 'Create a passkey first.' });
  }
  if (isRole(by) && !session.roles.includes(by)) {
    throw new DomainError('forbidden', { detail: `This operation needs the role ${by}.` });
  }
  if (freshPasskey && (session.confirmedUntil === null || session.confirmedUntil <= now)) {
    throw new DomainError('fresh_passkey_required', { detail: 'Confirm with your passkey to continue.' });
  }
}

function isRole(by: string): by is Role {
  return roles.some((role) => role === by);
}
