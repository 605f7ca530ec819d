import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isInputObjectType, type GraphQLArgument, type GraphQLInputField } from 'graphql';
import { permissions, type Operation } from '../../server/domain/access/permissions.ts';
import { newId } from '../../server/domain/shared/ids.ts';
import { portalSchema } from '../../server/portal-api/portalSchema.ts';
import { picture } from '../support/logo-files/pictures.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { accountOf, sessionsOf } from '../support/clients/accountClient.ts';
import { codesOf, profileRevision, requestFor, type PortalClient } from '../support/clients/portalClient.ts';
import { goodSubmission, reviewer } from '../support/world/reviewPath.ts';
import { numberOfClient, revokedOrder } from '../support/world/revocationFixtures.ts';
import { SandboxClient } from '../support/clients/sandboxClient.ts';
import { administrator, toolingClient } from '../support/clients/toolingClient.ts';
import { storedDelivery } from '../support/webhooks/deliveryRows.ts';
import { webhookEndpoint } from '../support/webhooks/endpointRows.ts';

/** The names of an operator's objects. */
type Names = {
  readonly integrationId: string;
  readonly slug: string;
  readonly clientId: string;
  readonly certificateId: string;
  readonly submissionId: string;
  readonly revocationId: string;
  readonly agreementId: string;
  readonly passkeyId: string;
  readonly sessionId: string;
  readonly operatorId: string;
  readonly connectionId: string;
  readonly resourceId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly sampleId: string;
  readonly newsId: string;
  readonly resetId: string;
};
type Named = (names: Names) => Record<string, unknown>;

const nobody = '0'.repeat(26);
/** Names of the same form that belong to nothing. */
const random: Names = {
  integrationId: `int_${nobody}`,
  slug: 'never-existed',
  clientId: `cli_${nobody}`,
  certificateId: `crt_${nobody}`,
  submissionId: `sub_${nobody}`,
  revocationId: `rev_${nobody}`,
  agreementId: `agr_${nobody}`,
  passkeyId: 'AAAAAAAAAAAAAAAAAAAAAA',
  sessionId: `ses_${nobody}`,
  operatorId: `opr_${nobody}`,
  connectionId: `con_${nobody}`,
  resourceId: `ord_${nobody}`,
  endpointId: `whk_${nobody}`,
  deliveryId: `dlv_${nobody}`,
  sampleId: `wsm_${nobody}`,
  newsId: `mail_${nobody}`,
  resetId: `rst_${nobody}`,
};

const bySlug: Named = ({ slug }) => ({ slug });
const byClient: Named = ({ clientId }) => ({ clientId });
const input =
  (named: Named): Named =>
  (names) => ({ input: named(names) });
const reasoned = input(({ integrationId }) => ({ integrationId, reason: 'A reason.' }));
const quota = ({ clientId }: Names) => ({ clientId, quota: 'requests_per_hour', reason: 'A reason.' });
const lock = input(({ operatorId }) => ({ operatorId, reason: 'A reason.' }));
const reset = input(({ resetId }) => ({ resetId }));
const role = input(({ operatorId }) => ({ operatorId, role: 'reviewer' }));
const ofSubmission = (more: object = {}) => input(({ submissionId }) => ({ submissionId, ...more }));
const csr = requestFor('svc:sandbox:cli_x');

