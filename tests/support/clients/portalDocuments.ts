import { allProfileFields, minorFields, type ProfileField } from '../../../server/domain/integration/profile/profileFields.ts';

const viewerFields = 'kind email operatorId roles confirmedUntil acceptedTermsVersion sessionExpiresAt';
const passkeyFields = 'id name storage createdAt lastUsedAt';
const certificateFields =
  'id status serial fingerprintSha256 keyType keyName requestedAt issuedAt notAfter usableUntil revokedAt revocationReason crlPublishedAt failure bundlePath source p12 { status readyAt claimUntil attemptsLeft endedAt }';
const integrationFields = `id slug status createdAt
  profile { version publicName country websiteUrl requestedScopes scopeWarnings ${minorFields.join(' ')} }
  clients { id environment commonName nextKeyName scopes corpus { state } certificatesInUse { ${certificateFields} } }`;
const notInCatalogue = new Set<ProfileField>(['pollingCadenceMinutes', 'webhookModel', 'requestedScopes', 'logoId']);
/** The fields of a profile that the catalogue shows by the same name: all but the plans. */
export const catalogueFields = allProfileFields.filter((field) => !notInCatalogue.has(field));
const serviceTokenFields = 'id name environment permissions createdAt createdBy createdByName expiresAt lastUsedAt revokedAt';

const changeFields = 'field label before after consentRelevant minor';

const agreementFields = 'id reference summary validFrom validUntil recordedAt state withdrawnAt withdrawalReason';

const submissionCheckFields = 'check title level outcome found checkedAt checking checklistItem';
const draftFields = `id submissionDraft { profileVersion reviewUrl confirmations { item confirmed word } version savedAt } submissionChecks { ${submissionCheckFields} } reviewQueue { before medianDays turn }`;
const submissionFields = `id slug number status profileVersion scopes termsVersion reviewUrl submittedAt waitingFor waitingSince decidedAt
  decisionNotes taken mine reviewer comparedWith profile { version publicName } changes { field before after }
  checklist { item confirmed word verdict { met note } } messages { id authorRole body }`;
const sittingFields =
  'drafts { part met note version } presence { reviewer openedAt } followedLinks formerNotes { item notes } points { met notMet total }';

const deliveryFields = `id event { id type occurredAt expiresAt connectionId resourceId revocationId generationId test } state reason attemptsCount nextAttemptAt waitAsked
  windowEndsAt createdAt finishedAt replayOf replayedAt lastAttempt { status error totalMs }`;
const challengeFields = 'id status requestedAt finishedAt failure steps { name outcome at tookMs detail }';
const checkFields =
  'id state failure requestedAt finishedAt probedAt passed probes { kind title expectation status error tookMs verdict mend }';
const administeredEndpointFields = `id environment host payloadMode status statusChangedAt pausedBy pauseReason own integration { slug } owner { id email }
  health { lastSuccessAt failingSince failuresInRow waiting held dead nextAttemptAt }`;
const replayFields = 'id count replayed orderedAt finishedAt';

const endpointFields = 'id environment url payloadMode eventTypes description status provenAt pausedBy pauseReason removedAt';

