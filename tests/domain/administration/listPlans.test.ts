import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { createOrm, plannerOptions, type Orm } from '../../../server/database/orm.ts';
import { listServiceTokens, serviceTokenCursor } from '../../../server/domain/access/listServiceTokens.ts';
import { listSessions } from '../../../server/domain/account/listSessions.ts';
import { administeredCursor, allIntegrations } from '../../../server/domain/administration/allIntegrations.ts';
import { failedJobs, jobCursor } from '../../../server/domain/administration/failedJobs.ts';
import { operatorCursor, operators } from '../../../server/domain/administration/operators.ts';
import { auditCursor, auditTrail, type AuditFilter } from '../../../server/domain/audit/auditTrail.ts';
import { gateHistory } from '../../../server/domain/gate/gateHistory.ts';
import { productionIntegrations } from '../../../server/domain/gate/productionIntegrations.ts';
import { catalogue, catalogueCursor } from '../../../server/domain/integration/catalogue.ts';
import { listTerms, termsCursor } from '../../../server/domain/integration/listTerms.ts';
import { minorRevisionCursor, minorRevisions } from '../../../server/domain/integration/minorRevisions.ts';
import { integrationCursor, ownIntegration, ownIntegrations } from '../../../server/domain/integration/ownIntegrations.ts';
import { profileVersions } from '../../../server/domain/integration/profileVersions.ts';
import { statusTimelines } from '../../../server/domain/integration/statusTimeline.ts';
import { ownSubmissions, roundCursor } from '../../../server/domain/review/ownSubmissions.ts';
import { queueAssignees, queueCursor, queueOrders, reviewQueue } from '../../../server/domain/review/reviewQueue.ts';
import type { ReviewRole } from '../../../server/domain/review/ReviewSubmission.ts';
import { messagesOf } from '../../../server/domain/review/submissionParts.ts';
import type { OperatorActor } from '../../../server/domain/shared/actor.ts';
import { ownRevocations, revocationCursor } from '../../../server/domain/sharing/ownRevocations.ts';
import { shares } from '../../../server/domain/sharing/shares.ts';
import { sandboxConnections } from '../../../server/domain/synthetic-data/sandboxConnections.ts';
import { sandboxLinkCodes } from '../../../server/domain/synthetic-data/sandboxLinkCodes.ts';
import { sandboxResources } from '../../../server/domain/synthetic-data/sandboxResources.ts';
import { requestCursor, requests } from '../../../server/domain/usage/requestLog.ts';
import { userRef } from '../../../server/domain/shared/lookupKeys.ts';
import { fillDatabase, idAt } from '../../support/fillDatabase.ts';
import { listenToStatements, readingOf, statementsOf, type Reading } from '../../support/queryPlans.ts';
import { createTestDatabase, type TestDatabase } from '../../support/testDatabase.ts';

const now = new Date('2026-11-20T12:10:00Z');
const first = 20;
const origin = { type: 'operator', ip: '192.0.2.1', requestId: idAt('req', 1) } as const;
const owner: OperatorActor = { ...origin, operatorId: idAt('opr', 1), roles: [] };
const reviewer: OperatorActor = { ...origin, operatorId: idAt('opr', 900), roles: ['reviewer'] };
const administrator: OperatorActor = { ...origin, operatorId: idAt('opr', 906), roles: ['administrator'] };
const lookupKey = Buffer.alloc(32, 1);
const tooling = { type: 'service_token', tokenId: 'svt', environment: 'sandbox', ip: '192.0.2.1', requestId: 'req' } as const;
const slug = 'board-0001';
const clientId = idAt('cli', 2);

/** Tables in which a scan from end to end does not matter: they have one row, or as many as there are kinds of jobs. */
const small = new Set(['service_gate', '_private_tasks']);

type Page = { items: readonly unknown[]; hasNextPage?: boolean };
/** A list, and where its second page begins. */
type List = (em: EntityManager, after: string | null) => Promise<Page & { cursor?: string }>;
type Listed<Item> = { items: readonly Item[]; hasNextPage: boolean };