/** Every operation that names somebody's object, with the object that it names. tooling.test.ts has those of the tooling. */
const naming: Partial<Record<Operation, Named>> = {
  integration: bySlug,
  revocations: bySlug,
  profileVersions: bySlug,
  profileDiff: ({ slug }) => ({ slug, from: 1, to: 1 }),
  ownSubmissions: bySlug,
  certificates: byClient,
  usage: byClient,
  requests: byClient,
  sandbox: byClient,
  sandboxResources: byClient,
  sandboxNextSync: byClient,
  sandboxShares: byClient,
  sandboxLinkCodes: byClient,
  auditTrail: ({ integrationId }) => ({ own: true, filter: { integrationId } }),
  markNewsRead: input(({ newsId }) => ({ id: newsId })),
  renamePasskey: input(({ passkeyId }) => ({ passkeyId, name: 'Mine' })),
  removePasskey: input(({ passkeyId }) => ({ passkeyId })),
  endSession: input(({ sessionId }) => ({ sessionId })),
  reviseProfile: input(({ integrationId }) => profileRevision(integrationId, 1)),
  removeLogo: input(({ integrationId }) => ({ integrationId })),
  retireIntegration: input(({ integrationId }) => ({ integrationId })),
  reportBusinessModelChange: input(({ integrationId }) => ({ integrationId, description: 'More.' })),
  saveSubmissionDraft: input(({ integrationId }) => ({ integrationId, reviewUrl: '', confirmations: [] })),
  checkPages: input(({ integrationId }) => ({ integrationId })),
  checkSubmittedPages: ofSubmission(),
  submitForReview: input(({ integrationId }) => goodSubmission(integrationId)),
  activateForProduction: input(({ integrationId }) => ({ integrationId, profileVersion: 1 })),
  withdrawSubmission: ofSubmission(),
  answerQuestion: ofSubmission({ body: 'Here.' }),
  deletionsToRecord: bySlug,
  recordDeletions: input(({ slug }) => ({
    slug,
    filter: {},
    until: '2026-01-01T00:00:00.000Z',
    expectedCount: 1,
    selectionDigest: '0'.repeat(64),
  })),
  recordDeletion: input(({ revocationId }) => ({ revocationId })),
  requestCertificate: input(({ clientId }) => ({ clientId, csr })),
  requestP12: input(byClient),
  claimP12: input(({ certificateId }) => ({ certificateId, token: 'A'.repeat(43) })),
  revokeCertificate: input(({ certificateId }) => ({ certificateId, reason: 'superseded' })),
  setRenewalByEst: input(({ clientId }) => ({ clientId, enabled: true })),
  regenerateSandboxCorpus: input(byClient),
  generateSandboxLinkCode: input(byClient),
  advanceSandboxResource: input(({ clientId, resourceId }) => ({ clientId, resourceId })),
  addSandboxShippingEvent: input(({ clientId, resourceId }) => ({ clientId, resourceId, kind: 'arrived', port: 'DEBRV' })),
  revokeSandboxShare: input(({ clientId, resourceId }) => ({ clientId, resourceId })),
  publishSandboxStatistics: input(byClient),
  registerWebhookEndpoint: input(({ integrationId }) => ({
    integrationId,
    environment: 'sandbox',
    url: 'https://hooks.example.com',
    payloadMode: 'notification',
    eventTypes: ['resource_updated'],
    description: '',
  })),
  reviseWebhookEndpoint: input(({ endpointId }) => ({ endpointId, description: 'Mine' })),
  pauseWebhookEndpoint: input(({ endpointId }) => ({ endpointId })),
  resumeWebhookEndpoint: input(({ endpointId }) => ({ endpointId })),
  removeWebhookEndpoint: input(({ endpointId }) => ({ endpointId })),
  webhookEndpoint: ({ endpointId }) => ({ id: endpointId }),
  webhookDelivery: ({ deliveryId }) => ({ id: deliveryId }),
  signedSample: ({ sampleId }) => ({ id: sampleId }),
  sendTestEvent: input(({ endpointId }) => ({ endpointId, type: 'connection_created' })),
  requestSignedSample: input(({ endpointId }) => ({ endpointId, type: 'connection_created', url: 'http://localhost:9000/' })),
  checkReceiver: input(({ endpointId }) => ({ endpointId })),
  pauseAnyWebhookEndpoint: input(({ endpointId }) => ({ endpointId, reason: 'A reason.' })),
  resumeAnyWebhookEndpoint: input(({ endpointId }) => ({ endpointId, reason: 'A reason.' })),
  replayCount: ({ endpointId }) => ({ endpointId }),
  waitingCount: ({ endpointId }) => ({ endpointId }),
  attemptDelivery: input(({ deliveryId }) => ({ deliveryId })),
  attemptDeliveries: input(({ endpointId }) => ({ endpointId, filter: {}, until: '2026-01-01T00:00:00.000Z', expectedCount: 1 })),
  verifyWebhookEndpoint: input(({ endpointId }) => ({ endpointId })),
  replayDelivery: input(({ deliveryId }) => ({ deliveryId })),
  replayDeliveries: input(({ endpointId }) => ({
    endpointId,
    filter: {},
    until: '2026-01-01T00:00:00.000Z',
    expectedCount: 1,
    selectionDigest: '0'.repeat(64),
  })),
  submission: ({ submissionId }) => ({ id: submissionId }),
  takeSubmission: ofSubmission(),
  releaseSubmission: ofSubmission(),
  saveReviewDraft: ofSubmission({ part: 'privacy', met: true }),
  noteReviewVisit: ofSubmission(),
  askQuestion: ofSubmission({ body: 'Where?' }),
  approveSubmission: ofSubmission(),
  rejectSubmission: ofSubmission({ notes: 'No.' }),
  suspendIntegration: reasoned,
  reactivateIntegration: reasoned,
  openProductionGate: reasoned,
  closeProductionGate: reasoned,
  setQuotaOverride: input((names) => ({ ...quota(names), value: 700 })),
  withdrawQuotaOverride: input(quota),
  recordCommercialAgreement: input(({ integrationId }) => ({ integrationId, reference: 'A', summary: 'B', validFrom: '2026-12-01' })),
  withdrawCommercialAgreement: input(({ agreementId }) => ({ agreementId, reason: 'A reason.' })),
  auditExport: ({ integrationId }) => ({ filter: { integrationId } }),
  allCertificates: ({ certificateId }) => ({ filter: { search: certificateId } }),
  revokeAnyCertificate: input(({ certificateId }) => ({ certificateId, revocationReason: 'superseded', reason: 'A reason.' })),
  revokeClientCertificates: input(({ clientId }) => ({ clientId, revocationReason: 'superseded', reason: 'A reason.' })),
  allIntegrations: ({ operatorId }) => ({ filter: { operatorId } }),
  anyIntegration: bySlug,
  operator: ({ operatorId }) => ({ id: operatorId }),
  grantRole: role,
  withdrawRole: role,
  requestAccountReset: input(({ operatorId }) => ({ operatorId, reason: 'A reason.', proof: 'A proof.' })),
  approveAccountReset: reset,
  cancelAnyAccountReset: reset,
  cancelAccountReset: reset,
  lockAccount: lock,
  unlockAccount: lock,
};
/** These name nothing that belongs to an operator. `createIntegration` and `slugAvailable` have to reveal that a slug is taken. */
const namingNothing: readonly Operation[] = [
  'createIntegration',
  'slugAvailable',
  'integrations',
  'retryJob',
  'serviceTokens',
  'revokeServiceToken',
  'operators',
  'productionIntegrations',
  'submissions',
  'nextSubmission',
  'businessModelReports',
  'failedJobs',
  'minorRevisions',
];

