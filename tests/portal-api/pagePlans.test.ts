import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execute, type DocumentNode } from 'graphql';
import pg from 'pg';
import { allIntegrationsQuery } from '../../portal-web/src/features/administration/integrationQueries.ts';
import { allCertificatesQuery } from '../../portal-web/src/pages/admin/certificates/certificateQueries.ts';
import { adminHomeQuery } from '../../portal-web/src/pages/admin/home/homeQuery.ts';
import { failedJobsQuery } from '../../portal-web/src/pages/admin/jobs/jobQueries.ts';
import { operatorsQuery } from '../../portal-web/src/features/administration/operatorQueries.ts';
import { serviceTokensQuery } from '../../portal-web/src/pages/admin/tokens/tokenQueries.ts';
import { auditTrailQuery } from '../../portal-web/src/features/audit/auditQuery.ts';
import { certificatesPage, clientCertificatesQuery } from '../../portal-web/src/pages/integration/certificates/certificateQueries.ts';
import { productionIntegrationsQuery, serviceGateHistoryQuery } from '../../portal-web/src/pages/admin/gate/gateQueries.ts';
import { homeQuery } from '../../portal-web/src/pages/integration/home/homeQuery.ts';
import { inboxQuery } from '../../portal-web/src/pages/account/inbox/inboxQueries.ts';
import { overviewQuery } from '../../portal-web/src/pages/integration/overview/overviewQuery.ts';
import { createOrm, type Orm } from '../../server/database/orm.ts';
import { createLoaders } from '../../server/portal-api/loaders.ts';
import { portalSchema } from '../../server/portal-api/portalSchema.ts';
import { createFullDatabase, idAt } from '../support/database/fullDatabase.ts';
import { listenToStatements, optionsOf, readingOf, statementsOf } from '../support/database/queryPlans.ts';
import { serviceFacts } from '../support/portals/serviceFacts.ts';
import type { TestDatabase } from '../support/run/testDatabase.ts';

const now = new Date('2026-11-20T12:10:00Z');
const first = 20;
const administrator = { operatorId: idAt('opr', 906), roles: ['administrator'] };
const owner = { operatorId: idAt('opr', 1), roles: [] };
/** Somebody with one integration. Of the owner of 300, a third of some tables is read. */
const other = { operatorId: idAt('opr', 500), roles: [] };

/** What the pages send, with everything that they show besides the rows of the list itself. */
const pages: Readonly<Record<string, { by: typeof administrator; document: DocumentNode; variables: Record<string, unknown> }>> = {
  'all integrations': { by: administrator, document: allIntegrationsQuery, variables: { filter: {}, order: 'newest' } },
  'all certificates': { by: administrator, document: allCertificatesQuery, variables: { filter: {} } },
  'certificates in use': { by: administrator, document: allCertificatesQuery, variables: { filter: { status: 'issued' } } },
  operators: { by: administrator, document: operatorsQuery, variables: { filter: {}, order: 'newest' } },
  'gates of integrations': { by: administrator, document: productionIntegrationsQuery, variables: {} },
  'the history of the gate': { by: administrator, document: serviceGateHistoryQuery, variables: {} },
  'service tokens': { by: administrator, document: serviceTokensQuery, variables: { order: 'newest' } },
  'failed jobs': { by: administrator, document: failedJobsQuery, variables: { filter: {}, order: 'newest' } },
  'the administrators’ home': { by: administrator, document: adminHomeQuery, variables: {} },
  'audit trail': { by: administrator, document: auditTrailQuery, variables: { own: false, filter: {} } },
  activity: { by: owner, document: auditTrailQuery, variables: { own: true, filter: { integrationId: idAt('int', 1) } } },
  'certificates of a client': {
    by: owner,
    document: clientCertificatesQuery,
    variables: certificatesPage('board-0001', idAt('cli', 2), { after: null, chosen: null }),
  },
  home: { by: other, document: homeQuery, variables: { first } },
  'the overview of an integration': { by: owner, document: overviewQuery, variables: { slug: 'board-0001' } },
  inbox: { by: other, document: inboxQuery, variables: { unread: false, first } },
};

/** These show something of every part of the service, each part with statements of its own. */
const manyParts = new Set([
  'home',
  'all integrations',
  'the administrators’ home',
  'the overview of an integration',
  'inbox',
  'certificates of a client',
]);

let database: TestDatabase;
let orm: Orm;
let client: pg.Client;
beforeAll(async () => {
  database = await createFullDatabase();
  client = new pg.Client({ connectionString: database.url, options: optionsOf('portal') });
  await client.connect();
  listenToStatements();
  orm = await createOrm(database.url, { poolMax: 4 });
  await orm.em.fork().getConnection().execute('select 1');
}, 240_000);
afterAll(async () => {
  await orm?.close(true);
  await client?.end();
  await database?.drop();
});

/** Tables in which a scan from end to end does not matter, because they have one row, or as many as there are kinds of jobs or authorities. */
const small = new Set(['service_gate', 'health_judgement', '_private_tasks', 'certificate_authority', 'certificate_revocation_list']);
/** Tables that nobody fills here. */
const empty = new Set(['account_reset', 'usage_counter', 'quota_override', 'review_verdict', 'submission_draft', 'terms_acceptance']);

test.each(Object.entries(pages))('the page %s reads no table from end to end, whatever it shows beside its rows', async (name, page) => {
  const schema = await portalSchema();
  const em = orm.em.fork();
  const session = { ...page.by, id: 'ses_x', kind: 'full', email: 'x', confirmedUntil: null, expiresAt: now, generation: 0 };
  const visitor = { ip: '192.0.2.1', source: '192.0.2.1', userAgent: 'test', requestId: 'req_x' };
  const context = {
    em,
    clock: { now: () => now },
    loaders: createLoaders(em),
    session,
    serviceToken: null,
    visitor,
    facts: serviceFacts,
    asOwner: null,
    note: () => {},
    readBehind: <Found>(read: (behind: typeof em) => Promise<Found>) => read(em),
  };
  const { result, statements } = await statementsOf(async () =>
    execute({ schema, document: page.document, variableValues: page.variables, contextValue: context }),
  );
  expect(result.errors).toBeUndefined();
  const scanned: string[] = [];
  // A count has to read what it counts.
  for (const statement of statements.filter(({ text }) => /^\s*(select|with)/i.test(text) && !/count\(/.test(text.slice(0, 60)))) {
    const { sequential } = await readingOf(client, statement);
    scanned.push(...sequential.filter((table) => !small.has(table) && !empty.has(table)));
  }
  expect(scanned).toEqual([]);
  // One statement for each kind, not one for each row.
  expect(statements.length).toBeLessThanOrEqual(manyParts.has(name) ? 36 : 12);
});