const last = <Item>({ items, hasNextPage }: Listed<Item>, cursorOf: (item: Item) => string): Page & { cursor?: string } => {
  const item = items.at(-1);
  return { items, ...(hasNextPage && item !== undefined && { cursor: cursorOf(item) }) };
};

const trail =
  (filter: AuditFilter, actor = administrator): List =>
  async (em, after) =>
    last(await auditTrail(em, { actor, own: actor === owner, filter, first, after }), auditCursor);
const everyIntegration =
  (filter: Parameters<typeof allIntegrations>[1]['filter'], order: 'newest' | 'oldest' | 'slug'): List =>
  async (em, after) =>
    last(await allIntegrations(em, { filter, order, first, after }), administeredCursor);
const everyOperator =
  (filter: Parameters<typeof operators>[1]['filter']): List =>
  async (em, after) =>
    last(await operators(em, { filter, first, after }), operatorCursor);
const log =
  (filter: Parameters<typeof requests>[1]['filter']): List =>
  async (em, after) =>
    last(await requests(em, { operatorId: owner.operatorId, clientId, filter, first, after }), requestCursor);
const queue =
  (
    assignee: (typeof queueAssignees)[number],
    order: (typeof queueOrders)[number],
    status: 'submitted' | 'rejected' | 'approved',
    waitingFor: ReviewRole | null = null,
  ): List =>
  async (em, after) =>
    last(await reviewQueue(em, { actor: reviewer, status, waitingFor, assignee, order, first, after }), queueCursor);
const deletions =
  (state: 'outstanding' | 'overdue' | 'acknowledged', order: 'deadline' | 'newest'): List =>
  async (em, after) =>
    last(
      await ownRevocations(em, { operatorId: owner.operatorId, slug, environment: 'sandbox', state, order, first, after, now }),
      revocationCursor,
    );

