import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { buildSchema, getNamedType, isObjectType } from 'graphql';
import pg from 'pg';
import { createOrm, type Orm } from '../../../server/database/orm.ts';
import { listServiceTokens, type ServiceTokenOrder } from '../../../server/domain/access/listServiceTokens.ts';
import { listSessions } from '../../../server/domain/account/session/listSessions.ts';
import type { AgeOrder } from '../../../server/domain/administration/ageOrder.ts';
import { allCertificates } from '../../../server/domain/administration/allCertificates.ts';
import { allIntegrations } from '../../../server/domain/administration/allIntegrations.ts';
import { decisionsAbout } from '../../../server/domain/administration/decisionsAbout.ts';
import { failedJobs } from '../../../server/domain/administration/failedJobs.ts';
import { failingWebhookEndpoints } from '../../../server/domain/administration/failingWebhookEndpoints.ts';
import { operators, type OperatorOrder } from '../../../server/domain/administration/operators.ts';
import { businessModelReportsOf, commercialAgreementsOf } from '../../../server/domain/agreement/agreementsOf.ts';
import { businessModelReports } from '../../../server/domain/agreement/businessModelReports.ts';
import { auditTrail, type AuditFilter } from '../../../server/domain/audit/auditTrail.ts';
import { certificates, certificatesInUse } from '../../../server/domain/certificate/certificates.ts';
import { find } from '../../../server/domain/search/find.ts';
import { gateHistory } from '../../../server/domain/gate/gateHistory.ts';
import { productionIntegrations } from '../../../server/domain/gate/productionIntegrations.ts';
import { catalogue } from '../../../server/domain/integration/profile/catalogue.ts';
import { listTerms } from '../../../server/domain/integration/terms/listTerms.ts';
import { minorRevisions } from '../../../server/domain/integration/profile/minorRevisions.ts';
import { ownIntegration, ownIntegrations } from '../../../server/domain/integration/ownIntegrations.ts';
import { profileVersions } from '../../../server/domain/integration/profile/profileVersions.ts';
import { latestSteps, statusTimelines } from '../../../server/domain/integration/status/statusTimeline.ts';
import { news } from '../../../server/domain/notification/news.ts';
import { ownSubmissions } from '../../../server/domain/review/owner/ownSubmissions.ts';
import { queueTabs, reviewQueue, type QueueTab } from '../../../server/domain/review/reviewer/reviewQueue.ts';
import { earlierSubmissions, messagesOf } from '../../../server/domain/review/submissionParts.ts';
import type { OperatorActor } from '../../../server/domain/shared/actor.ts';
import type { Page } from '../../../server/domain/shared/lists/page.ts';
import { ownRevocations } from '../../../server/domain/sharing/deletion/ownRevocations.ts';
import { shares } from '../../../server/domain/sharing/shares.ts';
import { sandboxShares } from '../../../server/domain/sandbox/sandboxShares.ts';
import { sandboxLinkCodes } from '../../../server/domain/sandbox/sandboxLinkCodes.ts';
import { sandboxNextSync } from '../../../server/domain/sandbox/sandboxNextSync.ts';
import { sandboxResources } from '../../../server/domain/sandbox/sandboxResources.ts';
import { requests } from '../../../server/domain/usage/requestLog.ts';
import { discardDeliveries, discardWaiting, waitingDeliveries } from '../../../server/domain/outbox/discardDeliveries.ts';
import { emitEvent } from '../../../server/domain/outbox/emitEvent.ts';
import { recheckDeliveries } from '../../../server/domain/outbox/wakePump.ts';
import { webhookEndpointsOf } from '../../../server/domain/webhook/endpoint/ownWebhookEndpoint.ts';
import { attemptsOf } from '../../../server/domain/webhook/history/attemptsOf.ts';
import { deliveriesOf } from '../../../server/domain/webhook/history/deliveries.ts';
import { userRef } from '../../../server/domain/shared/lookupKeys.ts';
import { soleKey } from '../../../server/domain/shared/keySet.ts';
import { createFullDatabase, idAt } from '../../support/database/fullDatabase.ts';
import { listenToStatements, optionsOf, readingOf, statementsOf, type Reading } from '../../support/database/queryPlans.ts';
import type { TestDatabase } from '../../support/run/testDatabase.ts';

