import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isLeafType, isObjectType, type GraphQLOutputType, type GraphQLSchema } from 'graphql';
import { permissions, type Operation } from '../../server/domain/access/permissions.ts';
import { portalSchema } from '../../server/portal-api/portalSchema.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import type { IntegrationData, PortalClient } from '../support/clients/portalClient.ts';
import { listenToStatements, statementsOf } from '../support/database/queryPlans.ts';
import { addLogo, goodSubmission, reviewer } from '../support/world/reviewPath.ts';
import { reviewItems } from '../../server/domain/review/reviewChecklist.ts';
import { administrator, toolingClient, type ToolingClient } from '../support/clients/toolingClient.ts';
import { numberOfClient } from '../support/world/revocationFixtures.ts';
import { sampleOrder } from '../support/world/samples.ts';
import { storedDelivery } from '../support/webhooks/deliveryRows.ts';
import { webhookEndpoint } from '../support/webhooks/endpointRows.ts';

type Readers = 'operators' | 'reviewers' | 'administrators' | 'tooling';

/**
 * Written by hand: the types that not every operator can reach, and who can. If a new field leads operators from a type of theirs to one of
 * these, this test fails before anybody has to notice the field.
 */
const confined = {
  administrators: words(
    'AccountReset AdministeredCertificate AdministeredCertificateConnection AdministeredCertificateEdge CertificateAuthority RevocationList RevokeClientCertificatesPayload',
    'AdministeredWebhookEndpoint AdministeredWebhookEndpointConnection AdministeredWebhookEndpointEdge',
    'AdministratorsHome RefusalsOfService ServiceAttention',
    'AdministeredIntegration AdministeredIntegrationConnection AdministeredIntegrationEdge AuditExport CreateServiceTokenPayload',
    'FailedJob FailedJobConnection FailedJobEdge GateChange GateChangeConnection GateChangeEdge HealthTotals Operator OperatorAccess OperatorConnection OperatorEdge',
    'ProductionIntegrationConnection ProductionIntegrationEdge PublishedTerms ServiceToken ServiceTokenConnection ServiceTokenEdge',
    'TermsConnection TermsEdge',
  ),
  reviewers: words(
    'BusinessModelReportConnection BusinessModelReportEdge ListedBusinessModelReport MinorRevision MinorRevisionConnection MinorRevisionEdge',
    'ReviewCounts SubmissionQueue',
  ),
  tooling: words(
    'CancelLinkCodePayload CatalogueConnection CatalogueEdge CatalogueEntry EraseUserPayload ExtendSharePayload LinkCode NarrowSharePayload',
    'PublishStatisticsGenerationPayload RevokedResource SetStatisticsParticipationPayload Share ShareConnection ShareEdge ShareRevocation',
    'SharedResource UpsertTrackedResourcesPayload WithdrawTrackedResourcesPayload',
  ),
};

/**
 * Everything that reviewers reach besides the types of their own: profiles, reviews, evidence and agreements, but no account, client or
 * certificate.
 */
const reachedByReviewers = words(
  'BusinessModelReport CommercialAgreement Evidence EvidenceCompanion Logo PageInfo ProfileChange ProfileVersion ReviewMessage',
  'EndpointHealth ProbeResult ReceiverCheck ReviewedWebhookEndpoint WebhookFailureCause',
  'FormerNotes JudgedPoints ReviewDraft ReviewPresence ReviewVerdict Sighting Submission SubmissionCheck SubmissionEdge SubmittedItem',
);

function words(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}

function readersOf(operation: Operation): Readers {
  const { by } = permissions[operation];
  if (by === 'administrator') return 'administrators';
  if (by === 'reviewer') return 'reviewers';
  return by === 'serviceToken' ? 'tooling' : 'operators';
}

