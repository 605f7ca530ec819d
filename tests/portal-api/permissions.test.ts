import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allServicePermissions, type ServicePermission } from '../../server/domain/access/servicePermissions.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { codesOf, goodProfile, profileRevision, requestFor, type Answer, type PortalClient } from '../support/clients/portalClient.ts';
import { documents } from '../support/clients/portalDocuments.ts';
import { goodSubmission, reviewer } from '../support/world/reviewPath.ts';
import { administrator, toolingClient } from '../support/clients/toolingClient.ts';

/** `tooling` presents a service token with every permission, the last ones a token with only this one. */
const callers = [
  'anonymous',
  'enrolment',
  'recovery',
  'operator',
  'confirmedOperator',
  'reviewer',
  'confirmedReviewer',
  'administrator',
  'confirmedAdministrator',
  'tooling',
  ...allServicePermissions,
] as const;
type Caller = (typeof callers)[number];
/** “in”: the caller gets past the door. What the operation then says about the variables is not tested here. */
type Door = 'in' | 'UNAUTHENTICATED' | 'FORBIDDEN' | 'FRESH_PASSKEY_REQUIRED';
type Row = { readonly doors: Readonly<Record<Caller, Door>>; readonly variables?: Record<string, unknown>; readonly pastTheDoor?: string };

const noToken = Object.fromEntries(['tooling', ...allServicePermissions].map((caller) => [caller, 'FORBIDDEN'])) as Record<
  'tooling' | ServicePermission,
  Door
>;

/** A recovery may do what an enrolment may, and reviewers and administrators what an operator may; the tooling may do none of it. */
const doors = (anonymous: Door, enrolment: Door, operator: Door, confirmedOperator: Door): Row['doors'] => ({
  anonymous,
  enrolment,
  recovery: enrolment,
  operator,
  confirmedOperator,
  reviewer: operator,
  confirmedReviewer: confirmedOperator,
  administrator: operator,
  confirmedAdministrator: confirmedOperator,
  ...noToken,
});
const anyone = doors('in', 'in', 'in', 'in');
const enrolling = doors('UNAUTHENTICATED', 'in', 'FORBIDDEN', 'FORBIDDEN');
const anySession = doors('UNAUTHENTICATED', 'in', 'in', 'in');
const signedIn = doors('UNAUTHENTICATED', 'FORBIDDEN', 'in', 'in');
const freshlyConfirmed = doors('UNAUTHENTICATED', 'FORBIDDEN', 'FRESH_PASSKEY_REQUIRED', 'in');
const sessionsRefused = doors('UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN');
const administratorsOnly: Row['doors'] = { ...sessionsRefused, administrator: 'in', confirmedAdministrator: 'in' };
const reviewersOnly: Row['doors'] = { ...sessionsRefused, reviewer: 'in', confirmedReviewer: 'in' };
const confirmedReviewersOnly: Row['doors'] = { ...reviewersOnly, reviewer: 'FRESH_PASSKEY_REQUIRED' };
const toolingOnly = (permission: ServicePermission): Row['doors'] => ({ ...sessionsRefused, tooling: 'in', [permission]: 'in' });
const confirmedAdministratorsOnly: Row['doors'] = { ...administratorsOnly, administrator: 'FRESH_PASSKEY_REQUIRED' };

const client = { clientId: `cli_${'0'.repeat(26)}`, csr: requestFor('svc:sandbox:cli_x') };

const endpoint = { endpointId: `whk_${'0'.repeat(26)}` };