const now = new Date('2026-11-20T12:10:00Z');
const first = 20;
const origin = { type: 'operator', ip: '192.0.2.1', requestId: idAt('req', 1) } as const;
const owner: OperatorActor = { ...origin, operatorId: idAt('opr', 1), roles: [] };
const reviewer: OperatorActor = { ...origin, operatorId: idAt('opr', 900), roles: ['reviewer'] };
const administrator: OperatorActor = { ...origin, operatorId: idAt('opr', 906), roles: ['administrator'] };
const newsOf = { operatorId: owner.operatorId, roles: [], contact: 'us' } as const;
const lookupKeys = soleKey(Buffer.alloc(32, 1));
const tooling = { type: 'service_token', tokenId: 'svt', environment: 'sandbox', ip: '192.0.2.1', requestId: 'req' } as const;
const slug = 'board-0001';
const clientId = idAt('cli', 2);
const hotSubject = idAt('ses', 1);

/** Tables in which a scan from end to end does not matter, because they have one row, or as many as there are kinds of jobs or authorities. */
const small = new Set(['service_gate', '_private_tasks', 'certificate_authority']);

/** What a list shows, and where its next page begins. */
type Shown = { readonly items: readonly unknown[]; readonly cursor?: string };
type List = (em: EntityManager, after: string | null) => Promise<Shown>;

const shownOn = ({ edges, pageInfo }: Page<unknown>): Shown => ({
  items: edges.map(({ node }) => node),
  ...(pageInfo.hasNextPage && pageInfo.endCursor !== null && { cursor: pageInfo.endCursor }),
});

const trail =
  (filter: AuditFilter, actor = administrator): List =>
  async (em, after) =>
    shownOn(await auditTrail(em, { actor, own: actor === owner, filter, first, after }));
const everyIntegration =
  (filter: Parameters<typeof allIntegrations>[1]['filter'], order: 'newest' | 'oldest' | 'slug'): List =>
  async (em, after) =>
    shownOn(await allIntegrations(em, { filter, order, first, after }));
const everyCertificate =
  (filter: Parameters<typeof allCertificates>[1]['filter']): List =>
  async (em, after) =>
    shownOn(await allCertificates(em, { filter, first, after, now }));
const everyOperator =
  (filter: Parameters<typeof operators>[1]['filter'], order: OperatorOrder = 'newest'): List =>
  async (em, after) =>
    shownOn(await operators(em, { filter, order, first, after }));
const gates =
  (filter: Pick<Parameters<typeof productionIntegrations>[1], 'status' | 'open'>): List =>
  async (em, after) =>
    shownOn(await productionIntegrations(em, { ...filter, first, after }));
const tokens =
  (order: ServiceTokenOrder, environment: 'sandbox' | 'production' | null = null): List =>
  async (em, after) =>
    shownOn(await listServiceTokens(em, { environment, order, first, after, now }));
const jobs =
  (filter: Parameters<typeof failedJobs>[1]['filter'] & object, order: AgeOrder = 'newest'): List =>
  async (em, after) =>
    shownOn(await failedJobs(em, { filter, order, first, after }));
const log =
  (filter: Parameters<typeof requests>[1]['filter']): List =>
  async (em, after) =>
    shownOn(await requests(em, { reader: owner, clientId, filter, now, first, after }));
const queue =
  (tab: QueueTab, ended: 'rejected' | 'approved' | null = null, search: string | null = null, actor = reviewer): List =>
  async (em, after) =>
    shownOn(await reviewQueue(em, { actor, tab, ended, search, first, after }));
const reports =
  (search: string | null, actor = reviewer): List =>
  async (em, after) =>
    shownOn(await businessModelReports(em, { actor, search, first, after }));
const revisions =
  (search: string | null, actor = reviewer): List =>
  async (em, after) =>
    shownOn(await minorRevisions(em, { actor, search, first, after }));
const deletions =
  (state: 'outstanding' | 'overdue' | 'acknowledged', order: 'deadline' | 'newest', environment: 'sandbox' | null = 'sandbox'): List =>
  async (em, after) => {
    const later = new Date(now.getTime() + 5 * 24 * 60 * 60 * 1000);
    return shownOn(await ownRevocations(em, { operatorId: owner.operatorId, slug, environment, state, order, first, after, now: later }));
  };