/** Each object type, with everybody who can reach it from one of their operations. */
function reach(schema: GraphQLSchema): Map<string, Set<Readers>> {
  const reached = new Map<string, Set<Readers>>();
  const walk = (type: GraphQLOutputType, readers: Readers) => {
    const named = getNamedType(type);
    if (!isObjectType(named)) return;
    const known = reached.get(named.name) ?? new Set();
    if (known.has(readers)) return;
    reached.set(named.name, known.add(readers));
    for (const field of Object.values(named.getFields())) walk(field.type, readers);
  };
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(root?.getFields() ?? {})) walk(field.type, readersOf(field.name as Operation));
  return reached;
}

test('no field leads operators, reviewers or tooling to a type of somebody else’s', async () => {
  const reached = [...reach(await portalSchema())];
  expect(reached.length).toBeGreaterThan(80);
  for (const readers of ['administrators', 'reviewers', 'tooling'] as const) {
    const alone = reached.flatMap(([type, who]) => (who.has(readers) && who.size === 1 ? [type] : []));
    expect(alone.sort()).toEqual(confined[readers].toSorted());
  }
  const byReviewers = reached.flatMap(([type, who]) => (who.has('reviewers') ? [type] : []));
  expect(byReviewers.sort()).toEqual([...reachedByReviewers, ...confined.reviewers].sort());
  const byTooling = reached.flatMap(([type, who]) => (who.has('tooling') ? [type] : []));
  expect(byTooling.sort()).toEqual(['Logo', 'PageInfo', ...confined.tooling].sort());
});

let application: PortalWorld;
let schema: GraphQLSchema;
let owner: PortalClient;
let staff: PortalClient;
let admin: PortalClient;
let tooling: ToolingClient;
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
let submissionId: string;
const addresses = { owner: '198.51.100.10', staff: '203.0.113.20', admin: '203.0.113.30', tooling: '203.0.113.40' };

beforeAll(async () => {
  schema = await portalSchema();
  listenToStatements();
  application = await openWorld({ portal: { env: { TRUSTED_PROXIES: '127.0.0.1, ::1' } } });
  owner = from(addresses.owner, await application.operator());
  staff = from(addresses.staff, await reviewer(application));
  admin = from(addresses.admin, await administrator(application));
  tooling = from(addresses.tooling, await toolingClient(application, { environment: 'production' }));
  for (const client of [owner, staff, admin]) await client.confirmFreshly();
  integration = await owner.createIntegration();
  await everythingHappens();
}, 120_000);
afterAll(() => application?.close());

/** The same client, calling from this address. */
function from<Client extends PortalClient>(ip: string, client: Client): Client {
  const fetch = client.fetch.bind(client);
  client.fetch = (path, init) => fetch(path, { ...init, headers: { ...init?.headers, 'x-forwarded-for': ip } });
  return client;
}

/**
 * Takes an integration through its whole life: two submissions with questions and verdicts, production with data, and everything that staff
 * can decide.
 */