/** Written by hand, apart from the table in the code. `pastTheDoor`: the refusal of these variables once the caller is in. */
const expectations: Record<keyof typeof documents, Row> = {
  viewer: { doors: anyone },
  service: { doors: anyone },
  currentTerms: { doors: anyone },
  terms: { doors: anyone, variables: { version: 1 } },
  requestRegistration: { doors: anyone, variables: { input: { email: 'walk' } }, pastTheDoor: 'BAD_USER_INPUT' },
  confirmRegistration: { doors: anyone, variables: { input: { token: 'x' } }, pastTheDoor: 'NOT_FOUND' },
  confirmEmailChange: { doors: anyone, variables: { input: { token: 'x' } }, pastTheDoor: 'NOT_FOUND' },
  emailChangeOfLink: { doors: anyone, variables: { input: { token: 'x' } } },
  accountSettings: { doors: signedIn },
  requestEmailChange: { doors: signedIn, variables: { input: { newEmail: 'walk' } }, pastTheDoor: 'BAD_USER_INPUT' },
  cancelEmailChange: { doors: signedIn },
  setNotificationPreferences: { doors: signedIn, variables: { input: { muted: [] } } },
  setSingleKeys: { doors: signedIn, variables: { input: { on: true } } },
  find: { doors: signedIn, variables: { text: 'walk' } },
  deleteAccount: { doors: freshlyConfirmed },
  beginSignIn: { doors: anyone },
  finishSignIn: { doors: anyone, variables: { input: { response: {} } }, pastTheDoor: 'UNAUTHENTICATED' },
  beginPasskeyRegistration: { doors: enrolling },
  finishPasskeyRegistration: { doors: enrolling, variables: { input: { response: {}, name: 'x' } }, pastTheDoor: 'BAD_USER_INPUT' },
  confirmRegistrationCode: { doors: anyone, variables: { input: { code: 'walk' } }, pastTheDoor: 'BAD_USER_INPUT' },
  redeemRecoveryCode: { doors: anyone, variables: { input: { code: 'walk' } }, pastTheDoor: 'BAD_USER_INPUT' },
  signOut: { doors: anySession },
  account: { doors: signedIn },
  sessions: { doors: signedIn },
  beginPasskeyAddition: { doors: freshlyConfirmed },
  finishPasskeyAddition: { doors: freshlyConfirmed, variables: { input: { response: {}, name: 'x' } }, pastTheDoor: 'BAD_USER_INPUT' },
  renamePasskey: { doors: signedIn, variables: { input: { passkeyId: 'x', name: 'x' } }, pastTheDoor: 'NOT_FOUND' },
  removePasskey: { doors: freshlyConfirmed, variables: { input: { passkeyId: 'x' } }, pastTheDoor: 'NOT_FOUND' },
  regenerateRecoveryCodes: { doors: freshlyConfirmed },
  endSession: { doors: signedIn, variables: { input: { sessionId: 'ses_x' } }, pastTheDoor: 'NOT_FOUND' },
  endOtherSessions: { doors: signedIn },
  scopeAdvice: { doors: signedIn, variables: { scopes: ['orders.read'] } },
  integrations: { doors: signedIn },
  integration: { doors: signedIn, variables: { slug: 'no-such-slug' }, pastTheDoor: 'NOT_FOUND' },
  slugAvailable: { doors: signedIn, variables: { slug: 'no-such-slug' } },
  news: { doors: signedIn },
  markNewsRead: { doors: signedIn, variables: { input: { id: 'mail_x' } }, pastTheDoor: 'NOT_FOUND' },
  markAllNewsRead: { doors: signedIn, variables: { input: { until: '2026-01-01T00:00:00.000Z' } } },
  revocations: { doors: signedIn, variables: { slug: 'no-such-slug' }, pastTheDoor: 'NOT_FOUND' },
  certificates: { doors: signedIn, variables: { clientId: `cli_${'0'.repeat(26)}` }, pastTheDoor: 'NOT_FOUND' },
  usage: { doors: signedIn, variables: { clientId: `cli_${'0'.repeat(26)}` }, pastTheDoor: 'NOT_FOUND' },
  requests: { doors: signedIn, variables: { clientId: `cli_${'0'.repeat(26)}` }, pastTheDoor: 'NOT_FOUND' },
  sandbox: { doors: signedIn, variables: { clientId: client.clientId }, pastTheDoor: 'NOT_FOUND' },
  sandboxResources: { doors: signedIn, variables: { clientId: client.clientId }, pastTheDoor: 'NOT_FOUND' },
  sandboxNextSync: { doors: signedIn, variables: { clientId: client.clientId }, pastTheDoor: 'NOT_FOUND' },
  sandboxShares: { doors: signedIn, variables: { clientId: client.clientId }, pastTheDoor: 'NOT_FOUND' },
  sandboxLinkCodes: { doors: signedIn, variables: { clientId: client.clientId }, pastTheDoor: 'NOT_FOUND' },
  registerWebhookEndpoint: {
    doors: freshlyConfirmed,
    variables: {
      input: {
        integrationId: `int_${'0'.repeat(26)}`,
        environment: 'sandbox',
        url: 'https://hooks.example.com',
        payloadMode: 'notification',
        eventTypes: ['resource_updated'],
        description: '',
      },
    },
    pastTheDoor: 'NOT_FOUND',
  },
  reviseWebhookEndpoint: { doors: freshlyConfirmed, variables: { input: endpoint }, pastTheDoor: 'NOT_FOUND' },
  pauseWebhookEndpoint: { doors: freshlyConfirmed, variables: { input: endpoint }, pastTheDoor: 'NOT_FOUND' },
  resumeWebhookEndpoint: { doors: freshlyConfirmed, variables: { input: endpoint }, pastTheDoor: 'NOT_FOUND' },
  removeWebhookEndpoint: { doors: freshlyConfirmed, variables: { input: endpoint }, pastTheDoor: 'NOT_FOUND' },
  webhookEndpoint: { doors: signedIn, variables: { id: `whk_${'0'.repeat(26)}` }, pastTheDoor: 'NOT_FOUND' },
  webhookDelivery: { doors: signedIn, variables: { id: `dlv_${'0'.repeat(26)}` }, pastTheDoor: 'NOT_FOUND' },
  signedSample: { doors: signedIn, variables: { id: `wsm_${'0'.repeat(26)}` }, pastTheDoor: 'NOT_FOUND' },
  sendTestEvent: {
    doors: signedIn,
    variables: { input: { endpointId: `whk_${'0'.repeat(26)}`, type: 'connection_created' } },
    pastTheDoor: 'NOT_FOUND',
  },
  requestSignedSample: {
    doors: signedIn,
    variables: { input: { endpointId: `whk_${'0'.repeat(26)}`, type: 'connection_created', url: 'http://localhost:9000/' } },
    pastTheDoor: 'NOT_FOUND',
  },
  checkReceiver: { doors: signedIn, variables: { input: { endpointId: `whk_${'0'.repeat(26)}` } }, pastTheDoor: 'NOT_FOUND' },
  failingWebhookEndpoints: { doors: administratorsOnly },
  pauseAnyWebhookEndpoint: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { endpointId: `whk_${'0'.repeat(26)}`, reason: 'A reason.' } },
    pastTheDoor: 'NOT_FOUND',
  },
  resumeAnyWebhookEndpoint: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { endpointId: `whk_${'0'.repeat(26)}`, reason: 'A reason.' } },
    pastTheDoor: 'NOT_FOUND',
  },
  waitingCount: { doors: signedIn, variables: { endpointId: `whk_${'0'.repeat(26)}` }, pastTheDoor: 'NOT_FOUND' },
  attemptDelivery: { doors: freshlyConfirmed, variables: { input: { deliveryId: `dlv_${'0'.repeat(26)}` } }, pastTheDoor: 'NOT_FOUND' },
  attemptDeliveries: {
    doors: freshlyConfirmed,
    variables: { input: { endpointId: `whk_${'0'.repeat(26)}`, filter: {}, until: '2026-01-01T00:00:00.000Z', expectedCount: 1 } },
    pastTheDoor: 'NOT_FOUND',
  },
  replayCount: { doors: signedIn, variables: { endpointId: `whk_${'0'.repeat(26)}` }, pastTheDoor: 'NOT_FOUND' },
  verifyWebhookEndpoint: {
    doors: freshlyConfirmed,
    variables: { input: { endpointId: `whk_${'0'.repeat(26)}` } },
    pastTheDoor: 'NOT_FOUND',
  },
  replayDelivery: { doors: freshlyConfirmed, variables: { input: { deliveryId: `dlv_${'0'.repeat(26)}` } }, pastTheDoor: 'NOT_FOUND' },
  replayDeliveries: {
    doors: freshlyConfirmed,
    variables: {
      input: { endpointId: `whk_${'0'.repeat(26)}`, filter: {}, until: '2026-01-01T00:00:00.000Z', expectedCount: 1, selectionDigest: 'x' },
    },
    pastTheDoor: 'NOT_FOUND',
  },
  regenerateSandboxCorpus: { doors: signedIn, variables: { input: { clientId: client.clientId } }, pastTheDoor: 'NOT_FOUND' },
  generateSandboxLinkCode: { doors: signedIn, variables: { input: { clientId: client.clientId } }, pastTheDoor: 'NOT_FOUND' },
  advanceSandboxResource: { doors: signedIn, variables: { input: { clientId: client.clientId } }, pastTheDoor: 'NOT_FOUND' },
  addSandboxShippingEvent: {
    doors: signedIn,
    variables: { input: { clientId: client.clientId, resourceId: 'ord_x', kind: 'arrived', port: 'DEBRV' } },
    pastTheDoor: 'NOT_FOUND',
  },
  revokeSandboxShare: {
    doors: signedIn,
    variables: { input: { clientId: client.clientId, resourceId: 'ord_x' } },
    pastTheDoor: 'NOT_FOUND',
  },
  publishSandboxStatistics: { doors: signedIn, variables: { input: { clientId: client.clientId } }, pastTheDoor: 'NOT_FOUND' },
  beginPasskeyConfirmation: { doors: signedIn },
  finishPasskeyConfirmation: { doors: signedIn, variables: { input: { response: {} } }, pastTheDoor: 'UNAUTHENTICATED' },
  acceptTerms: {
    doors: signedIn,
    variables: { input: { version: 99, nonCommercial: true, attribution: true } },
    pastTheDoor: 'BAD_USER_INPUT',
  },
  termsVersions: { doors: administratorsOnly },
  publishTerms: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { title: '', markdown: '', replaces: 1 } },
    pastTheDoor: 'BAD_USER_INPUT',
  },
  reportBusinessModelChange: {
    doors: signedIn,
    variables: { input: { integrationId: 'int_x', description: 'More' } },
    pastTheDoor: 'NOT_FOUND',
  },
  recordCommercialAgreement: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { integrationId: 'int_x', reference: 'A', summary: 'B', validFrom: '2026-12-01' } },
    pastTheDoor: 'NOT_FOUND',
  },
  withdrawCommercialAgreement: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { agreementId: 'agr_x', reason: 'r' } },
    pastTheDoor: 'NOT_FOUND',
  },
  createIntegration: { doors: signedIn, variables: { input: goodProfile() }, pastTheDoor: 'CONFLICT' },
  reviseProfile: {
    doors: signedIn,
    variables: { input: profileRevision('int_x', 1) },
    pastTheDoor: 'NOT_FOUND',
  },
  profileVersions: { doors: signedIn, variables: { slug: 'no-such-slug' }, pastTheDoor: 'NOT_FOUND' },
  profileDiff: { doors: signedIn, variables: { slug: 'no-such-slug', from: 1, to: 2 }, pastTheDoor: 'NOT_FOUND' },
  retireIntegration: { doors: freshlyConfirmed, variables: { input: { integrationId: 'int_x' } }, pastTheDoor: 'NOT_FOUND' },
  removeLogo: { doors: signedIn, variables: { input: { integrationId: 'int_x' } }, pastTheDoor: 'NOT_FOUND' },
  requestCertificate: { doors: freshlyConfirmed, variables: { input: client }, pastTheDoor: 'NOT_FOUND' },
  requestP12: { doors: freshlyConfirmed, variables: { input: { clientId: client.clientId } }, pastTheDoor: 'NOT_FOUND' },
  claimP12: {
    doors: freshlyConfirmed,
    variables: { input: { certificateId: 'crt_x', token: 'A'.repeat(43) } },
    pastTheDoor: 'NOT_FOUND',
  },
  revokeCertificate: {
    doors: freshlyConfirmed,
    variables: { input: { certificateId: 'crt_x', reason: 'superseded' } },
    pastTheDoor: 'NOT_FOUND',
  },
  setRenewalByEst: {
    doors: freshlyConfirmed,
    variables: { input: { clientId: client.clientId, enabled: true } },
    pastTheDoor: 'NOT_FOUND',
  },
  serviceTokens: { doors: administratorsOnly },
  createServiceToken: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { name: '', environment: 'sandbox', permissions: [] } },
    pastTheDoor: 'BAD_USER_INPUT',
  },
  revokeServiceToken: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { serviceTokenId: 'svt_x' } },
    pastTheDoor: 'NOT_FOUND',
  },
  suspendIntegration: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { integrationId: 'int_x', reason: 'r' } },
    pastTheDoor: 'NOT_FOUND',
  },
  reactivateIntegration: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { integrationId: 'int_x', reason: 'r' } },
    pastTheDoor: 'NOT_FOUND',
  },
  auditTrail: { doors: signedIn },
  operators: { doors: administratorsOnly },
  operator: { doors: administratorsOnly, variables: { id: `opr_${'0'.repeat(26)}` }, pastTheDoor: 'NOT_FOUND' },
  grantRole: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { operatorId: 'opr_x', role: 'reviewer' } },
    pastTheDoor: 'NOT_FOUND',
  },
  requestAccountReset: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { operatorId: 'opr_x', reason: 'r', proof: 'p' } },
    pastTheDoor: 'NOT_FOUND',
  },
  approveAccountReset: { doors: confirmedAdministratorsOnly, variables: { input: { resetId: 'rst_x' } }, pastTheDoor: 'NOT_FOUND' },
  cancelAnyAccountReset: { doors: confirmedAdministratorsOnly, variables: { input: { resetId: 'rst_x' } }, pastTheDoor: 'NOT_FOUND' },
  cancelAccountReset: { doors: signedIn, variables: { input: { resetId: 'rst_x' } }, pastTheDoor: 'NOT_FOUND' },
  lockAccount: { doors: confirmedAdministratorsOnly, variables: { input: { operatorId: 'opr_x', reason: 'r' } }, pastTheDoor: 'NOT_FOUND' },
  unlockAccount: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { operatorId: 'opr_x', reason: 'r' } },
    pastTheDoor: 'NOT_FOUND',
  },
  withdrawRole: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { operatorId: 'opr_x', role: 'reviewer' } },
    pastTheDoor: 'NOT_FOUND',
  },
  allIntegrations: { doors: administratorsOnly },
  healthTotals: { doors: administratorsOnly },
  anyIntegration: { doors: administratorsOnly, variables: { slug: 'no-such-slug' }, pastTheDoor: 'NOT_FOUND' },
  allCertificates: { doors: administratorsOnly },
  certificateAuthorities: { doors: administratorsOnly },
  revokeAnyCertificate: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { certificateId: 'crt_x', revocationReason: 'unspecified', reason: 'r' } },
    pastTheDoor: 'NOT_FOUND',
  },
  revokeClientCertificates: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { clientId: 'cli_x', revocationReason: 'unspecified', reason: 'r' } },
    pastTheDoor: 'NOT_FOUND',
  },
  administratorsHome: { doors: administratorsOnly },
  failedJobs: { doors: administratorsOnly },
  auditExport: { doors: confirmedAdministratorsOnly },
  retryJob: { doors: confirmedAdministratorsOnly, variables: { input: { jobId: '1' } }, pastTheDoor: 'NOT_FOUND' },
  activateForProduction: {
    doors: freshlyConfirmed,
    variables: { input: { integrationId: 'int_x', profileVersion: 1 } },
    pastTheDoor: 'NOT_FOUND',
  },
  deletionsToRecord: { doors: signedIn, variables: { slug: 'never-existed' }, pastTheDoor: 'NOT_FOUND' },
  recordDeletions: {
    doors: freshlyConfirmed,
    variables: {
      input: { slug: 'never-existed', filter: {}, until: '2026-01-01T00:00:00.000Z', expectedCount: 1, selectionDigest: '0'.repeat(64) },
    },
    pastTheDoor: 'NOT_FOUND',
  },
  recordDeletion: { doors: freshlyConfirmed, variables: { input: { revocationId: 'rev_x' } }, pastTheDoor: 'NOT_FOUND' },
  serviceGate: { doors: administratorsOnly },
  serviceGateHistory: { doors: administratorsOnly },
  productionIntegrations: { doors: administratorsOnly },
  openProductionGate: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { integrationId: 'int_x', reason: 'r' } },
    pastTheDoor: 'NOT_FOUND',
  },
  closeProductionGate: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { integrationId: 'int_x', reason: 'r' } },
    pastTheDoor: 'NOT_FOUND',
  },
  setQuotaOverride: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { clientId: 'cli_x', quota: 'requests_per_hour', value: 1, reason: 'r' } },
    pastTheDoor: 'NOT_FOUND',
  },
  withdrawQuotaOverride: {
    doors: confirmedAdministratorsOnly,
    variables: { input: { clientId: 'cli_x', quota: 'requests_per_hour', reason: 'r' } },
    pastTheDoor: 'NOT_FOUND',
  },
  reviewChecklist: { doors: anyone },
  reviewTimes: { doors: anyone },
  ownSubmissions: { doors: signedIn, variables: { slug: 'no-such-slug' }, pastTheDoor: 'NOT_FOUND' },
  saveSubmissionDraft: {
    doors: signedIn,
    variables: { input: { integrationId: 'int_x', reviewUrl: '', confirmations: [] } },
    pastTheDoor: 'NOT_FOUND',
  },
  checkPages: { doors: signedIn, variables: { input: { integrationId: 'int_x' } }, pastTheDoor: 'NOT_FOUND' },
  checkSubmittedPages: { doors: reviewersOnly, variables: { input: { submissionId: 'sub_x' } }, pastTheDoor: 'NOT_FOUND' },
  submitForReview: { doors: freshlyConfirmed, variables: { input: goodSubmission('int_x') }, pastTheDoor: 'NOT_FOUND' },
  withdrawSubmission: { doors: signedIn, variables: { input: { submissionId: 'sub_x' } }, pastTheDoor: 'NOT_FOUND' },
  answerQuestion: { doors: signedIn, variables: { input: { submissionId: 'sub_x', body: 'b' } }, pastTheDoor: 'NOT_FOUND' },
  submissions: { doors: reviewersOnly, variables: { tab: 'mine' } },
  minorRevisions: { doors: reviewersOnly },
  businessModelReports: { doors: reviewersOnly },
  submission: { doors: reviewersOnly, variables: { id: 'sub_x' }, pastTheDoor: 'NOT_FOUND' },
  takeSubmission: { doors: reviewersOnly, variables: { input: { submissionId: 'sub_x' } }, pastTheDoor: 'NOT_FOUND' },
  releaseSubmission: { doors: reviewersOnly, variables: { input: { submissionId: 'sub_x' } }, pastTheDoor: 'NOT_FOUND' },
  nextSubmission: { doors: reviewersOnly },
  reviewCounts: { doors: reviewersOnly },
  noteReviewVisit: { doors: reviewersOnly, variables: { input: { submissionId: 'sub_x' } }, pastTheDoor: 'NOT_FOUND' },
  saveReviewDraft: {
    doors: reviewersOnly,
    variables: { input: { submissionId: 'sub_x', part: 'privacy', met: true } },
    pastTheDoor: 'NOT_FOUND',
  },
  askQuestion: { doors: reviewersOnly, variables: { input: { submissionId: 'sub_x', body: 'b' } }, pastTheDoor: 'NOT_FOUND' },
  approveSubmission: { doors: confirmedReviewersOnly, variables: { input: { submissionId: 'sub_x' } }, pastTheDoor: 'NOT_FOUND' },
  rejectSubmission: {
    doors: confirmedReviewersOnly,
    variables: { input: { submissionId: 'sub_x', notes: 'n' } },
    pastTheDoor: 'NOT_FOUND',
  },
  upsertTrackedResources: { doors: toolingOnly('resources.write'), variables: { input: { resources: [] } }, pastTheDoor: 'BAD_USER_INPUT' },
  withdrawTrackedResources: {
    doors: toolingOnly('resources.write'),
    variables: { input: { resources: [] } },
    pastTheDoor: 'BAD_USER_INPUT',
  },
  createLinkCode: {
    doors: toolingOnly('shares.write'),
    variables: { input: { integrationId: 'int_x', user: 'u', orders: ['o'], scopes: ['orders.read'], statisticsOptedIn: false } },
    pastTheDoor: 'NOT_FOUND',
  },
  cancelLinkCode: { doors: toolingOnly('shares.write'), variables: { input: { linkCodeId: 'lnk_x' } }, pastTheDoor: 'NOT_FOUND' },
  extendShare: { doors: toolingOnly('shares.write'), variables: { input: { connectionId: 'con_x' } }, pastTheDoor: 'NOT_FOUND' },
  narrowShare: { doors: toolingOnly('shares.write'), variables: { input: { connectionId: 'con_x' } }, pastTheDoor: 'NOT_FOUND' },
  revokeShare: { doors: toolingOnly('shares.write'), variables: { input: { connectionId: 'con_x' } }, pastTheDoor: 'NOT_FOUND' },
  eraseUser: { doors: toolingOnly('users.erase'), variables: { input: { user: 'nobody' } } },
  setStatisticsParticipation: {
    doors: toolingOnly('shares.write'),
    variables: { input: { integrationId: 'int_x', user: 'u', optedIn: true } },
    pastTheDoor: 'NOT_FOUND',
  },
  publishStatisticsGeneration: {
    doors: toolingOnly('statistics.publish'),
    variables: { input: { integrationId: 'int_x' } },
    pastTheDoor: 'NOT_FOUND',
  },
  shares: { doors: toolingOnly('shares.read'), variables: { user: 'nobody' } },
  catalogue: { doors: toolingOnly('catalogue.read') },
};