const deliveries =
  (filter: Parameters<typeof deliveriesOf>[1]['filter']): List =>
  async (em, after) =>
    shownOn(await deliveriesOf(em, { endpointNumber: 1, filter, first, after }));

const rare = 'integration.suspended';
/** Integrations that one search of the trail names together; a page is read of each. */
const three = [1, 4, 7].map((n) => idAt('int', n));
const from = new Date('2026-10-01T00:00:00Z');
const to = new Date('2026-10-20T00:00:00Z');

/** Every connection of the schema, by its field, with its filters and orders, and the longer lists that are not connections. */
const lists: Readonly<Record<string, Readonly<Record<string, List>>>> = {
  integrations: {
    'of one operator': async (em, after) => shownOn(await ownIntegrations(em, { operatorId: owner.operatorId, first, after })),
    'of one operator, not retired': async (em, after) =>
      shownOn(await ownIntegrations(em, { operatorId: owner.operatorId, retired: false, first, after })),
  },
  allIntegrations: {
    newest: everyIntegration({}, 'newest'),
    oldest: everyIntegration({}, 'oldest'),
    'by slug': everyIntegration({}, 'slug'),
    'one status': everyIntegration({ status: 'suspended' }, 'newest'),
    'one status, oldest': everyIntegration({ status: 'suspended' }, 'oldest'),
    'one status, by slug': everyIntegration({ status: 'suspended' }, 'slug'),
    'one health': everyIntegration({ health: 'failing' }, 'newest'),
    'one health, oldest': everyIntegration({ health: 'failing' }, 'oldest'),
    'one health, by slug': everyIntegration({ health: 'failing' }, 'slug'),
    'a certificate': everyIntegration({ search: idAt('crt', 1) }, 'newest'),
    'one owner': everyIntegration({ operatorId: owner.operatorId }, 'newest'),
    'one owner, oldest': everyIntegration({ operatorId: owner.operatorId }, 'oldest'),
  },
  deliveries: {
    newest: deliveries({}),
    'one state': deliveries({ states: ['dead'] }),
    'one type': deliveries({ types: ['connection.revoked'] }),
    'one state and type': deliveries({ states: ['dead'], types: ['connection.revoked'] }),
    'never delivered': deliveries({ undelivered: true }),
    'of a time': deliveries({ from: new Date('2026-11-18T00:00:00Z'), to: new Date('2026-11-19T00:00:00Z') }),
    'of a resource': deliveries({ resourceId: idAt('ord', 7) }),
    'of an event': deliveries({ eventId: idAt('evt', 7) }),
  },
  failingWebhookEndpoints: {
    failing: async (em, after) => shownOn(await failingWebhookEndpoints(em, { view: 'failing', first, after })),
    paused: async (em, after) => shownOn(await failingWebhookEndpoints(em, { view: 'paused', first, after })),
  },
  'WebhookDelivery.attempts': { 'of two': async (em) => ({ items: (await attemptsOf(em, [7, 8])).flat() }) },
  'Integration.webhookEndpoints': {
    'of two': async (em) => ({ items: (await webhookEndpointsOf(em, [idAt('int', 1), idAt('int', 2)])).flat() }),
  },
  productionIntegrations: {
    all: gates({}),
    'open gates': gates({ open: true }),
    'closed gates': gates({ open: false }),
    'one status': gates({ status: 'suspended' }),
    'one status, open gates': gates({ status: 'active', open: true }),
  },
  operators: {
    newest: everyOperator({}),
    oldest: everyOperator({}, 'oldest'),
    'by address': everyOperator({}, 'address'),
    'one role': everyOperator({ role: 'administrator' }),
    'one role, by address': everyOperator({ role: 'administrator' }, 'address'),
  },
  auditTrail: {
    all: trail({}),
    actor: trail({ actorId: owner.operatorId }),
    'actor and action': trail({ actorId: owner.operatorId, action: rare }),
    action: trail({ action: rare }),
    subject: trail({ subjectId: hotSubject }),
    'subject and action': trail({ subjectId: hotSubject, action: rare }),
    integration: trail({ integrationId: idAt('int', 1) }),
    'integration and action': trail({ integrationId: idAt('int', 1), action: rare }),
    'three integrations': trail({ integrationId: three }),
    'three integrations, action and time': trail({ integrationId: three, action: rare, from, to }),
    'three subjects': trail({ subjectId: three }),
    operator: trail({ operatorId: owner.operatorId }),
    'operator and action': trail({ operatorId: owner.operatorId, action: rare }),
    time: trail({ from, to }),
    'action and time': trail({ action: rare, from, to }),
    'operator, action and time': trail({ operatorId: owner.operatorId, action: rare, from, to }),
    own: trail({}, owner),
    'own, one integration': trail({ integrationId: idAt('int', 1) }, owner),
    'own, action': trail({ action: rare }, owner),
    'own, integration, action and time': trail({ integrationId: idAt('int', 1), action: rare, from, to }, owner),
  },
  serviceGateHistory: { all: async (em, after) => shownOn(await gateHistory(em, { first, after })) },
  requests: {
    all: log({}),
    problems: log({ onlyProblems: true }),
    'one operation': log({ operation: 'getOrder' }),
    'one class': log({ statusClass: 'failed' }),
    'problems of one operation': log({ operation: 'getSync', onlyProblems: true }),
    'one class of one operation': log({ operation: 'getSync', statusClass: 'refused' }),
    'one status': log({ status: 429 }),
    'one problem': log({ problem: 'rate_limit_exceeded' }),
    'one problem of one operation and certificate': log({ problem: 'rate_limit_exceeded', operation: 'getSync', serial: 'ab' }),
    'a time': log({ from: new Date(now.getTime() - 3_600_000), to: now }),
  },
  certificates: {
    'of a client': async (em, after) => shownOn(await certificates(em, { reader: owner, clientId, first, after })),
    'that ended': async (em, after) => shownOn(await certificates(em, { reader: owner, clientId, selection: 'ended', first, after })),
  },
  allCertificates: {
    all: everyCertificate({}),
    'one source': everyCertificate({ source: 'p12' }),
    'one authority': everyCertificate({ authorityId: 'issuing-1' }),
    pending: everyCertificate({ status: 'pending' }),
    'pending, one source': everyCertificate({ status: 'pending', source: 'csr' }),
    revoked: everyCertificate({ status: 'revoked' }),
    'revoked, one source': everyCertificate({ status: 'revoked', source: 'p12' }),
    'revoked, one authority': everyCertificate({ status: 'revoked', authorityId: 'issuing-1' }),
    failed: everyCertificate({ status: 'failed' }),
    'in use': everyCertificate({ status: 'issued' }),
    'expiring soon': everyCertificate({ expiresWithinDays: 30 }),
    'expiring soon, one source and authority': everyCertificate({ expiresWithinDays: 30, source: 'p12', authorityId: 'issuing-2' }),
    expired: everyCertificate({ status: 'expired' }),
    'expired, one authority': everyCertificate({ status: 'expired', authorityId: 'issuing-1' }),
    'one by its identifier': everyCertificate({ search: idAt('crt', 20_001) }),
    'one by its serial': everyCertificate({ search: createHash('md5').update('700').digest('hex') }),
    'of a client': everyCertificate({ search: idAt('cli', 20) }),
  },
  revocations: {
    outstanding: deletions('outstanding', 'deadline'),
    'outstanding, newest': deletions('outstanding', 'newest'),
    overdue: deletions('overdue', 'deadline'),
    acknowledged: deletions('acknowledged', 'newest'),
    'acknowledged, by deadline': deletions('acknowledged', 'deadline'),
    'both environments': deletions('outstanding', 'deadline', null),
  },
  news: {
    all: async (em, after) => shownOn(await news(em, { ...newsOf, unread: false, first, after })),
    unread: async (em, after) => shownOn(await news(em, { ...newsOf, unread: true, first, after })),
  },
  sandboxResources: {
    all: async (em, after) => {
      const all = { actor: owner, clientId, type: null, status: null, connectionId: null, id: null };
      return shownOn(await sandboxResources(em, { ...all, first, after }));
    },
  },
  'sandboxNextSync.records': {
    all: async (em) => ({ items: (await sandboxNextSync(em, { actor: owner, clientId, first })).records }),
  },
  sandboxShares: {
    all: async (em, after) => shownOn(await sandboxShares(em, { actor: owner, clientId, first, after })),
  },
  sandboxLinkCodes: {
    all: async (em, after) => shownOn(await sandboxLinkCodes(em, { actor: owner, clientId, first, after, now })),
  },
  shares: {
    'of a user': async (em, after) => shownOn(await shares(em, { actor: tooling, lookupKeys, user: 'somebody', first, after })),
  },
  catalogue: {
    production: async (em, after) => shownOn(await catalogue(em, { environment: 'production', first, after })),
  },
  submissions: Object.fromEntries([
    ['one by its identifier', queue('decided', 'rejected', idAt('sub', 401))] as const,
    ...queueTabs.map((tab) => [tab, queue(tab)] as const),
    ...(['rejected', 'approved'] as const).map((ended) => [ended, queue('decided', ended)] as const),
  ]),
  ownSubmissions: {
    'of an integration': async (em, after) =>
      shownOn(await ownSubmissions(em, { integration: await ownIntegration(em, owner.operatorId, slug), first, after })),
  },
  businessModelReports: { all: reports(null), 'of one integration': reports(idAt('int', 1)) },
  minorRevisions: { all: revisions(null), 'of one integration': revisions(idAt('int', 1)) },
  profileVersions: {
    'of an integration': async (em, after) => shownOn(await profileVersions(em, { integrationId: idAt('int', 1), first, after })),
  },
  termsVersions: { all: async (em, after) => shownOn(await listTerms(em, { first, after })) },
  serviceTokens: {
    newest: tokens('newest'),
    oldest: tokens('oldest'),
    ending: tokens('ending'),
    'one environment': tokens('newest', 'production'),
    'one environment, ending': tokens('ending', 'production'),
  },
  sessions: {
    'of an operator': async (em, after) => shownOn(await listSessions(em, { operatorId: owner.operatorId, first, after, now })),
  },
  failedJobs: {
    newest: jobs({}),
    oldest: jobs({}, 'oldest'),
    'one state': jobs({ state: 'failed' }),
    'one kind': jobs({ search: 'issueCertificate' }),
    'one kind, one state, oldest': jobs({ search: 'issueCertificate', state: 'retrying' }, 'oldest'),
  },
  'AdministeredIntegration.decisions': {
    'of an integration with a long trail': async (em) => ({ items: await decisionsAbout(em, { integrationId: idAt('int', 1), first }) }),
  },
  'Integration.timeline': { all: async (em) => ({ items: (await statusTimelines(em, [idAt('int', 501)]))[0] ?? [] }) },
  'Integration.latestSteps': { all: async (em) => ({ items: (await latestSteps(em, [idAt('int', 501)]))[0] ?? [] }) },
  'Integration.businessModelReports': {
    'of two': async (em) => ({ items: (await businessModelReportsOf(em, [idAt('int', 1), idAt('int', 2)])).flat() }),
  },
  'Integration.commercialAgreements': {
    'of two': async (em) => ({ items: (await commercialAgreementsOf(em, [idAt('int', 1), idAt('int', 2)])).flat() }),
  },
  'Client.certificatesInUse': { 'of two': async (em) => ({ items: (await certificatesInUse(em, [1, 2])).flat() }) },
  'Submission.earlierSubmissions': {
    'of two': async (em) => ({
      items: (
        await earlierSubmissions(
          em,
          [100, 60].map((number) => ({ integrationId: idAt('int', 1), number })),
        )
      ).flat(),
    }),
  },
  'Submission.messages': { all: async (em) => ({ items: (await messagesOf(em, [idAt('sub', 200)]))[0] ?? [] }) },
};