/**
 * What people with a role may reach of other operators. To everybody else, and for everything else, another operator's name is like a
 * random one.
 */
const staffMayReach: Readonly<Record<string, (operation: Operation) => boolean>> = {
  reviewer: (operation) => permissions[operation].by === 'reviewer',
  administrator: (operation) =>
    permissions[operation].by === 'administrator' || ['retireIntegration', 'certificates', 'requests'].includes(operation),
};

const callers = ['anonymous', 'recovery', 'stranger', 'reviewer', 'administrator', 'tooling'] as const;
type Caller = (typeof callers)[number];

let application: PortalWorld;
let owner: PortalClient;
let names: Names;
const browsers = {} as Record<Caller, PortalClient>;
let neighbour: SandboxClient;

beforeAll(async () => {
  application = await openWorld({ portal: true });
  const sandbox = await SandboxClient.open(application, ['orders.read', 'shipping.read', 'vehicles.read']);
  owner = sandbox.operator;
  names = await everythingOf(sandbox);
  neighbour = await SandboxClient.open(application, ['orders.read', 'shipping.read', 'vehicles.read']);
  browsers.anonymous = application.browser();
  browsers.recovery = await application.operator();
  await browsers.recovery.must('redeemRecoveryCode', { input: { code: browsers.recovery.recoveryCodes[0] } });
  browsers.stranger = neighbour.operator;
  browsers.reviewer = await reviewer(application);
  browsers.administrator = await administrator(application);
  for (const caller of ['stranger', 'reviewer', 'administrator'] as const) await browsers[caller].confirmFreshly();
  browsers.tooling = await toolingClient(application);
}, 120_000);
afterAll(() => application?.close());