let application: PortalWorld;
const browsers = {} as Record<Caller, PortalClient>;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  browsers.anonymous = application.browser();
  browsers.enrolment = application.browser();
  await browsers.enrolment.beginEnrolment();
  browsers.recovery = await recovering();
  browsers.operator = await application.operator();
  browsers.confirmedOperator = await application.operator();
  await browsers.confirmedOperator.confirmFreshly();
  browsers.reviewer = await reviewer(application);
  browsers.confirmedReviewer = await reviewer(application);
  await browsers.confirmedReviewer.confirmFreshly();
  browsers.administrator = await administrator(application);
  browsers.confirmedAdministrator = await administrator(application);
  await browsers.confirmedAdministrator.confirmFreshly();
  browsers.tooling = await toolingClient(application);
  for (const permission of allServicePermissions) browsers[permission] = await toolingClient(application, { permissions: [permission] });
});
afterAll(() => application.close());

/** Refusals by the door itself. Their words tell them from the operation's own UNAUTHENTICATED. */
const doorWords = new Set([
  'Sign in with a passkey to continue.',
  'Create a passkey first.',
  'This step belongs to a registration. You are already signed in.',
  'Confirm with your passkey to continue.',
  'This operation needs the role administrator.',
  'This operation needs the role reviewer.',
  'This operation is for the order-tracking service’s programs. It needs a service token, not a session.',
  'Send a service token: Authorization: Bearer svct_…',
  'A service token can call only the order-tracking service’s operations.',
  ...allServicePermissions.map((permission) => `The service token lacks the permission ${permission}.`),
]);