test('every connection of the schema is looked at', async () => {
  const schema = buildSchema(await readFile(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
  const fields = Object.values(schema.getTypeMap()).flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []));
  const connections = fields.filter(({ type }) => {
    const named = getNamedType(type);
    return isObjectType(named) && 'edges' in named.getFields();
  });
  expect(connections.map(({ name }) => name).sort()).toEqual(
    Object.keys(lists)
      .filter((name) => !name.includes('.'))
      .sort(),
  );
});

let database: TestDatabase;
let orm: Orm;
let client: pg.Client;
const times: string[] = [];
beforeAll(async () => {
  database = await createFullDatabase();
  client = new pg.Client({ connectionString: database.url, options: optionsOf('portal') });
  await client.connect();
  await client.query(
    `update connection set user_ref = $1 where id in (select id from connection where client_number = 1 order by id limit 30)`,
    [userRef(lookupKeys, 'sandbox', 'somebody')],
  );
  listenToStatements();
  orm = await createOrm(database.url, { poolMax: 4 });
  // Opens a connection first, so that what is run on opening it is not counted.
  await orm.em.fork().getConnection().execute('select 1');
}, 240_000);
afterAll(async () => {
  if (process.env['PRINT_TIMES']) process.stdout.write(`${times.join('\n')}\n`);
  await orm?.close(true);
  await client?.end();
  await database?.drop();
});