/** One document for every operation of the portal's API; a test compares the names with the schema. */
export const documents = {
  viewer: `{ viewer { ${viewerFields} } }`,
  service:
    '{ service { portalUrl machineApiUrl developmentMailbox developmentCa developmentReceiver { host port tlsFolder } supportContact { url text } scopes { name grants } limits { requestsPerHour certificateDays } } }',
  currentTerms: '{ currentTerms { version title markdown publishedAt } }',
  terms: 'query ($version: Int!) { terms(version: $version) { version title } }',
  find: `query ($text: String!) {
    find(text: $text) {
      found { kind id view name environment state integration { slug publicName } endpointId submissionId }
      unfound { title text }
    }
  }`,
  setSingleKeys: 'mutation ($input: SetSingleKeysInput!) { setSingleKeys(input: $input) }',
  scopeAdvice: 'query ($scopes: [String!]!) { scopeAdvice(scopes: $scopes) { refusal warnings } }',
  integrations: `query ($retired: Boolean, $search: String, $first: Int! = 20, $after: String) { integrations(retired: $retired, search: $search, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { ${integrationFields} } } } }`,
  revocations: `query ($slug: String!, $environment: Environment, $state: RevocationState! = outstanding, $order: RevocationOrder! = deadline, $id: ID, $first: Int! = 20, $after: String) {
    revocations(slug: $slug, environment: $environment, state: $state, order: $order, id: $id, first: $first, after: $after) {
      outstandingCount dueCount overdueCount nextDeadlineAt overdueSince lastDoneAt elsewhere { dueCount overdueCount nextDeadlineAt } pageInfo { hasNextPage endCursor } edges { cursor node { id environment subjectType subjectId connectionId
      resourceCount revokedAt deletionDeadlineAt acknowledgedAt acknowledgedLate recordedByHand fixture overdue } } } }`,
  integration: `query ($slug: String!) { integration(slug: $slug) { ${integrationFields} } }`,
  slugAvailable: 'query ($slug: String!) { slugAvailable(slug: $slug) }',
  certificates: `query ($clientId: ID!, $selection: CertificateSelection! = all, $id: ID, $first: Int! = 20, $after: String) {
    certificates(clientId: $clientId, selection: $selection, id: $id, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor } edges { cursor node { ${certificateFields} } } } }`,
  allCertificates: `query ($filter: CertificateFilterInput, $first: Int! = 50, $after: String) {
    allCertificates(filter: $filter, first: $first, after: $after) { pageInfo { hasNextPage endCursor } edges { cursor node {
      clientId environment commonName authorityId own integration { id slug } owner { id email } certificate { ${certificateFields} lastUsedAt } } } } }`,
  certificateAuthorities: `{ certificateAuthorities { id kind status issues hasKey createdAt notAfter retiredAt crl { number thisUpdate nextUpdate revoked } } }`,
  revokeAnyCertificate: `mutation ($input: RevokeAnyCertificateInput!) { revokeAnyCertificate(input: $input) { ${certificateFields} } }`,
  revokeClientCertificates: 'mutation ($input: RevokeClientCertificatesInput!) { revokeClientCertificates(input: $input) { revoked } }',
  usage: `query ($clientId: ID!, $period: UsagePeriod! = day) { usage(clientId: $clientId, period: $period) { from hours syncs unchangedSyncs
    counts { hour operation status count } quotas { name limit left resetsAt overridden overrideExpiresAt } } }`,
  requests: `query ($clientId: ID!, $filter: RequestFilterInput, $known: [ID!], $first: Int! = 50, $after: String) {
    requests(clientId: $clientId, filter: $filter, known: $known, first: $first, after: $after) { pageInfo { hasNextPage endCursor } edges { cursor node {
      id occurredAt method operation status problem serial durationMs certificateId title reason advice } } } }`,
  requestRegistration: 'mutation ($input: RequestRegistrationInput!) { requestRegistration(input: $input) }',
  confirmRegistration: `mutation ($input: ConfirmRegistrationInput!) { confirmRegistration(input: $input) { ${viewerFields} } }`,
  confirmRegistrationCode: `mutation ($input: ConfirmRegistrationCodeInput!) { confirmRegistrationCode(input: $input) { ${viewerFields} } }`,
  accountSettings: `{ accountSettings { email emailChange { newEmail currentConfirmed newConfirmed expiresAt } mutedNotifications
    deletion { retires { slug publicName } submitted { slug publicName } undeleted { slug publicName } } } }`,
  requestEmailChange: `mutation ($input: RequestEmailChangeInput!) { requestEmailChange(input: $input) {
    newEmail currentConfirmed newConfirmed expiresAt } }`,
  cancelEmailChange: 'mutation { cancelEmailChange }',
  emailChangeOfLink: 'query ($input: ConfirmEmailChangeInput!) { emailChangeOfLink(input: $input) }',
  confirmEmailChange: 'mutation ($input: ConfirmEmailChangeInput!) { confirmEmailChange(input: $input) { confirmed completed } }',
  setNotificationPreferences: 'mutation ($input: SetNotificationPreferencesInput!) { setNotificationPreferences(input: $input) }',
  deleteAccount: 'mutation { deleteAccount }',
  beginPasskeyRegistration: 'mutation { beginPasskeyRegistration }',
  finishPasskeyRegistration: `mutation ($input: FinishPasskeyRegistrationInput!) {
    finishPasskeyRegistration(input: $input) { viewer { ${viewerFields} } recoveryCodes } }`,
  beginSignIn: 'mutation { beginSignIn }',
  finishSignIn: `mutation ($input: FinishSignInInput!) { finishSignIn(input: $input) { ${viewerFields} } }`,
  beginPasskeyConfirmation: 'mutation { beginPasskeyConfirmation }',
  finishPasskeyConfirmation: `mutation ($input: FinishPasskeyConfirmationInput!) { finishPasskeyConfirmation(input: $input) { ${viewerFields} } }`,
  redeemRecoveryCode: `mutation ($input: RedeemRecoveryCodeInput!) { redeemRecoveryCode(input: $input) { ${viewerFields} } }`,
  account: `{ account { operatorId passkeys { ${passkeyFields} } recoveryCodes { unused createdAt } reset { id requestedAt reason dueAt } } }`,
  sessions: `query ($first: Int! = 20, $after: String) { sessions(first: $first, after: $after) {
    pageInfo { hasNextPage endCursor } edges { cursor node { id current createdAt lastUsedAt expiresAt ip userAgent } } } }`,
  beginPasskeyAddition: 'mutation { beginPasskeyAddition }',
  finishPasskeyAddition: `mutation ($input: FinishPasskeyAdditionInput!) { finishPasskeyAddition(input: $input) { ${passkeyFields} } }`,
  renamePasskey: `mutation ($input: RenamePasskeyInput!) { renamePasskey(input: $input) { ${passkeyFields} } }`,
  removePasskey: `mutation ($input: RemovePasskeyInput!) { removePasskey(input: $input) { ${passkeyFields} } }`,
  regenerateRecoveryCodes: 'mutation { regenerateRecoveryCodes }',
  endSession: 'mutation ($input: EndSessionInput!) { endSession(input: $input) }',
  endOtherSessions: 'mutation { endOtherSessions }',
  signOut: 'mutation { signOut }',
  news: 'query ($unread: Boolean, $first: Int, $after: String) { news(unread: $unread, first: $first, after: $after) { edges { cursor node { id at read settled title text facts { name value } action { label path } integration { slug publicName } } } pageInfo { hasNextPage endCursor } } }',
  markNewsRead: 'mutation ($input: MarkNewsReadInput!) { markNewsRead(input: $input) }',
  markAllNewsRead: 'mutation ($input: MarkAllNewsReadInput!) { markAllNewsRead(input: $input) }',
  acceptTerms: `mutation ($input: AcceptTermsInput!) { acceptTerms(input: $input) { ${viewerFields} } }`,
  termsVersions: `query ($first: Int! = 20, $after: String) { termsVersions(first: $first, after: $after) {
    pageInfo { hasNextPage endCursor } edges { cursor node { version title publishedAt publishedBy publishedByName } } } }`,
  publishTerms: 'mutation ($input: PublishTermsInput!) { publishTerms(input: $input) { version title markdown publishedAt } }',
  reportBusinessModelChange: `mutation ($input: ReportBusinessModelChangeInput!) {
    reportBusinessModelChange(input: $input) { id description reportedAt } }`,
  recordCommercialAgreement: `mutation ($input: RecordCommercialAgreementInput!) { recordCommercialAgreement(input: $input) { ${agreementFields} } }`,
  withdrawCommercialAgreement: `mutation ($input: WithdrawCommercialAgreementInput!) { withdrawCommercialAgreement(input: $input) { ${agreementFields} } }`,
  createIntegration: `mutation ($input: CreateIntegrationInput!) { createIntegration(input: $input) { ${integrationFields} } }`,
  reviseProfile: `mutation ($input: ReviseProfileInput!) { reviseProfile(input: $input) { ${integrationFields} profileFields { name label consentRelevant minor revisable } } }`,
  profileVersions: `query ($slug: String!, $first: Int! = 10, $after: String) { profileVersions(slug: $slug, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor } edges { cursor node { profile { version publicName createdAt } changes { ${changeFields} } } } } }`,
  minorRevisions: `query ($search: String, $first: Int! = 20, $after: String) { minorRevisions(search: $search, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor } edges { cursor node { integrationId slug status profile { version } changes { ${changeFields} } } } } }`,
  profileDiff: `query ($slug: String!, $from: Int!, $to: Int!) { profileDiff(slug: $slug, from: $from, to: $to) { ${changeFields} } }`,
  retireIntegration: 'mutation ($input: RetireIntegrationInput!) { retireIntegration(input: $input) { id status } }',
  removeLogo: 'mutation ($input: RemoveLogoInput!) { removeLogo(input: $input) { id profile { version logo { id url256 url512 } } } }',
  requestCertificate: `mutation ($input: RequestCertificateInput!) { requestCertificate(input: $input) { ${certificateFields} } }`,
  requestP12: `mutation ($input: RequestP12Input!) { requestP12(input: $input) { certificate { ${certificateFields} } claimToken } }`,
  claimP12: 'mutation ($input: ClaimP12Input!) { claimP12(input: $input) { fileName package password } }',
  setRenewalByEst: `mutation ($input: SetRenewalByEstInput!) { setRenewalByEst(input: $input) { id renewalByEst } }`,
  revokeCertificate: `mutation ($input: RevokeCertificateInput!) { revokeCertificate(input: $input) { ${certificateFields} } }`,
  serviceTokens: `query ($environment: Environment, $search: String, $order: ServiceTokenOrder! = newest, $first: Int! = 20, $after: String) {
    serviceTokens(environment: $environment, search: $search, order: $order, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor } edges { cursor node { ${serviceTokenFields} } } } }`,
  createServiceToken: `mutation ($input: CreateServiceTokenInput!) { createServiceToken(input: $input) { token serviceToken { ${serviceTokenFields} } } }`,
  revokeServiceToken: `mutation ($input: RevokeServiceTokenInput!) { revokeServiceToken(input: $input) { ${serviceTokenFields} } }`,
  suspendIntegration: 'mutation ($input: AccessDecisionInput!) { suspendIntegration(input: $input) { id status } }',
  reactivateIntegration: 'mutation ($input: ReactivateIntegrationInput!) { reactivateIntegration(input: $input) { id status } }',
  activateForProduction:
    'mutation ($input: ActivateForProductionInput!) { activateForProduction(input: $input) { id status statusReason statusChangedAt } }',
  deletionsToRecord:
    'query ($slug: String!, $filter: DeletionFilterInput) { deletionsToRecord(slug: $slug, filter: $filter) { count overdueCount selectionDigest until } }',
  recordDeletions: 'mutation ($input: RecordDeletionsInput!) { recordDeletions(input: $input) { recorded late } }',
  recordDeletion:
    'mutation ($input: RecordDeletionInput!) { recordDeletion(input: $input) { id environment resourceCount acknowledgedAt acknowledgedLate recordedByHand overdue } }',
  serviceGate: '{ serviceGate { open reason changedAt } }',
  serviceGateHistory: `query ($first: Int! = 20, $after: String) { serviceGateHistory(first: $first, after: $after) {
    pageInfo { hasNextPage endCursor } edges { cursor node { id open reason changedAt changedBy changedByName } } } }`,
  productionIntegrations: `query ($status: GatedStatus, $open: Boolean, $search: String, $first: Int! = 20, $after: String) {
    productionIntegrations(status: $status, open: $open, search: $search, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor } edges { cursor node { id slug status availableActions productionGate { open reason changedAt } } } } }`,
  openProductionGate: 'mutation ($input: GateDecisionInput!) { openProductionGate(input: $input) { open reason changedAt } }',
  closeProductionGate: 'mutation ($input: GateDecisionInput!) { closeProductionGate(input: $input) { open reason changedAt } }',
  setQuotaOverride:
    'mutation ($input: SetQuotaOverrideInput!) { setQuotaOverride(input: $input) { quota value reason createdAt expiresAt } }',
  withdrawQuotaOverride:
    'mutation ($input: WithdrawQuotaOverrideInput!) { withdrawQuotaOverride(input: $input) { quota value expiresAt } }',
  reviewChecklist: '{ reviewChecklist { item title statement lookFor } }',
  reviewTimes: '{ reviewTimes { since decisions medianSeconds ninetiethPercentileSeconds } }',
  ownSubmissions: `query ($slug: String!, $first: Int! = 10, $after: String) { ownSubmissions(slug: $slug, first: $first, after: $after) {
    obstacles { kind words } pageInfo { hasNextPage endCursor } edges { cursor node { ${submissionFields} ${sittingFields} } } } }`,
  saveSubmissionDraft: `mutation ($input: SaveSubmissionDraftInput!) { saveSubmissionDraft(input: $input) { profileVersion reviewUrl confirmations { item confirmed word } version savedAt } }`,
  checkPages: `mutation ($input: CheckPagesInput!) { checkPages(input: $input) { ${draftFields} } }`,
  checkSubmittedPages: `mutation ($input: SubmissionInput!) { checkSubmittedPages(input: $input) { id checks { ${submissionCheckFields} } } }`,
  submitForReview: `mutation ($input: SubmitForReviewInput!) { submitForReview(input: $input) { ${submissionFields} } }`,
  withdrawSubmission: `mutation ($input: WithdrawSubmissionInput!) { withdrawSubmission(input: $input) { ${submissionFields} withdrawnByOwner } }`,
  answerQuestion: `mutation ($input: ReviewMessageInput!) { answerQuestion(input: $input) { ${submissionFields} } }`,
  submissions: `query ($tab: QueueTab, $ended: SubmissionStatus, $search: String, $first: Int! = 20, $after: String) {
    submissions(tab: $tab, ended: $ended, search: $search, first: $first, after: $after) {
      pageInfo { hasNextPage endCursor } edges { cursor node { ${submissionFields} } } } }`,
  reviewCounts: '{ reviewCounts { mine unassigned colleagues waitingForOwner decided reports revisions lastDecidedAt } }',
  nextSubmission: `query ($after: ID) { nextSubmission(after: $after) { ${submissionFields} } }`,
  submission: `query ($id: ID!) { submission(id: $id) { ${submissionFields} ${sittingFields} earlierSubmissions { ${submissionFields} } } }`,
  businessModelReports: `query ($search: String, $first: Int! = 20, $after: String) { businessModelReports(search: $search, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor } edges { cursor node { id description reportedAt slug status publicName commercialAgreements { reference state } } } } }`,
  takeSubmission: `mutation ($input: TakeSubmissionInput!) { takeSubmission(input: $input) { ${submissionFields} } }`,
  releaseSubmission: `mutation ($input: SubmissionInput!) { releaseSubmission(input: $input) { ${submissionFields} } }`,
  saveReviewDraft: 'mutation ($input: SaveReviewDraftInput!) { saveReviewDraft(input: $input) }',
  noteReviewVisit: 'mutation ($input: NoteReviewVisitInput!) { noteReviewVisit(input: $input) }',
  askQuestion: `mutation ($input: ReviewMessageInput!) { askQuestion(input: $input) { ${submissionFields} } }`,
  approveSubmission: `mutation ($input: ReviewDecisionInput!) { approveSubmission(input: $input) { ${submissionFields} } }`,
  rejectSubmission: `mutation ($input: ReviewDecisionInput!) { rejectSubmission(input: $input) { ${submissionFields} } }`,
  upsertTrackedResources:
    'mutation ($input: UpsertTrackedResourcesInput!) { upsertTrackedResources(input: $input) { created updated unchanged ignored } }',
  withdrawTrackedResources:
    'mutation ($input: WithdrawTrackedResourcesInput!) { withdrawTrackedResources(input: $input) { withdrawn unknown } }',
  createLinkCode: 'mutation ($input: CreateLinkCodeInput!) { createLinkCode(input: $input) { id code expiresAt } }',
  cancelLinkCode: 'mutation ($input: CancelLinkCodeInput!) { cancelLinkCode(input: $input) { id cancelledAt } }',
  extendShare: 'mutation ($input: ExtendShareInput!) { extendShare(input: $input) { connectionId scopes granted { id type } } }',
  narrowShare: `mutation ($input: NarrowShareInput!) { narrowShare(input: $input) { connectionId scopes
    revoked { revocationId deletionDeadlineAt resource { id type } } } }`,
  revokeShare: 'mutation ($input: RevokeShareInput!) { revokeShare(input: $input) { revocationId deletionDeadlineAt } }',
  eraseUser: 'mutation ($input: EraseUserInput!) { eraseUser(input: $input) { revokedConnections deletedOrders } }',
  setStatisticsParticipation: `mutation ($input: SetStatisticsParticipationInput!) {
    setStatisticsParticipation(input: $input) { connectionIds statisticsOptedIn } }`,
  auditTrail:
    'query ($own: Boolean, $filter: AuditFilterInput, $first: Int = 50, $after: String) { auditTrail(own: $own, filter: $filter, first: $first, after: $after) { edges { cursor node { id occurredAt actorType actorId actorName action subjectType subjectId subjectName operatorId operatorName integrationId integrationName requestId ip details } } pageInfo { hasNextPage endCursor } } }',
  operators:
    'query ($filter: OperatorFilterInput, $order: OperatorOrder! = newest, $first: Int = 50, $after: String) { operators(filter: $filter, order: $order, first: $first, after: $after) { edges { cursor node { id email roles createdAt deletedAt lockedAt lockReason integrationCount } } pageInfo { hasNextPage endCursor } } }',
  operator:
    'query ($id: ID!) { operator(id: $id) { id email roles createdAt deletedAt lockedAt lockReason integrationCount reset { id requestedBy requestedAt reason proof approvedBy dueAt } access { sessions passkeys lastUsedAt } } }',
  grantRole: 'mutation ($input: RoleInput!) { grantRole(input: $input) { id roles } }',
  lockAccount: 'mutation ($input: AccountLockInput!) { lockAccount(input: $input) { id lockedAt lockReason } }',
  requestAccountReset: 'mutation ($input: RequestAccountResetInput!) { requestAccountReset(input: $input) { id reset { id dueAt } } }',
  approveAccountReset: 'mutation ($input: AccountResetInput!) { approveAccountReset(input: $input) { id reset { id dueAt } } }',
  cancelAnyAccountReset: 'mutation ($input: AccountResetInput!) { cancelAnyAccountReset(input: $input) { id reset { id } } }',
  cancelAccountReset: 'mutation ($input: AccountResetInput!) { cancelAccountReset(input: $input) }',
  unlockAccount: 'mutation ($input: AccountLockInput!) { unlockAccount(input: $input) { id lockedAt lockReason } }',
  withdrawRole: 'mutation ($input: RoleInput!) { withdrawRole(input: $input) { id roles } }',
  allIntegrations:
    'query ($filter: IntegrationFilterInput, $order: IntegrationOrder, $first: Int = 50, $after: String) { allIntegrations(filter: $filter, order: $order, first: $first, after: $after) { edges { cursor node { health integration { id slug status createdAt profile { publicName } } owner { id email } } } pageInfo { hasNextPage endCursor } } }',
  healthTotals: '{ healthTotals { judgedAt counts { level count } } }',
  anyIntegration:
    'query ($slug: String!) { anyIntegration(slug: $slug) { own integration { id slug status profile { publicName } clients { id } } owner { id email } deletions { outstanding overdue } decisions { occurredAt action actorType actorId actorName } } }',
  auditExport: 'query ($filter: AuditFilterInput) { auditExport(filter: $filter) { entries identifiers } }',
  administratorsHome: `{ administratorsHome {
    attention { checkedAt items { id kind level title text since deadline act { label page objectId } integration { slug } } }
    traffic { hour total failed } refusals { problem requests more integrations } staffActs { action actorId actorName subjectId subjectName } } }`,
  failedJobs:
    'query ($filter: FailedJobFilterInput, $order: AgeOrder! = newest, $first: Int = 50, $after: String) { failedJobs(filter: $filter, order: $order, first: $first, after: $after) { edges { cursor node { id name payload attempts maxAttempts state lastError createdAt nextRunAt } } pageInfo { hasNextPage endCursor } } }',
  retryJob: 'mutation ($input: RetryJobInput!) { retryJob(input: $input) { id state attempts nextRunAt } }',
  publishStatisticsGeneration:
    'mutation ($input: PublishStatisticsGenerationInput!) { publishStatisticsGeneration(input: $input) { generationId } }',
  shares: `query ($user: String!, $first: Int! = 20, $after: String) { shares(user: $user, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { connectionId integrationId scopes profileVersion statisticsOptedIn createdAt
    revokedAt resources { id type } } } } }`,
  catalogue: `query ($first: Int! = 20, $after: String) { catalogue(first: $first, after: $after) {
    pageInfo { hasNextPage endCursor } edges { cursor node { id slug profileVersion ${catalogueFields.join(' ')} scopes logo { id url256 url512 } } } } }`,
  sandbox: `query ($clientId: ID!) { sandbox(clientId: $clientId) { corpus { generation state } orders vehicles connections outstandingRevocations
    statistics { generationId publishedAt groupCount } grantableScopes } }`,
  sandboxResources: `query ($clientId: ID!, $type: ResourceType, $status: String, $connectionId: ID, $id: String, $first: Int! = 20, $after: String) {
    sandboxResources(clientId: $clientId, type: $type, status: $status, connectionId: $connectionId, id: $id, first: $first, after: $after) {
    totalCount revokedCount pageInfo { hasNextPage endCursor } edges { cursor node { id type connectionId status model market revision updatedAt revoked onVoyage } } } }`,
  sandboxNextSync: `query ($clientId: ID!, $first: Int! = 20) { sandboxNextSync(clientId: $clientId, first: $first) { lastSyncAt fromBeginning total tombstones
    records { kind resourceId type connectionId revision status revocationId at } } }`,
  sandboxShares: `query ($clientId: ID!, $first: Int! = 20, $after: String) { sandboxShares(clientId: $clientId, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { id createdAt scopes statisticsOptedIn liveResources revoked } } } }`,
  sandboxLinkCodes: `query ($clientId: ID!, $first: Int! = 20, $after: String) { sandboxLinkCodes(clientId: $clientId, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor } edges { cursor node { id state createdAt expiresAt redeemedAt connectionId failedAttempts orders vehicles scopes
    statisticsOptedIn } } } }`,
  registerWebhookEndpoint: `mutation ($input: RegisterWebhookEndpointInput!) { registerWebhookEndpoint(input: $input) { ${endpointFields} } }`,
  reviseWebhookEndpoint: `mutation ($input: ReviseWebhookEndpointInput!) { reviseWebhookEndpoint(input: $input) { ${endpointFields} } }`,
  pauseWebhookEndpoint: `mutation ($input: PauseWebhookEndpointInput!) { pauseWebhookEndpoint(input: $input) { ${endpointFields} } }`,
  resumeWebhookEndpoint: `mutation ($input: ResumeWebhookEndpointInput!) { resumeWebhookEndpoint(input: $input) { ${endpointFields} } }`,
  removeWebhookEndpoint: `mutation ($input: RemoveWebhookEndpointInput!) { removeWebhookEndpoint(input: $input) { ${endpointFields} } }`,
  webhookEndpoint: `query ($id: ID!, $first: Int! = 20, $after: String, $states: [DeliveryState!], $types: [WebhookEventType!], $from: DateTimeISO, $to: DateTimeISO,
    $eventId: ID, $resourceId: ID, $undelivered: Boolean, $period: ChartPeriod! = day) { webhookEndpoint(id: $id) { id environment url payloadMode eventTypes description
    status createdAt provenAt statusChangedAt pausedBy pauseReason removedAt health { lastSuccessAt failingSince failuresInRow waiting held dead nextAttemptAt }
    challenge { ${challengeFields} } lastReplay { ${replayFields} } receiverCheck { ${checkFields} } attemptHistory(period: $period) { from delivered retried dead p50Ms p95Ms }
    deliveries(first: $first, after: $after, states: $states, types: $types, from: $from, to: $to, eventId: $eventId, resourceId: $resourceId, undelivered: $undelivered) {
      pageInfo { hasNextPage endCursor } edges { cursor node { ${deliveryFields} } } } } }`,
  webhookDelivery: `query ($id: ID!) { webhookDelivery(id: $id) { ${deliveryFields} endpoint { id } replays { id state }
    attempts { number startedAt dnsMs connectMs tlsMs firstByteMs totalMs address status error responseText keyId url payloadMode revision bodySha256 } bodies { notification { text sha256 } now { text sha256 revision } } } }`,
  sendTestEvent: `mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { ${deliveryFields} } }`,
  requestSignedSample: 'mutation ($input: RequestSignedSampleInput!) { requestSignedSample(input: $input) { id type url command } }',
  signedSample: 'query ($id: ID!) { signedSample(id: $id) { id type url command } }',
  checkReceiver: `mutation ($input: CheckReceiverInput!) { checkReceiver(input: $input) { ${checkFields} } }`,
  failingWebhookEndpoints: `query ($view: EndpointView! = failing, $first: Int! = 50, $after: String) { failingWebhookEndpoints(view: $view, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor } edges { cursor node { ${administeredEndpointFields} } } } }`,
  pauseAnyWebhookEndpoint: `mutation ($input: EndpointDecisionInput!) { pauseAnyWebhookEndpoint(input: $input) { ${administeredEndpointFields} } }`,
  resumeAnyWebhookEndpoint: `mutation ($input: EndpointDecisionInput!) { resumeAnyWebhookEndpoint(input: $input) { ${administeredEndpointFields} } }`,
  replayCount: `query ($endpointId: ID!, $filter: ReplayFilterInput) { replayCount(endpointId: $endpointId, filter: $filter) {
    count tooMany selectionDigest until } }`,
  waitingCount: `query ($endpointId: ID!, $filter: WaitingFilterInput) { waitingCount(endpointId: $endpointId, filter: $filter) { count tooMany until } }`,
  attemptDelivery: `mutation ($input: AttemptDeliveryInput!) { attemptDelivery(input: $input) { ${deliveryFields} } }`,
  attemptDeliveries: 'mutation ($input: AttemptDeliveriesInput!) { attemptDeliveries(input: $input) }',
  verifyWebhookEndpoint: `mutation ($input: VerifyWebhookEndpointInput!) { verifyWebhookEndpoint(input: $input) { id status challenge { ${challengeFields} } } }`,
  replayDelivery: `mutation ($input: ReplayDeliveryInput!) { replayDelivery(input: $input) { ${deliveryFields} } }`,
  replayDeliveries: `mutation ($input: ReplayDeliveriesInput!) { replayDeliveries(input: $input) { ${replayFields} } }`,
  regenerateSandboxCorpus: 'mutation ($input: SandboxClientInput!) { regenerateSandboxCorpus(input: $input) { generation state } }',
  generateSandboxLinkCode:
    'mutation ($input: GenerateSandboxLinkCodeInput!) { generateSandboxLinkCode(input: $input) { id code expiresAt } }',
  advanceSandboxResource: `mutation ($input: AdvanceSandboxResourceInput!) {
    advanceSandboxResource(input: $input) { resourceId type connectionId from to revision shown } }`,
  addSandboxShippingEvent: `mutation ($input: AddSandboxShippingEventInput!) {
    addSandboxShippingEvent(input: $input) { resourceId type connectionId from to revision shown } }`,
  revokeSandboxShare:
    'mutation ($input: RevokeSandboxShareInput!) { revokeSandboxShare(input: $input) { revocationId deletionDeadlineAt } }',
  publishSandboxStatistics:
    'mutation ($input: SandboxClientInput!) { publishSandboxStatistics(input: $input) { generationId groupCount alteredCount } }',
} as const;