function doorOf(answer: Answer<unknown>): Door {
  const refusal = answer.errors.find(({ message }) => doorWords.has(message));
  return refusal ? (refusal.extensions.code as Door) : 'in';
}

test('every operation of the schema stands in the table of expectations', async () => {
  const { data } = await browsers.anonymous.graphql<{ __schema: Record<'query' | 'mutation', { fields: { name: string }[] }> }>(
    '{ __schema { query: queryType { fields { name } } mutation: mutationType { fields { name } } } }',
  );
  const operations = [...(data?.__schema.query.fields ?? []), ...(data?.__schema.mutation.fields ?? [])].map(({ name }) => name);
  expect(operations.length).toBeGreaterThan(15);
  expect(Object.keys(expectations).sort()).toEqual(operations.sort());
});

describe.each(Object.entries(expectations))('%s', (operation, { doors: expected, variables = {}, pastTheDoor }) => {
  test.each(callers)('called by: %s', async (caller) => {
    // These would leave the browser useless for the other operations.
    const browser = ['signOut', 'deleteAccount'].includes(operation) ? await throwaway(caller) : browsers[caller].copy();
    const answer = await browser.call(operation as keyof typeof documents, variables);
    expect(doorOf(answer)).toBe(expected[caller]);
    if (expected[caller] === 'in') expect(codesOf(answer)).toEqual(pastTheDoor === undefined ? [] : [pastTheDoor]);
    else expect(answer.data).toBeNull();
  });
});