async function everythingHappens(): Promise<void> {
  const { id: integrationId } = integration;
  const reasoned = { input: { integrationId, reason: 'A reason for the owner.' } };
  await addLogo(application, integrationId);
  const first = await owner.must<{ id: string }>('submitForReview', { input: goodSubmission(integrationId) });
  await staff.must('askQuestion', { input: { submissionId: first.id, body: 'Where is the credit?' } });
  await owner.must('answerQuestion', { input: { submissionId: first.id, body: 'Below the chart.' } });
  await staff.must('saveReviewDraft', { input: { submissionId: first.id, part: 'privacy', met: false, note: 'A dead link.' } });
  await staff.must('rejectSubmission', { input: { submissionId: first.id, notes: 'Repair the link.' } });
  ({ id: submissionId } = await owner.must<{ id: string }>('submitForReview', { input: goodSubmission(integrationId) }));
  for (const item of reviewItems) await staff.must('saveReviewDraft', { input: { submissionId, part: item, met: true } });
  await staff.must('approveSubmission', { input: { submissionId } });
  await owner.must('activateForProduction', { input: { integrationId, profileVersion: 1 } });
  await admin.must('openProductionGate', { input: { reason: 'The rollout.' } });
  await admin.must('openProductionGate', reasoned);
  await owner.must('reportBusinessModelChange', { input: { integrationId, description: 'Adverts.' } });
  await admin.must('recordCommercialAgreement', {
    input: { integrationId, reference: 'A-1', summary: 'Adverts.', validFrom: '2026-12-01' },
  });
  const { clients } = await owner.must<IntegrationData>('integration', { slug: integration.slug });
  const clientId = clients.find(({ environment }) => environment === 'production')?.id;
  await admin.must('setQuotaOverride', { input: { clientId, quota: 'requests_per_hour', value: 700, reason: 'A fleet.' } });
  const order = { type: 'order', key: 'order-1', version: '1', user: 'user-1', historyComplete: true, data: sampleOrder };
  await tooling.must('upsertTrackedResources', { input: { resources: [order] } });
  const share = { integrationId, user: 'user-1', orders: ['order-1'], scopes: ['orders.read'], statisticsOptedIn: false };
  await tooling.must('createLinkCode', { input: share });
  await admin.must('suspendIntegration', reasoned);
  await admin.must('reactivateIntegration', reasoned);
  const { operatorId } = await owner.must<{ operatorId: string }>('account');
  for (const operation of ['grantRole', 'withdrawRole'] as const) await admin.must(operation, { input: { operatorId, role: 'reviewer' } });
}

/** Every field that a type has, as deep as the API answers, without repeating a type inside itself. */
function everyFieldOf(type: GraphQLOutputType, above: readonly string[] = []): string[] {
  const named = getNamedType(type);
  if (!isObjectType(named)) return [''];
  const leaves: string[] = [];
  const branches = Object.values(named.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    if (isLeafType(inner)) leaves.push(field.name);
    if (isLeafType(inner) || above.includes(inner.name) || above.length > 6) return [];
    // Lists in lists of lists cost more than a document may. `webhookEndpoint` and `webhookDelivery` ask for them.
    if (field.name === 'deliveries' ? above.includes('Integration') : field.name === 'replays' && above.includes('WebhookEndpoint'))
      return [];
    const given = field.args.some(({ name }) => name === 'environment') ? '(environment: production)' : '';
    return everyFieldOf(field.type, [...above, named.name]).map((selection) => `{ ${field.name}${given} ${selection} }`);
  });
  return leaves.length > 0 ? [`{ ${leaves.join(' ')} }`, ...branches] : branches;
}

/** Asks one query for everything that it can answer, in pieces, because no document may cost more than a page does. */
async function everythingIn(reader: PortalClient, operation: Operation, given = ''): Promise<string> {
  const texts: string[] = [];
  for (const selection of everyFieldOf(typeOf(operation))) {
    const { text, errors } = await reader.graphql(`{ ${operation}${given && `(${given})`} ${selection} }`);
    expect([operation, selection, errors]).toEqual([operation, selection, []]);
    texts.push(text);
  }
  return texts.join('\n');
}

function typeOf(operation: string): GraphQLOutputType {
  const field = schema.getQueryType()?.getFields()[operation];
  if (!field) throw new Error(`There is no query ${operation}.`);
  return field.type;
}

const operatorIdOf = async (client: PortalClient) => (await client.viewer()).data?.operatorId ?? '';