const isCount = (text: string) =>
  /^\s*select (count\(|\(select count)/i.test(text) || /\bcount\(\*\)::int as (total|count)\b/.test(text.slice(0, 60));

async function readings(list: List, after: string | null): Promise<{ shown: number; cursor?: string | undefined; read: Reading[] }> {
  const { result, statements } = await statementsOf(() => list(orm.em.fork(), after));
  const selects = statements.filter(({ text }) => /^\s*(select|with)/i.test(text) && !isCount(text));
  expect(selects.length).toBeGreaterThan(0);
  const read: Reading[] = [];
  for (const statement of selects) read.push(await readingOf(client, statement));
  return { shown: result.items.length, cursor: result.cursor, read };
}

/** How many pages are turned before a page is measured again: nothing before it must be read. */
const farBack = 10;

async function cursorFarBack(list: List): Promise<string | null> {
  let after: string | null = null;
  for (let page = 0; page < farBack; page += 1) {
    const { cursor }: { cursor?: string } = await list(orm.em.fork(), after);
    if (cursor === undefined) return null;
    after = cursor;
  }
  return after;
}

const cases = Object.entries(lists).flatMap(([field, variants]) =>
  Object.entries(variants).map(([name, list]) => [field, name, list] as const),
);

/** A page reads one row more than it shows, to find out whether another page follows, and the row that its cursor names. */
test.each(cases)(
  '%s, %s: by an index, reading at most three times what it shows, on the first page and far back',
  async (field, name, list) => {
    const page = await readings(list, null);
    expect(page.shown).toBeGreaterThan(0);
    const after = await cursorFarBack(list);
    const pages = [page, ...(after === null ? [] : [await readings(list, after)])];
    for (const { shown, read } of pages) {
      expect(read.flatMap(({ sequential }) => sequential).filter((table) => !small.has(table))).toEqual([]);
      for (const { rows } of read) {
        const excess = [...rows].filter(([table, count]) => !small.has(table) && count > 3 * (shown + 1) + 1);
        expect(excess).toEqual([]);
      }
    }
    const [best, far] = pages.map(({ read }) => read.reduce((sum, { milliseconds }) => sum + milliseconds, 0).toFixed(2));
    times.push(`| ${field}: ${name} | ${page.shown} | ${best} ms | ${far === undefined ? '–' : `${far} ms`} |`);
  },
);

/** What is kept by client is looked for in one range for each client. A client with few certificates may have all of them read. */
const clientLists = new Set(['client', 'integration']);

test.each([
  ['its owner', owner, true],
  ['an administrator', administrator, true],
  ['somebody else', { ...owner, operatorId: idAt('opr', 500) }, false],
] as const)('whatever has an ID is found by %s reading hardly any other rows of its kind', async (_, reader, finds) => {
  const prefixes = ['int', 'con', 'ord', 'rev', 'evt', 'dlv', 'whk', 'lnk', 'bmr', 'agr', 'opr'] as const;
  const ids = [...prefixes.map((prefix) => idAt(prefix, 1)), idAt('cli', 2), idAt('sub', 101), idAt('req', 2)];
  const issued = 'select id, serial, fingerprint_sha256 from certificate where serial is not null and client_number = 1 limit 1';
  const [certificate = {}] = (await client.query<Record<string, string>>(issued)).rows;
  for (const text of [...ids, ...Object.values(certificate)]) {
    const search: List = async (em) => ({ items: (await find(em, { reader, text, now })).found });
    const { shown, read } = await readings(search, null);
    expect([text, shown]).toEqual([text, finds ? 1 : 0]);
    expect([text, read.flatMap(({ sequential }) => sequential).filter((table) => !clientLists.has(table))]).toEqual([text, []]);
    const excess = read.flatMap(({ rows }) => [...rows].filter(([table, count]) => !clientLists.has(table) && count > 40));
    expect([text, excess]).toEqual([text, []]);
    times.push(`| find: ${text} | ${shown} | ${read.reduce((sum, { milliseconds }) => sum + milliseconds, 0).toFixed(2)} ms | – |`);
  }
});

test('storing events among 2,000 endpoints, and discarding some of 40,000 deliveries, reads what it concerns and nothing else', async () => {
  const [connections, updates] = [10, 300];
  const undone = new Error('Undone');
  const { statements } = await statementsOf(() =>
    orm.em
      .fork()
      .transactional(async (tx) => {
        const connectionIds = Array.from({ length: connections }, (_, index) => idAt('con', index + 1));
        const events = Array.from({ length: updates }, (_, index) => ({
          type: 'resource.updated' as const,
          clientNumber: (index % 50) + 1,
          connectionId: idAt('con', index),
          resource: { id: idAt('ord', index), type: 'order' as const },
        }));
        await emitEvent(tx, events, now);
        await recheckDeliveries(tx, { integrationId: idAt('int', 1) });
        const subjects = connectionIds.map((connectionId) => ({ clientNumber: 1, connectionId }));
        await discardDeliveries(tx, { subjects, reason: 'access_revoked', now });
        const numbers = await waitingDeliveries(tx, [2, 3]);
        await discardWaiting(tx, { numbers: [...numbers, '1', '2', '3'], reason: 'endpoint_gone', now });
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      }),
  );
  const own = statements.filter(({ text }) => text.includes('webhook_'));
  // Storing is a function of the database, whose statements have no plan of their own here.
  expect(own.length).toBeGreaterThanOrEqual(5);
  for (const statement of own) {
    await client.query('begin');
    const { rows, sequential } = await readingOf(client, statement);
    await client.query('rollback');
    // Each of the ten connections has some eighty deliveries that wait; each is found, locked, read and written.
    const excess = [...rows].filter(([table, count]) => table.startsWith('webhook_') && count > 4 * connections * 90);
    expect([statement.text, sequential, excess]).toEqual([statement.text, [], []]);
  }
});

/** The planner reads small tables from end to end, so a search is held to its indexes only where there are many rows. */
test('a search among 11,000 accounts and integrations reads what it finds, by trigrams, and no table from end to end', async () => {
  const found = `'int_m' || lpad('777', 25, '0')`;
  const statements = [
    'set session_replication_role = replica',
    `insert into operator (id, email, email_key, user_handle, created_at)
     select 'opr_m' || lpad(n::text, 25, '0'), 'm' || md5(n::text) || '@example.net', 'm' || md5(n::text) || '@example.net', sha256(n::text::bytea || 'm'), now()
       from generate_series(1, 10000) n`,
    `insert into integration (id, operator_id, slug, status, profile_version, created_at)
     select 'int_m' || lpad(n::text, 25, '0'), 'opr_m' || lpad(n::text, 25, '0'), 'm' || left(md5(n::text), 20), 'sandbox', 1, now() from generate_series(1, 10000) n`,
    `insert into profile_version (integration_id, version, public_name, public_description, purpose, legal_operator_name, country, support_email,
       website_url, privacy_policy_url, terms_of_service_url, order_linking_url, requested_scopes, polling_cadence_minutes, webhook_model,
       terms_version, attribution_accepted_at, created_at, created_by)
     select 'int_m' || lpad(n::text, 25, '0'), 1, 'Name ' || md5('name' || n), 'Words', 'Words', 'Ltd', 'DE', 'help@example.org', 'https://example.org',
            'https://example.org/p', 'https://example.org/t', 'https://example.org/l', '{orders.read}', 15, 'none', 1, now(), now(), 'opr_m' || lpad(n::text, 25, '0')
       from generate_series(1, 10000) n`,
    // One of the integrations has something in each list.
    `insert into profile_version select (jsonb_populate_record(v, '{"version": 2, "minor_revision": true}')).* from profile_version v where integration_id = ${found}`,
    `insert into audit_entry (occurred_at, actor_type, actor_id, action, subject_type, subject_id, operator_id, integration_id)
     select now(), 'operator', operator_id, 'integration.created', 'integration', id, operator_id, id from integration where id = ${found}`,
    `insert into business_model_report (id, operator_id, integration_id, description, reported_at)
     select 'bmr_m', operator_id, id, 'Words', now() from integration where id = ${found}`,
    `insert into review_submission select (jsonb_populate_record(s, jsonb_build_object('id', 'sub_m', 'integration_id', ${found}, 'operator_id', 'opr_m'))).*
       from review_submission s where status = 'rejected' limit 1`,
    `insert into mail (id, kind, subject_id, operator_id, integration_id, details, created_at, sent_at)
     select 'mail_m' || n, 'suspended', 'm' || n, 'opr_m' || lpad((n % 1000)::text, 25, '0'), 'int_m' || lpad((n % 1000)::text, 25, '0'), '{}', now(),
            case when n > 1000 then now() end from generate_series(1, 20000) n`,
    `insert into client (id, integration_id, environment, scopes, created_at) values ('cli_m', ${found}, 'sandbox', '{orders.read}', now())`,
    `insert into graphile_worker._private_jobs (task_id, payload, attempts, last_error)
     select t.id, json_build_object('clientNumber', k.number, 'generation', 1), 3, 'x' from client k join graphile_worker._private_tasks t on t.identifier = 'sendMail' where k.id = 'cli_m'`,
  ];
  // One transaction, as an integration and its first profile version name each other.
  await client.query(statements.join(';'));
  await client.query(
    'vacuum analyze operator, integration, profile_version, audit_entry, review_submission, business_model_report, client, mail, graphile_worker._private_jobs',
  );
  const { rows: texts } = await client.query<{ slug: string; name: string; address: string }>(
    `select substr(i.slug, 3, 12) as slug, substr(v.public_name, 7, 12) as name, substr(o.email, 20) as address
       from integration i join profile_version v on v.integration_id = i.id join operator o on o.id = i.operator_id where i.id = 'int_m' || lpad('777', 25, '0')`,
  );
  const [{ slug: slugPart, name, address } = { slug: '', name: '', address: '' }] = texts;
  for (const [list, search] of [
    [everyIntegration, slugPart],
    [everyIntegration, name],
    [everyIntegration, address],
    [everyOperator, address],
    [everyOperator, slugPart],
  ] as const) {
    const { shown, read } = await readings(
      list === everyOperator ? everyOperator({ search }) : everyIntegration({ search }, 'newest'),
      null,
    );
    expect([search, shown]).toEqual([search, 1]);
    expect([search, read.flatMap(({ sequential }) => sequential)]).toEqual([search, []]);
  }
  const both: OperatorActor = { ...reviewer, roles: ['reviewer', 'administrator'] };
  const others: Readonly<Record<string, List>> = Object.fromEntries([
    ...[slugPart, name, address].flatMap((search) => [
      ...(['integrationId', 'operatorId', 'subjectId', 'actorId'] as const).flatMap((searchIn) =>
        searchIn === 'actorId' && search !== address ? [] : [[`trail, ${searchIn}, ${search}`, trail({ search, searchIn })] as const],
      ),
      [`reports, ${search}`, reports(search, both)] as const,
      [`revisions, ${search}`, revisions(search, both)] as const,
      [`jobs, ${search}`, jobs({ search })] as const,
      [`queue, ${search}`, queue('decided', 'rejected', search, both)] as const,
    ]),
    ...[slugPart, name].flatMap((search) => [
      [`reviewer’s reports, ${search}`, reports(search)] as const,
      [`reviewer’s revisions, ${search}`, revisions(search)] as const,
      [`reviewer’s queue, ${search}`, queue('decided', 'rejected', search)] as const,
    ]),
  ]);
  for (const [which, list] of Object.entries(others)) {
    const { shown, read } = await readings(list, null);
    expect([which, shown > 0 || which.includes('subjectId') || which.startsWith('reviewer’s queue')]).toEqual([which, true]);
    expect([which, read.flatMap(({ sequential }) => sequential).filter((table) => !small.has(table))]).toEqual([which, []]);
    // Reading every failed job by an index would not be a scan either, so the rows are counted.
    expect([which, read.filter(({ rows }) => (rows.get('_private_jobs') ?? 0) > 3 * (shown + 1) + 1)]).toEqual([which, []]);
  }
});
