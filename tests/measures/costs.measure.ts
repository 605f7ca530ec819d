import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execute, type DocumentNode } from 'graphql';
import { adminHomeQuery } from '../../portal-web/src/pages/admin/home/homeQuery.ts';
import { homeQuery } from '../../portal-web/src/pages/integration/home/homeQuery.ts';
import { frameQuery } from '../../portal-web/src/graphql/frameQuery.ts';
import { searchQuery } from '../../portal-web/src/features/search/searchQuery.ts';
import { overviewQuery } from '../../portal-web/src/pages/integration/overview/overviewQuery.ts';
import { createOrm, type Orm } from '../../server/database/orm.ts';
import { createLoaders } from '../../server/portal-api/loaders.ts';
import { portalSchema } from '../../server/portal-api/portalSchema.ts';
import { createFullDatabase, idAt } from '../support/database/fullDatabase.ts';
import { runOn, type TestDatabase } from '../support/run/testDatabase.ts';
import { serviceFacts } from '../support/portals/serviceFacts.ts';
import { report, type Measure } from './report.ts';

const now = new Date('2026-11-20T12:10:00Z');
type Reader = { readonly operatorId: string; readonly roles: readonly string[] };
const administrator: Reader = { operatorId: idAt('opr', 906), roles: ['administrator'] };
const owner: Reader = { operatorId: idAt('opr', 1), roles: [] };
/** Gets 66 of the owner's integrations in the end, as many as somebody busy has. */
const neighbour: Reader = { operatorId: idAt('opr', 2), roles: [] };
const times = 60;
/**
 * Of so many rounds, what counts is the one in the middle: for seconds on end, a machine that others share takes twice as long. A person’s searches are
 * limited, and far below their goals.
 */
const roundsOf = (document: DocumentNode) => (document === searchQuery ? 1 : 5);
/**
 * A process that has just started plans its statements and compiles its code, which for the thousand integrations of a home goes on for about forty
 * answers: so many are not counted. The first is told by itself.
 */
const unmeasured = 50;

/**
 * One owner has all 1,000 integrations, with a few submissions each, and the log 1,000,000 requests of all their clients, of whom one in twenty
 * is refused something in each hour.
 */
const larger = [
  `set statement_timeout = 0;
set session_replication_role = replica;
update integration set operator_id = '${owner.operatorId}';
delete from review_submission where round < 96;
insert into request_log (client_number, occurred_at, request_id, method, route, status, problem_code, serial, duration_ms)
select n % 2000 + 1, timestamptz '2026-11-20T12:00:00Z' - (n % 100000) * interval '6 seconds', 'req_' || lpad((100000 + n)::text, 26, '0'), 'GET', 'getSync',
       case when n % 20 = 0 then 429 when n % 2 = 0 then 304 else 200 end, case when n % 20 = 0 then 'rate_limit_exceeded' end, 'ab', 4
  from generate_series(1, 900000) n;
insert into usage_counter (client_number, hour, route, status, count)
select c, timestamptz '2026-11-20T12:00:00Z' - h * interval '1 hour', 'getSync', s, 20
  from generate_series(1, 2000) c, generate_series(0, 47) h, unnest(array[200, 304, 429]) s
 where s <> 429 or c % 20 = 1;
`,
  'vacuum analyze',
];

let database: TestDatabase;
let orm: Orm;
beforeAll(async () => {
  database = await createFullDatabase();
  for (const statement of larger) await runOn(database.url, statement);
  orm = await createOrm(database.url, { poolMax: 4 });
}, 600_000);
afterAll(async () => {
  await orm?.close(true);
  await database?.drop();
});

type Asked = {
  readonly what: string;
  readonly by: Reader;
  readonly document: DocumentNode;
  readonly variables: object;
  readonly atMost: number;
};

const find = (what: string, by: Reader, text: string): Asked => ({
  what: `find: ${what}`,
  by,
  document: searchQuery,
  variables: { text },
  atMost: 50,
});
/** What depends on how many integrations somebody has. */
const ofOwner = (by: Reader, integrations: string): readonly Asked[] => [
  { what: `home, 20 of ${integrations}`, by, document: homeQuery, variables: { first: 20 }, atMost: 100 },
  { what: `the number in the header, ${integrations}`, by, document: frameQuery, variables: {}, atMost: 100 },
];
const asked: readonly Asked[] = [
  ...ofOwner(owner, '1,000 integrations'),
  { what: 'an overview', by: owner, document: overviewQuery, variables: { slug: 'board-0001' }, atMost: 100 },
  { what: 'the administrators’ home', by: administrator, document: adminHomeQuery, variables: {}, atMost: 150 },
  find('a request of one’s own, whole', owner, idAt('req', 500_000)),
  find('a request of anybody’s, whole', administrator, idAt('req', 500_000)),
  find('the beginning of a connection', owner, 'con_00000000000000000000012'),
  find('a slug', administrator, 'board-0500'),
  find('part of a name', owner, 'board'),
  find('an address', administrator, 'user500@example.org'),
  find('nothing', owner, 'nobody-has-this'),
];

test('costs of what every page asks the service, of one in twenty, at 1,000 integrations and 1,000,000 requests', async () => {
  const measures = await measuresOf(asked);
  await runOn(database.url, `update integration set operator_id = '${neighbour.operatorId}' where slug <= 'board-0066'`);
  report('Costs on the server', [...measures, ...(await measuresOf(ofOwner(neighbour, '66 integrations')))]);
}, 900_000);

async function measuresOf(questions: readonly Asked[]): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const { what, by, document, variables, atMost } of questions) {
    const first = await answerTime(by, document, variables);
    for (let time = 1; time < unmeasured; time += 1) await answerTime(by, document, variables);
    const taken: number[] = [];
    const ofRounds: number[] = [];
    const rounds = roundsOf(document);
    for (let round = 0; round < rounds; round += 1) {
      const ofRound: number[] = [];
      for (let time = 0; time < times; time += 1) ofRound.push(await answerTime(by, document, variables));
      taken.push(...ofRound);
      ofRounds.push(inOrder(ofRound)[Math.ceil(times * 0.95) - 1] ?? 0);
    }
    const [fastest = 0] = inOrder(taken);
    const p95 = inOrder(ofRounds)[(rounds - 1) / 2] ?? 0;
    measures.push({ what: `${what} (first ${first.toFixed(1)} ms, fastest ${fastest.toFixed(1)} ms)`, today: p95, atMost, unit: 'ms' });
  }
  return measures;
}

const inOrder = (taken: readonly number[]): number[] => taken.toSorted((one, other) => one - other);

/** Milliseconds from a document to its answer, without HTTP. */
async function answerTime(by: Reader, document: DocumentNode, variableValues: object): Promise<number> {
  const em = orm.em.fork();
  const session = { ...by, id: 'ses_x', kind: 'full', email: 'x', confirmedUntil: null, expiresAt: now, generation: 0 };
  const contextValue = {
    em,
    clock: { now: () => now },
    loaders: createLoaders(em),
    session,
    serviceToken: null,
    visitor: { ip: '192.0.2.1', source: '192.0.2.1', userAgent: 'test', requestId: 'req_x' },
    facts: serviceFacts,
    asOwner: null,
    note: () => {},
  };
  const schema = await portalSchema();
  const before = performance.now();
  const result = await execute({ schema, document, variableValues: variableValues as Record<string, unknown>, contextValue });
  const taken = performance.now() - before;
  expect(result.errors).toBeUndefined();
  return taken;
}