/** Makes an integration with one of everything, and finally submits it. */
async function everythingOf({ operator, clientId, slug }: SandboxClient): Promise<Names> {
  const { id: integrationId, clients } = await operator.must<{ id: string; clients: { commonName: string }[] }>('integration', { slug });
  const certificate = await operator.issuedCertificate({ slug, clientId, commonName: clients[0]?.commonName ?? '' });
  const bytes = new Uint8Array(await picture(300).png().toBuffer());
  await operator.fetch(`/integrations/${slug}/logo`, { method: 'POST', body: bytes });
  const submission = await operator.must<{ id: string }>('submitForReview', {
    input: goodSubmission(integrationId, { profileVersion: 2 }),
  });
  const clientNumber = await numberOfClient(application, slug);
  const { revocationId } = await revokedOrder(application, { clientNumber, revokedAt: new Date() });
  const endpoint = await webhookEndpoint(application, clientNumber);
  const sample = await operator.must<{ id: string }>('requestSignedSample', {
    input: { endpointId: endpoint.id, type: 'connection_created', url: 'http://localhost:9000/' },
  });
  const delivery = await storedDelivery(application, { endpoint, clientNumber, state: 'dead' });
  // Nobody else learns that its owner may not do any of this again for a while.
  await application.rows(
    `insert into attempt_window (kind, source, window_start, count)
     select kind, $1, $2, 1000 from unnest($3::text[]) kind on conflict (kind, source) do update set count = 1000`,
    [
      endpoint.id,
      application.clock.now(),
      ['challenge_endpoint', 'receiver_check_endpoint', 'test_event_endpoint', 'signed_sample_endpoint'],
    ],
  );
  const [order] = await application.rows<{ id: string; connection_id: string }>(
    `select s.id, s.connection_id from shared_resource s join client c on c.number = s.client_number
      where c.id = $1 and s.type = 'order' and s.revocation_id is null order by s.id limit 1`,
    [clientId],
  );
  const admin = await administrator(application);
  await admin.confirmFreshly();
  const agreement = await admin.must<{ id: string }>('recordCommercialAgreement', {
    input: { integrationId, reference: 'A-1', summary: 'Everything.', validFrom: '2026-12-01' },
  });
  const { operatorId, passkeys } = await accountOf(operator);
  const newsId = newId('mail');
  await application.rows(
    `insert into mail (id, kind, subject_id, operator_id, integration_id, created_at) values ($1, 'review_question', 'x', $2, $3, $4)`,
    [newsId, operatorId, integrationId, application.clock.now()],
  );
  const resetId = newId('rst');
  await application.rows(
    `insert into account_reset (id, operator_id, requested_by, requested_at, reason, proof) values ($1, $2, $3, $4, 'Lost', 'Seen')`,
    [resetId, operatorId, (await accountOf(admin)).operatorId, application.clock.now()],
  );
  return {
    integrationId,
    slug,
    clientId,
    certificateId: certificate.id,
    submissionId: submission.id,
    revocationId,
    agreementId: agreement.id,
    passkeyId: passkeys[0]?.id ?? '',
    sessionId: (await sessionsOf(operator))[0]?.id ?? '',
    operatorId,
    connectionId: order?.connection_id ?? '',
    resourceId: order?.id ?? '',
    endpointId: endpoint.id,
    deliveryId: delivery.id,
    sampleId: sample.id,
    newsId,
    resetId,
  };
}

test('every operation whose arguments name an object is walked', async () => {
  const schema = await portalSchema();
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) => Object.values(type?.getFields() ?? {}));
  const namesSomething = (argument: GraphQLArgument | GraphQLInputField): boolean => {
    const type = getNamedType(argument.type);
    if (isInputObjectType(type)) return Object.values(type.getFields()).some(namesSomething);
    return type.name === 'ID' || argument.name === 'slug' || argument.name === 'search';
  };
  const expected = fields
    .filter(({ args }) => args.some(namesSomething))
    .map(({ name }) => name as Operation)
    .filter((name) => permissions[name].by !== 'serviceToken');
  expect(expected.length).toBeGreaterThan(40);
  expect([...Object.keys(naming), ...namingNothing].sort()).toEqual(expected.sort());
});