describe('all that an owner can read of an integration with a whole life behind it', () => {
  /** The arguments of every query that operators may call. */
  const queries = async (): Promise<Partial<Record<Operation, string>>> => {
    const { clients } = await owner.must<IntegrationData>('integration', { slug: integration.slug });
    const clientNumber = await numberOfClient(application, integration.slug);
    const endpoint = await webhookEndpoint(application, clientNumber);
    const delivery = await storedDelivery(application, { endpoint, clientNumber, state: 'dead', attempts: 1 });
    const input = { endpointId: endpoint.id, type: 'integration_suspended', url: 'http://localhost:9000/' };
    const sample = await owner.must<{ id: string }>('requestSignedSample', { input });
    const [slug, sandbox] = [`slug: "${integration.slug}"`, `clientId: "${clients[0]?.id}"`];
    return {
      viewer: '',
      account: '',
      accountSettings: '',
      sessions: 'first: 5',
      service: '',
      currentTerms: '',
      emailChangeOfLink: 'input: { token: "x" }',
      terms: 'version: 1',
      reviewChecklist: '',
      reviewTimes: '',
      slugAvailable: 'slug: "no-such-slug"',
      scopeAdvice: 'scopes: ["orders.read"]',
      news: 'first: 20',
      find: `text: "${integration.slug}"`,
      integrations: 'first: 5',
      integration: slug,
      profileVersions: `${slug}, first: 5`,
      profileDiff: `${slug}, from: 1, to: 1`,
      revocations: `${slug}, first: 5`,
      deletionsToRecord: slug,
      ownSubmissions: `${slug}, first: 2`,
      auditTrail: 'first: 100',
      usage: `clientId: "${clients[1]?.id}", period: day`,
      certificates: `clientId: "${clients[1]?.id}", first: 5`,
      requests: `clientId: "${clients[1]?.id}", first: 5`,
      sandbox,
      sandboxResources: `${sandbox}, first: 5`,
      sandboxNextSync: `${sandbox}, first: 5`,
      sandboxShares: `${sandbox}, first: 5`,
      sandboxLinkCodes: `${sandbox}, first: 5`,
      webhookEndpoint: `id: "${endpoint.id}"`,
      webhookDelivery: `id: "${delivery.id}"`,
      signedSample: `id: "${sample.id}"`,
      replayCount: `endpointId: "${endpoint.id}"`,
      waitingCount: `endpointId: "${endpoint.id}"`,
    };
  };

  test('names no one of the staff and no program, nor where they were', async () => {
    const asked = await queries();
    const open = Object.keys(schema.getQueryType()?.getFields() ?? {}).filter((name) => readersOf(name as Operation) === 'operators');
    expect(Object.keys(asked).sort()).toEqual(open.sort());
    const people = [staff.email, admin.email, await operatorIdOf(staff), await operatorIdOf(admin)];
    const hidden = [...people, tooling.tokenId, tooling.token, addresses.staff, addresses.admin, addresses.tooling];
    for (const [operation, given] of Object.entries(asked)) {
      const text = await everythingIn(owner, operation as Operation, given);
      expect([operation, hidden.filter((secret) => text.includes(secret))]).toEqual([operation, []]);
    }
  });

  const ownersAlone = new Set([
    'account',
    'accountSettings',
    'auditTrail',
    'emailChangeOfLink',
    'find',
    'integrations',
    'news',
    'sessions',
    'signedSample',
    'slugAvailable',
    'viewer',
  ]);

  test('is also what an administrator sees who looks as the owner, but for addresses of endpoints, answers of receivers, and all that is the owner’s alone', async () => {
    const asked = await queries();
    await application.rows(`update webhook_endpoint set url = 'https://three.hooks.test/s3cret-path?t=s3cret' where id = $1`, [
      /whk_\w+/.exec(asked.webhookEndpoint ?? '')?.[0],
    ]);
    const looking = from(addresses.admin, admin.copy());
    looking.asOwner = integration.slug;
    for (const [operation, given] of Object.entries(asked)) {
      if (!ownersAlone.has(operation)) {
        const text = await everythingIn(looking, operation as Operation, given);
        expect([operation, ['s3cret', 'Nobody here', addresses.owner].filter((hidden) => text.includes(hidden))]).toEqual([operation, []]);
      } else {
        const [selection = ''] = everyFieldOf(typeOf(operation));
        const { data, errors } = await looking.graphql(`{ ${operation}${given && `(${given})`} ${selection} }`);
        expect([operation, data, errors.map(({ extensions }) => extensions.code)]).toEqual([
          operation,
          operation === 'viewer' || operation === 'emailChangeOfLink' ? { [operation]: null } : null,
          ['FORBIDDEN'],
        ]);
      }
    }
    expect(await everythingIn(looking, 'integration', `slug: "${integration.slug}"`)).toContain('https://three.hooks.test');
    expect([...ownersAlone].filter((operation) => !Object.hasOwn(asked, operation))).toEqual([]);
  });

  test('is seen as the owner by nobody but administrators, of no other integration and not of their own, and a visit is one line that the owner reads', async () => {
    const other = await owner.createIntegration();
    const { clients } = await owner.must<IntegrationData>('integration', { slug: other.slug });
    const codes = async (
      client: PortalClient,
      asOwner: string,
      operation: 'integration' | 'requests',
      variables: Record<string, unknown>,
    ) => {
      const looking = client.copy();
      looking.asOwner = asOwner;
      return (await looking.call(operation, variables)).errors.map(({ extensions }) => extensions.code);
    };
    for (const client of [owner, staff])
      expect(await codes(client, integration.slug, 'integration', { slug: integration.slug })).toEqual(['FORBIDDEN']);
    expect(await codes(admin, integration.slug, 'integration', { slug: other.slug })).toEqual(['NOT_FOUND']);
    expect(await codes(admin, integration.slug, 'requests', { clientId: clients[0]?.id })).toEqual(['NOT_FOUND']);
    expect(await codes(admin, 'no-such-slug', 'integration', { slug: 'no-such-slug' })).toEqual(['NOT_FOUND']);
    const own = await admin.createIntegration();
    expect(await codes(admin, own.slug, 'integration', { slug: own.slug })).toEqual(['FORBIDDEN']);

    for (const _ of [1, 2]) expect(await codes(admin, other.slug, 'integration', { slug: other.slug })).toEqual([]);
    const trail = await everythingIn(owner, 'auditTrail', `first: 100, filter: { integrationId: "${other.id}" }`);
    expect(trail.split('"integration.viewed_as_owner"')).toHaveLength(2);
    expect(trail).not.toContain(await operatorIdOf(admin));
  });

  test('is seen as the owner after one look for a whole document, and nothing is written while the visit lasts', async () => {
    const other = await owner.createIntegration();
    const looking = admin.copy();
    looking.asOwner = other.slug;
    const fields = Array.from({ length: 15 }, (_, n) => `i${n}: integration(slug: "${other.slug}") { slug }`).join(' ');
    const look = async () => {
      const { result, statements } = await statementsOf(() => looking.graphql(`{ ${fields} }`));
      expect(result.errors).toEqual([]);
      return statements.flatMap(({ text }) => /(insert into|from) attempt_window/.exec(text)?.[1] ?? []);
    };
    expect(await look()).toEqual(['from', 'insert into']);
    expect(await look()).toEqual(['from']);
  });

  test('holds the reasons that staff gave, and the owner’s own actions with their IP addresses', async () => {
    const trail = await everythingIn(owner, 'auditTrail', 'first: 100');
    for (const shown of ['A reason for the owner.', addresses.owner, 'integration.suspended', 'integration.approved']) {
      expect(trail).toContain(shown);
    }
    expect(await everythingIn(owner, 'ownSubmissions', `slug: "${integration.slug}", first: 2`)).toContain('A dead link.');
  });

  test('tells nothing of a verdict, and not who it is, while a reviewer is at it', async () => {
    const other = await owner.createIntegration();
    await addLogo(application, other.id);
    const { id } = await owner.must<{ id: string }>('submitForReview', { input: goodSubmission(other.id) });
    await staff.must('saveReviewDraft', { input: { submissionId: id, part: 'privacy', met: false, note: 'An early thought.' } });
    const text = await everythingIn(owner, 'ownSubmissions', `slug: "${other.slug}", first: 2`);
    expect(text).not.toContain('An early thought.');
    expect(text).not.toContain(staff.email);
    expect(text).toContain('"taken":true');
    // For an owner who is a reviewer as well, no other way leads to their own submission.
    const operatorId = await operatorIdOf(owner);
    await admin.must('grantRole', { input: { operatorId, role: 'reviewer' } });
    expect(await everythingIn(owner, 'submissions', 'tab: unassigned, first: 2')).not.toContain(other.slug);
    expect(await everythingIn(owner, 'minorRevisions', 'first: 5')).not.toContain(integration.slug);
    const answer = await owner.call('submission', { id });
    expect([answer.data, answer.errors.map(({ extensions }) => extensions.code)]).toEqual([null, ['FORBIDDEN']]);
    expect(await everythingIn(owner, 'ownSubmissions', `slug: "${other.slug}", first: 2`)).not.toContain('An early thought.');
    await admin.must('withdrawRole', { input: { operatorId, role: 'reviewer' } });
  });
});