const rare = 'integration.suspended';
const from = new Date('2026-10-01T00:00:00Z');
const to = new Date('2026-10-20T00:00:00Z');
const lists: Readonly<Record<string, List>> = {
  'integrations of one operator': async (em, after) =>
    last(await ownIntegrations(em, { operatorId: owner.operatorId, first, after }), integrationCursor),
  'all integrations, newest': everyIntegration({}, 'newest'),
  'all integrations, oldest': everyIntegration({}, 'oldest'),
  'all integrations, by slug': everyIntegration({}, 'slug'),
  'all integrations, one status': everyIntegration({ status: 'suspended' }, 'newest'),
  'all integrations, one status, oldest': everyIntegration({ status: 'suspended' }, 'oldest'),
  'all integrations, one status, by slug': everyIntegration({ status: 'suspended' }, 'slug'),
  'all integrations, beginning of a slug': everyIntegration({ search: 'board-02' }, 'newest'),
  'all integrations, beginning of a slug, one status': everyIntegration({ search: 'board-0', status: 'active' }, 'newest'),
  'all integrations, one owner': everyIntegration({ operatorId: owner.operatorId }, 'newest'),
  'integrations with a gate': async (em, after) => productionIntegrations(em, { first, after }),
  operators: everyOperator({}),
  'operators, beginning of an address': everyOperator({ search: 'user' }),
  'operators, one role': everyOperator({ role: 'administrator' }),
  'audit trail, all': trail({}),
  'audit trail, actor': trail({ actorId: owner.operatorId }),
  'audit trail, actor and action': trail({ actorId: owner.operatorId, action: rare }),
  'audit trail, action': trail({ action: rare }),
  'audit trail, subject': trail({ subjectId: idAt('int', 7) }),
  'audit trail, integration': trail({ integrationId: idAt('int', 1) }),
  'audit trail, integration and action': trail({ integrationId: idAt('int', 1), action: rare }),
  'audit trail, operator': trail({ operatorId: owner.operatorId }),
  'audit trail, time': trail({ from, to }),
  'audit trail, operator, action and time': trail({ operatorId: owner.operatorId, action: rare, from, to }),
  'own activity': trail({}, owner),
  'own activity, one integration': trail({ integrationId: idAt('int', 1) }, owner),
  'own activity, action': trail({ action: rare }, owner),
  'timeline of an integration': async (em) => ({ items: (await statusTimelines(em, [idAt('int', 501)]))[0] ?? [] }),
  'history of the service’s gate': (em, after) => gateHistory(em, { first, after }),
  'requests, all': log({}),
  'requests, problems': log({ onlyProblems: true }),
  'requests, one operation': log({ route: 'getOrder' }),
  'requests, one class': log({ statusClass: 'failed' }),
  'deletions, outstanding': deletions('outstanding', 'deadline'),
  'deletions, outstanding, newest': deletions('outstanding', 'newest'),
  'deletions, acknowledged': deletions('acknowledged', 'newest'),
  'sandbox, resources': (em, after) =>
    sandboxResources(em, { actor: owner, clientId, type: null, status: null, connectionId: null, id: null, first, after }),
  'sandbox, connections': (em, after) => sandboxConnections(em, { actor: owner, clientId, first, after }),
  'sandbox, link codes': (em, after) => sandboxLinkCodes(em, { actor: owner, clientId, first, after, now }),
  'shares of a user': (em, after) => shares(em, { actor: tooling, lookupKey, user: 'somebody', first, after }),
  catalogue: async (em, after) => last(await catalogue(em, { environment: 'production', first, after }), catalogueCursor),
  ...Object.fromEntries(
    queueAssignees.flatMap((assignee) =>
      queueOrders.map((order) => [`submissions, ${assignee}, ${order}`, queue(assignee, order, 'submitted')]),
    ),
  ),
  ...Object.fromEntries(
    queueAssignees.map((assignee) => [`submissions, ${assignee}, the owner’s turn`, queue(assignee, 'longest', 'submitted', 'operator')]),
  ),
  'submissions, rejected': queue('anyone', 'newest', 'rejected'),
  'submissions, approved by the viewer': queue('mine', 'newest', 'approved'),
  'submissions of an integration': async (em, after) =>
    last(await ownSubmissions(em, { integration: await ownIntegration(em, owner.operatorId, slug), first, after }), roundCursor),
  'messages of a submission': async (em) => ({ items: (await messagesOf(em, [idAt('sub', 200)]))[0] ?? [] }),
  'minor revisions': async (em, after) => last(await minorRevisions(em, { actor: reviewer, first, after }), minorRevisionCursor),
  'profile versions': (em, after) => profileVersions(em, { integrationId: idAt('int', 1), first, after }),
  terms: async (em, after) => last(await listTerms(em, { first, after }), termsCursor),
  'service tokens': async (em, after) => last(await listServiceTokens(em, { first, after }), serviceTokenCursor),
  'sessions of an operator': (em, after) => listSessions(em, { operatorId: owner.operatorId, first, after, now }),
  'failed jobs': async (em, after) => last(await failedJobs(em, { first, after }), jobCursor),
};

let database: TestDatabase;
let orm: Orm;
let client: pg.Client;
const times: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url, options: plannerOptions });
  await client.connect();
  await fillDatabase(client);
  await client.query(
    `update connection set user_ref = $1 where id in (select id from connection where client_no = 1 order by id limit 30)`,
    [userRef(lookupKey, 'sandbox', 'somebody')],
  );
  listenToStatements();
  orm = await createOrm(database.url, { poolMax: 4 });
  // A connection of each kind of use is open before anything is listened to.
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

/** A page reads one row more than it shows: that one says whether another page follows. */
test.each(Object.entries(lists))('%s: by an index, reading at most three times what it shows', async (name, list) => {
  const page = await readings(list, null);
  expect(page.shown).toBeGreaterThan(0);
  const pages = [page, ...(page.cursor === undefined ? [] : [await readings(list, page.cursor)])];
  for (const { shown, read } of pages) {
    expect(read.flatMap(({ sequential }) => sequential).filter((table) => !small.has(table))).toEqual([]);
    for (const { rows } of read) {
      const excess = [...rows].filter(([table, count]) => !small.has(table) && count > 3 * (shown + 1));
      expect(excess).toEqual([]);
    }
  }
  const [best, second] = pages.map(({ read }) => read.reduce((sum, { milliseconds }) => sum + milliseconds, 0).toFixed(2));
  times.push(`| ${name} | ${page.shown} | ${best} ms | ${second === undefined ? '–' : `${second} ms`} |`);
});