describe.each(callers)('to a caller that is: %s', (caller) => {
  test.each(Object.entries(naming) as [Operation, Named][])(
    '%s answers a foreign name byte for byte like a random one',
    async (operation, named) => {
      if (staffMayReach[caller]?.(operation)) return;
      const browser = browsers[caller];
      const answers = [await browser.call(operation, named(names)), await browser.call(operation, named(random))] as const;
      expect(answers[0].data).toBeNull();
      expect(answers[0].text).toBe(answers[1].text);
      expect(answers[0].status).toBe(answers[1].status);
      const ofOperators = permissions[operation].by === 'operator';
      if (ofOperators && ['stranger', 'reviewer', 'administrator'].includes(caller)) expect(codesOf(answers[0])).toEqual(['NOT_FOUND']);
      else expect(codesOf(answers[0])).toEqual([caller === 'anonymous' ? 'UNAUTHENTICATED' : 'FORBIDDEN']);
    },
  );
});

test('the owner finds all of it, so the names are good', async () => {
  const { slug, clientId, submissionId, certificateId } = names;
  for (const operation of ['integration', 'revocations', 'profileVersions', 'ownSubmissions'] as const)
    await owner.must(operation, { slug });
  for (const operation of ['usage', 'requests', 'sandbox', 'sandboxResources'] as const) await owner.must(operation, { clientId });
  const { edges } = await owner.must<{ edges: { node: { id: string } }[] }>('ownSubmissions', { slug });
  expect(edges.map(({ node }) => node.id)).toEqual([submissionId]);
  expect((await owner.certificates(slug)).map(({ id, status }) => [id, status])).toEqual([[certificateId, 'issued']]);
  expect((await owner.must<{ status: string }>('integration', { slug })).status).toBe('submitted');
  expect(await browsers.administrator.must('operator', { id: names.operatorId })).toMatchObject({ email: owner.email });
  expect(await browsers.reviewer.must('submission', { id: submissionId })).toMatchObject({ slug });
});