test('an administrator reads where an endpoint is, but no path, no challenge, no delivery and no answer, which its owner reads', async () => {
  const clientNumber = await numberOfClient(application, integration.slug);
  const endpoint = await webhookEndpoint(application, clientNumber, { url: 'https://two.hooks.test:8443/s3cret-path?t=s3cret' });
  await storedDelivery(application, { endpoint, clientNumber, state: 'dead', attempts: 1 });
  await application.rows(
    `insert into webhook_challenge (id, endpoint_number, url, status, requested_at, requested_by, finished_at, failure)
     select 'whc_' || right(p.id, 26), p.number, p.url, 'failed', now(), p.created_by, now(), 'time_over' from webhook_endpoint p where p.number = $1`,
    [endpoint.number],
  );
  const deliveries = 'deliveries(first: 1) { edges { node { id attempts { responseText } } } }';
  const asAdmin = (selection: string) =>
    admin.graphql(`{ anyIntegration(slug: "${integration.slug}") { integration { webhookEndpoints { ${selection} } } } }`);
  const asOwner = (selection: string) =>
    owner.graphql(`{ integration(slug: "${integration.slug}") { webhookEndpoints { ${selection} } } }`);
  const seen = await asAdmin('id url challenge { status }');
  expect(seen.errors).toEqual([]);
  expect(seen.text).toContain('"https://two.hooks.test:8443"');
  for (const hidden of ['s3cret', '"status"']) expect(seen.text).not.toContain(hidden);
  const refused = await asAdmin(deliveries);
  expect(refused.errors.map(({ extensions }) => extensions.code)).toContain('FORBIDDEN');
  expect(refused.text).not.toMatch(/dlv_|Nobody here/);
  expect(await everythingIn(admin, 'anyIntegration', `slug: "${integration.slug}"`)).not.toContain('s3cret');
  const own = (await asOwner('url challenge { status }')).text + (await asOwner(deliveries)).text;
  for (const shown of [endpoint.url, '"failed"', 'Nobody here']) expect(own).toContain(shown);
});

test('a reviewer reads profiles, evidence and agreements, but no account, client, certificate, token or address', async () => {
  const texts = [
    await everythingIn(staff, 'submission', `id: "${submissionId}"`),
    await everythingIn(staff, 'submissions', 'first: 2, tab: decided'),
    await everythingIn(staff, 'minorRevisions', 'first: 5'),
    await everythingIn(staff, 'businessModelReports', 'first: 5'),
  ];
  expect(texts[0]).toContain('A dead link.');
  for (const text of texts) {
    expect(text).not.toMatch(/(opr|cli|crt|con|ord|svt|ses)_[0-9a-hjkmnp-tv-z]{26}/);
    for (const hidden of [owner.email, admin.email, ...Object.values(addresses)]) expect(text).not.toContain(hidden);
  }
});