test('no mutation is in reach while looking at an integration as its owner, whatever the role', async () => {
  const looking = await administrator(application);
  await looking.confirmFreshly();
  looking.asOwner = 'no-such-slug';
  const mutations = Object.entries(expectations).filter(([operation]) =>
    documents[operation as keyof typeof documents].startsWith('mutation'),
  );
  expect(mutations.length).toBeGreaterThan(80);
  for (const [operation, { variables = {} }] of mutations) {
    const answer = await looking.call(operation as keyof typeof documents, variables);
    expect([operation, codesOf(answer), answer.data]).toEqual([operation, ['FORBIDDEN'], null]);
  }
});

async function recovering(): Promise<PortalClient> {
  const browser = await application.operator();
  await browser.must('redeemRecoveryCode', { input: { code: browser.recoveryCodes[0] } });
  return browser;
}

async function throwaway(caller: Caller): Promise<PortalClient> {
  if (caller === 'recovery') return recovering();
  if (caller === 'enrolment') {
    const browser = application.browser();
    await browser.beginEnrolment();
    return browser;
  }
  if (caller === 'anonymous' || Object.hasOwn(noToken, caller)) return browsers[caller];
  const browser = await application.operator();
  if (caller.startsWith('confirmed')) await browser.confirmFreshly();
  return browser;
}

test('several operations in one document each need their own permission', async () => {
  const answer = await browsers.operator.graphql<{ viewer: unknown }>('{ viewer { kind } a: integration(slug: "x") { id } }');
  expect(codesOf(answer)).toEqual(['NOT_FOUND']);
  const anonymous = await browsers.anonymous.graphql('{ service { portalUrl } integrations { totalCount } }');
  expect(codesOf(anonymous)).toEqual(['UNAUTHENTICATED']);
  expect(anonymous.data).toBeNull();
});