describe('by a text in the one search', () => {
  type Hit = {
    kind: string;
    id: string;
    view: string;
    state: string | null;
    environment: string | null;
    integration: { slug: string } | null;
  };
  type FindData = { found: Hit[]; unfound: { title: string; text: string } | null };
  const find = async (browser: PortalClient, text: string) => browser.must<FindData>('find', { text });
  const shown = ({ found }: FindData) => found.map(({ kind, id, view, state }) => [kind, id, view, state]);

  /** Everything of the owner’s that has an identifier, with its kind, its state, and who else may find it. */
  const everything = (): [string, string, string | null, Caller[]][] => [
    ['integration', names.integrationId, 'submitted', ['reviewer', 'administrator']],
    ['client', names.clientId, null, ['administrator']],
    ['certificate', names.certificateId, 'issued', ['administrator']],
    ['connection', names.connectionId, 'shared', ['administrator']],
    ['order', names.resourceId, 'shared', ['administrator']],
    ['revocation', names.revocationId, 'outstanding', ['administrator']],
    ['endpoint', names.endpointId, 'active', ['administrator']],
    ['delivery', names.deliveryId, 'dead', ['administrator']],
    ['submission', names.submissionId, 'submitted', ['reviewer', 'administrator']],
    ['agreement', names.agreementId, null, ['administrator']],
    ['operator', names.operatorId, null, ['administrator']],
  ];

  test('the owner finds each of their things by its whole ID, by its first eight characters, and inside other text', async () => {
    for (const [kind, id, state] of everything()) {
      for (const text of [id, id.slice(0, 12), ` "X-Id: ${id.toUpperCase()}" `]) {
        expect([text, shown(await find(owner, text))]).toEqual([text, [[kind, id, 'owner', state]]]);
      }
    }
  });

  test('staff find what their role lets them see, as staff; to everybody else it is like an ID that nobody has', async () => {
    for (const caller of ['stranger', 'reviewer', 'administrator'] as const) {
      for (const [kind, id, state, finders] of everything()) {
        const answer = await find(browsers[caller], id);
        if (finders.includes(caller)) expect([caller, shown(answer)]).toEqual([caller, [[kind, id, caller, state]]]);
        else expect([caller, answer]).toEqual([caller, await find(browsers[caller], `${id.slice(0, 4)}${nobody}`)]);
      }
    }
    const said = await find(browsers.stranger, names.certificateId);
    expect(said).toEqual({
      found: [],
      unfound: { title: 'Nothing of yours has this ID', text: expect.stringContaining('crt_ belongs to a certificate.') },
    });
  });

  test('a certificate is found by serial and fingerprint, with colons or without, and a client by its common name', async () => {
    const [certificate] = await owner.certificates(names.slug);
    const digits = [certificate?.serial ?? '', certificate?.fingerprintSha256 ?? ''];
    const withColons = digits.map((each) => each.toUpperCase().match(/../g)?.join(':') ?? '');
    for (const text of [...digits, ...withColons, `serial=${digits[0]}`]) {
      expect([text, shown(await find(owner, text))]).toEqual([text, [['certificate', names.certificateId, 'owner', 'issued']]]);
      expect((await find(browsers.stranger, text)).found).toEqual([]);
    }
    expect(shown(await find(owner, `svc:sandbox:${names.clientId}`))).toEqual([['client', names.clientId, 'owner', null]]);
    expect((await find(browsers.stranger, `svc:sandbox:${names.clientId}`)).found).toEqual([]);
  });

  test('an integration is found by slug or name: by its owner, by reviewers once it was submitted, by administrators always', async () => {
    const { slug } = await owner.createIntegration({ slug: 'never-sent', publicName: 'Nowhere Board' });
    const seen = async (browser: PortalClient, text: string) => (await find(browser, text)).found.map((each) => each.integration?.slug);
    for (const text of ['never-s', 'NOWHERE b']) {
      expect(await seen(owner, text)).toEqual([slug]);
      expect(await seen(browsers.administrator, text)).toEqual([slug]);
      for (const caller of ['stranger', 'reviewer'] as const) expect(await seen(browsers[caller], text)).toEqual([]);
    }
    expect(await seen(browsers.reviewer, names.slug)).toEqual([names.slug]);
    expect(await seen(browsers.stranger, names.slug)).toEqual([]);
  });

  test('only administrators find accounts by their address, and everybody is told the same where none is found', async () => {
    expect(shown(await find(browsers.administrator, owner.email))).toEqual([['operator', names.operatorId, 'administrator', null]]);
    for (const caller of ['stranger', 'reviewer'] as const)
      expect(await find(browsers[caller], owner.email)).toEqual(await find(browsers[caller], 'nobody@nowhere.example'));
  });

  test('a request is found with the status of its response for seven days', async () => {
    const [requestId, clientNumber] = [`req_${'7'.repeat(26)}`, await numberOfClient(application, names.slug)];
    await application.rows(
      `insert into request_log (client_number, occurred_at, request_id, method, route, status, duration_ms) values ($1, $2, $3, 'GET', 'getSync', 403, 1)`,
      [clientNumber, application.clock.now(), requestId],
    );
    expect(shown(await find(owner, requestId.slice(0, 14)))).toEqual([['request', requestId, 'owner', '403']]);
    expect((await find(browsers.stranger, requestId)).unfound?.text).toContain('kept for 7 days');
  });

  test('nobody searches more often than anybody types, and nothing longer than a search is', async () => {
    const eager = await application.operator();
    const { operatorId } = await eager.must<{ operatorId: string }>('account');
    await application.rows(`insert into attempt_window (kind, source, window_start, count) values ('find_operator', $1, $2, 600)`, [
      operatorId,
      application.clock.now(),
    ]);
    expect(codesOf(await eager.call('find', { text: 'anything' }))).toEqual(['RATE_LIMITED']);
    expect(codesOf(await owner.call('find', { text: 'x'.repeat(255) }))).toEqual(['BAD_USER_INPUT']);
  });
});

describe('through a client of their own', () => {
  const own = (more: Record<string, unknown>) => ({ clientId: neighbour.clientId, ...more });
  const same = async (operation: Operation, named: Named) => {
    const answers = [
      await neighbour.operator.call(operation, named(names)),
      await neighbour.operator.call(operation, named(random)),
    ] as const;
    expect(answers[0].text).toBe(answers[1].text);
    return answers[0];
  };

  test.each<[Operation, Named]>([
    ['advanceSandboxResource', input(({ resourceId }) => own({ resourceId }))],
    ['addSandboxShippingEvent', input(({ resourceId }) => own({ resourceId, kind: 'arrived', port: 'DEBRV' }))],
    ['revokeSandboxShare', input(({ resourceId }) => own({ resourceId }))],
    ['revokeSandboxShare', input(({ connectionId }) => own({ connectionId }))],
  ])('%s reaches nothing of another’s sandbox', async (operation, named) => {
    const { errors, data } = await same(operation, named);
    expect(data).toBeNull();
    expect(errors).toHaveLength(1);
  });

  test('no list shows what is another’s, whatever it is asked for', async () => {
    expect(await same('sandboxResources', ({ connectionId }) => own({ connectionId }))).toMatchObject({
      data: { totalCount: 0, edges: [] },
    });
    expect(await same('sandboxResources', ({ resourceId }) => own({ id: resourceId }))).toMatchObject({
      data: { totalCount: 0, edges: [] },
    });
    expect((await same('sandboxShares', ({ connectionId }) => own({ after: connectionId }))).text).not.toContain(names.connectionId);
    await same('sandboxLinkCodes', ({ connectionId }) => own({ after: connectionId }));
  });

  test('a cursor of another’s list leads nowhere', async () => {
    const cursorOf = async (operation: Operation, variables: Record<string, unknown>) =>
      (await owner.must<{ edges: { cursor: string }[] }>(operation, variables)).edges[0]?.cursor;
    const { slug } = await neighbour.operator.must<{ slug: string }>('integration', { slug: neighbour.slug });
    for (const [operation, theirs, mine] of [
      ['integrations', {}, {}],
      ['sessions', {}, {}],
      ['revocations', { slug: names.slug }, { slug }],
    ] as const) {
      const after = await cursorOf(operation, theirs);
      expect(after).toBeDefined();
      const answer = await neighbour.operator.call(operation, { ...mine, after });
      expect([operation, codesOf(answer)]).toEqual([operation, ['BAD_USER_INPUT']]);
      expect(answer.text).toBe((await neighbour.operator.call(operation, { ...mine, after: 'AAAA' })).text);
    }
  });
});

describe('over HTTP', () => {
  /** What the answer says, without what identifies the request. */
  const answered = async (browser: PortalClient, path: string, init: Parameters<PortalClient['fetch']>[1] = {}) => {
    const response = await browser.fetch(path, init);
    const text = await response.text();
    const { request_id: _, instance: __, ...said } = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text };
    return { status: response.status, type: response.headers.get('content-type'), said };
  };
  const logoOf = async () =>
    (await application.rows<{ id: string }>('select id from logo where integration_id = $1', [names.integrationId]))[0]?.id ?? '';

  test.each(callers)('to a caller that is %s no download and no upload tells what exists', async (caller) => {
    const browser = browsers[caller];
    const paths = async (named: Names, logo: string) => [
      await answered(browser, `/certificates/${named.certificateId}/bundle.pem`),
      await answered(browser, `/integrations/${named.slug}/logo`, { method: 'POST', body: 'x' }),
      await answered(browser, `/integrations/${named.integrationId}/logo`, { method: 'POST', body: 'x' }),
      // Reviewers and administrators see logos before everybody else does.
      ...(caller === 'reviewer' || caller === 'administrator' ? [] : [await answered(browser, `/logos/${logo}/256`)]),
    ];
    const [theirs, nothing] = [await paths(names, await logoOf()), await paths(random, `lgo_${nobody}`)];
    expect(theirs).toEqual(nothing);
    const signedIn = ['stranger', 'reviewer', 'administrator'].includes(caller);
    for (const { status } of theirs) expect(signedIn ? [404] : [401, 403, 404]).toContain(status);
  });

  test.each(['anonymous', 'recovery', 'stranger', 'reviewer', 'tooling'] as const)(
    '%s gets no export of the audit trail',
    async (caller) => {
      for (const query of ['', `?integrationId=${names.integrationId}`, `?operatorId=${names.operatorId}`]) {
        const { status, said } = await answered(browsers[caller], `/exports/audit-trail.csv${query}`);
        expect([401, 403, 404]).toContain(status);
        expect(JSON.stringify(said)).not.toContain(names.integrationId);
      }
    },
  );
});
