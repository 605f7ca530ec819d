import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openUsageClient } from '../../../rest-api/database/databaseClients.ts';
import type { Orm } from '../../../server/database/orm.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import { usageLimits } from '../../../server/domain/usage/usageLimits.ts';
import { planName, sql } from '../../../server/domain/shared/sql.ts';
import { requests } from '../../../server/domain/usage/requestLog.ts';
import { requestByIdSql, requestLogSql } from '../../../server/domain/usage/requestLog.sql.ts';
import { writeUsage } from '../../../server/domain/usage/writeUsage.ts';
import { finishedRequest } from '../../support/world/finishedRequests.ts';
import type { Fixtures, TestClient } from '../../support/world/Fixtures.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';
import { itemsOf } from '../../support/clients/pages.ts';

let world: World;
let fixtures: Fixtures;
let orm: Orm;
let client: TestClient;
let found: string;
let stranger: TestClient;
beforeAll(async () => {
  world = await openWorld();
  ({ orm, fixtures } = world);
  const authority = await fixtures.authorities();
  [client, stranger] = [await fixtures.client(), await fixtures.client()];
  const certificate = await fixtures.certificate(authority, client);
  const usage = openUsageClient(world.urls.machineApi);
  const at = new Date('2026-11-21T10:00:00.000Z').getTime();
  const statuses = [200, 304, 403, 404, 499, 503];
  // Every two requests share a millisecond, so that the request ID decides their order.
  const batch = Array.from({ length: 60 }, (_, n) => {
    const status = statuses[n % statuses.length] ?? 200;
    const problem = status === 403 ? 'scope_required' : status === 404 ? 'not_found' : status === 503 ? 'temporarily_unavailable' : null;
    return finishedRequest(client, certificate, {
      occurredAt: new Date(at + Math.floor(n / 2)),
      operation: n % 4 === 0 ? 'getSync' : 'getOrder',
      status,
      problem,
    });
  });
  found = batch[2]?.requestId ?? '';
  await writeUsage(usage.query, batch);
  await usage.close();
});
afterAll(() => world.close());

type RequestFilter = Parameters<typeof requests>[1]['filter'];

const now = new Date('2026-11-21T10:01:00Z');
const read = (
  filter: RequestFilter = {},
  {
    first = 100,
    after = null as string | null,
    of = client,
    clientId = client.id,
    at = now,
    known = undefined as string[] | undefined,
    within = undefined as number | undefined,
  } = {},
) => requests(orm.em.fork(), { reader: { operatorId: of.operatorId, roles: [] }, clientId, filter, known, within, now: at, first, after });

test('requests come newest first, page by page, each exactly once', async () => {
  const all = itemsOf(await read());
  expect(all).toHaveLength(60);
  expect(all.map(({ occurredAt, id }) => `${occurredAt.toISOString()} ${id}`)).toEqual(
    all
      .map(({ occurredAt, id }) => `${occurredAt.toISOString()} ${id}`)
      .toSorted()
      .toReversed(),
  );
  const paged: string[] = [];
  let after: string | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof read>> = await read({}, { first: 7, after });
    paged.push(...itemsOf(page).map(({ id }) => id));
    if (!page.pageInfo.hasNextPage) break;
    after = page.pageInfo.endCursor;
  }
  expect(paged).toEqual(all.map(({ id }) => id));
});

test.each<[string, RequestFilter, (row: { status: number; operation: string }) => boolean]>([
  ['2xx', { statusClass: 'succeeded' }, ({ status }) => status === 200],
  ['304', { statusClass: 'unchanged' }, ({ status }) => status === 304],
  ['4xx, hung-up callers with them', { statusClass: 'refused' }, ({ status }) => status >= 400 && status < 500],
  ['5xx', { statusClass: 'failed' }, ({ status }) => status === 503],
  ['only problems', { onlyProblems: true }, ({ status }) => status >= 400],
  ['one operation', { operation: 'getSync' }, ({ operation }) => operation === 'getSync'],
  [
    'problems of one operation',
    { operation: 'getOrder', onlyProblems: true },
    ({ operation, status }) => operation === 'getOrder' && status >= 400,
  ],
  ['a contradiction: problems that succeeded', { statusClass: 'succeeded', onlyProblems: true }, () => false],
])('the filter “%s” shows exactly these', async (_name, filter, wanted) => {
  const all = itemsOf(await read());
  expect(itemsOf(await read(filter))).toEqual(all.filter(wanted));
});

test('a request is found by its id; one of another client is not', async () => {
  expect(itemsOf(await read({ requestId: found })).map(({ id, problem }) => [id, problem])).toEqual([[found, 'scope_required']]);
  expect(itemsOf(await read({ requestId: newId('req') }))).toEqual([]);
  expect(itemsOf(await read({ requestId: found, statusClass: 'succeeded' }))).toEqual([]);
});

test.each<[string, Parameters<typeof read>]>([
  ['first', [{}, { first: 0 }]],
  ['first', [{}, { first: 101 }]],
  ['after', [{}, { after: 'AAAA' }]],
  ['filter.requestId', [{ requestId: "req_' or 1=1" }]],
  ['filter.operation', [{ operation: '/v1/sync' }]],
  ['filter.problem', [{ problem: 'toString' }]],
  ['filter.serial', [{ serial: 'AB:CD' }]],
  ['filter.status', [{ status: 99 }]],
  ['filter.to', [{ from: now, to: now }]],
  ['known', [{}, { known: Array.from({ length: 101 }, () => newId('req')) }]],
  ['known', [{}, { known: ['crt_x'] }]],
  ['within', [{}, { within: 0 }]],
  ['within', [{}, { within: 3_601 }]],
])('what does not fit is refused at its field: %s', async (path, asked) => {
  await expect(read(...asked)).rejects.toMatchObject({ code: 'invalid_request', fields: [{ path }] });
});

test.each<[string, RequestFilter, (row: { status: number; problem: string | null; occurredAt: Date }) => boolean]>([
  ['one status', { status: 404 }, ({ status }) => status === 404],
  ['one problem', { problem: 'scope_required' }, ({ problem }) => problem === 'scope_required'],
  ['a problem and another status', { problem: 'scope_required', status: 404 }, () => false],
  [
    'a time',
    { from: new Date('2026-11-21T10:00:00.010Z'), to: new Date('2026-11-21T10:00:00.020Z') },
    ({ occurredAt }) => occurredAt.getMilliseconds() >= 10 && occurredAt.getMilliseconds() < 20,
  ],
  ['a time that is over', { to: new Date('2026-11-01T00:00:00Z') }, () => false],
])('the filter “%s” shows exactly these, page by page too', async (_name, filter, wanted) => {
  const all = itemsOf(await read()).filter(wanted);
  expect(itemsOf(await read(filter))).toEqual(all);
  const { edges, pageInfo } = await read(filter, { first: 3 });
  if (pageInfo.endCursor) expect(itemsOf(await read(filter, { after: pageInfo.endCursor }))).toEqual(all.slice(edges.length));
});

test('the requests of one certificate are those with its serial', async () => {
  const all = itemsOf(await read());
  expect(itemsOf(await read({ serial: all[0]?.serial ?? null }))).toEqual(all);
  expect(itemsOf(await read({ serial: 'abcdef' }))).toEqual([]);
});

test('a page that has requests already is sent only those that are new, late ones too', async () => {
  const all = itemsOf(await read());
  const late = all[3];
  const known = all.filter((each) => each !== late).map(({ id }) => id);
  const from = all.at(-1)?.occurredAt ?? null;
  expect(itemsOf(await read({ from }, { known }))).toEqual([late]);
  expect(itemsOf(await read({ from }, { known: all.map(({ id }) => id) }))).toEqual([]);
});

test('a live log reads the last seconds by the clock of the service, and never more than an hour', async () => {
  const after = (seconds: number) => new Date(new Date('2026-11-21T10:00:00.010Z').getTime() + seconds * 1000);
  expect(itemsOf(await read({}, { at: after(68), within: 68 }))).toHaveLength(40);
  expect(itemsOf(await read({ from: after(-3_600) }, { at: after(68), within: 68 }))).toHaveLength(40);
  expect(itemsOf(await read({ from: after(0.01) }, { at: after(68), within: 68 }))).toHaveLength(20);
  expect(itemsOf(await read({}, { at: after(3_600), known: [] }))).toHaveLength(40);
});

test('another operator’s log is not found', async () => {
  await expect(read({}, { of: stranger })).rejects.toMatchObject({ code: 'not_found' });
});

test('a request is shown for seven days, and not for the rest of its day', async () => {
  const last = new Date('2026-11-28T10:00:00Z');
  expect(itemsOf(await read({}, { at: last }))).toHaveLength(58);
  expect(itemsOf(await read({}, { at: new Date(last.getTime() + 60_000) }))).toEqual([]);
  expect(itemsOf(await read({ requestId: found }, { at: new Date(last.getTime() + 60_000) }))).toEqual([]);
});

test('every list reads by index alone, day by day, also among 100,000 requests of a week', async () => {
  const end = new Date('2026-11-15T02:00:00Z');
  await fixtures.sql`select make_partitions('2026-11-08')`;
  await fixtures.sql`insert into request_log (client_number, occurred_at, request_id, method, route, status, duration_ms)
    select ${stranger.number}, ${end}::timestamptz - n * interval '6 seconds', 'req_' || lpad(n::text, 26, '0'), 'GET',
           (array['getSync', 'getOrder', 'getVehicle'])[1 + n % 3], case when n % 1000 = 0 then 403 when n % 3 = 0 then 304 else 200 end, 1
      from generate_series(1, 100000) n`;
  await fixtures.sql`vacuum analyze request_log`;
  const from = new Date(end.getTime() - usageLimits.requestLogKept);
  const beyond = 'req_00000000000000000000050000';
  const [clientNumber, count] = [stranger.number, 51];
  const every = { clientNumber, count, classes: [2, 3, 4, 5] };
  for (const { text, values } of [
    requestLogSql(every, [from, end]),
    requestLogSql({ ...every, classes: [4, 5] }, [from, end]),
    requestLogSql({ ...every, classes: [2], operation: 'getVehicle' }, [from, end]),
    requestLogSql({ ...every, operation: 'getSync', last: [end, beyond] }, [from, end]),
    { text: requestByIdSql, values: [clientNumber, beyond, from, end] },
  ]) {
    const rows = await fixtures.sql.unsafe(`explain ${text}`, [...values] as never[]);
    const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n');
    expect(plan).toMatch(/Index Scan using request_log_20261115_\w+ on request_log_20261115/);
    // There are only two certificates in this test, so reading both is faster than looking one up, and of a class that a day hardly has, all
    // operations. Neither days outside the week nor what had no partition is read, and days follow each other instead of being merged. A filter that was not given is none.
    expect(plan.replaceAll('One-Time Filter: false', '')).not.toMatch(
      /Seq Scan on (?!certificate)|Bitmap|Filter: (?!\(route)|request_log_default|202611(07|16)/,
    );
    expect(plan.match(/Merge Append/g)?.length ?? 0).toBeLessThanOrEqual(1);
  }
  // What a live page asks for every few seconds reads the newest lines of a day alone.
  const live = requestLogSql({ ...every, known: [beyond] }, [new Date(end.getTime() - 30_000), end]);
  const [plan] = await fixtures.sql.unsafe(`explain (analyze, format json) ${live.text}`, [...live.values] as never[]);
  expect(JSON.stringify(plan)).not.toContain('Seq Scan on request_log');
  expect(JSON.stringify(plan).match(/"Shared Hit Blocks":(\d+)/)?.[1] ?? '0').toMatch(/^\d{1,2}$/);
  // One in an hour and forty minutes, over three midnights.
  const page = await read({ onlyProblems: true }, { first: 50, of: stranger, clientId: stranger.id, at: end });
  expect(itemsOf(page).map(({ id }) => Number(id.slice(4)))).toEqual(Array.from({ length: 50 }, (_, index) => 1_000 * (index + 1)));
  expect(itemsOf(page).map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 403));
});

test('a connection plans a page of the log once, and its plan reads the asked days alone and by index', async () => {
  const [from, end] = [new Date('2026-11-08T02:00:00Z'), new Date('2026-11-15T02:00:00Z')];
  const asked = { clientNumber: stranger.number, count: 51 };
  const pages = [
    { ...requestLogSql({ ...asked, classes: [2, 3, 4, 5] }, [from, end]), by: 'client_number_expr_' },
    {
      ...requestLogSql({ ...asked, classes: [4], operation: 'getSync' }, [from, end]),
      by: 'client_number_route_',
    },
    {
      ...requestLogSql({ ...asked, classes: [4, 5], problem: 'scope_required' }, [from, end]),
      by: 'client_number_problem_',
    },
    { text: requestByIdSql, values: [stranger.number, 'req_00000000000000000000050000', from, end], by: 'pkey' },
  ];
  await orm.em.fork().transactional(async (em) => {
    for (const { text, values, by } of pages) {
      const run = async (times: number) => {
        for (let time = 0; time < times; time += 1) await sql(em, text, values);
        const [plans] = await sql<{ generic: number; custom: number }>(
          em,
          'select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements where name = $1',
          [planName(text)],
        );
        return plans;
      };
      // PostgreSQL plans the first five for what is asked, and compares.
      const before = await run(10);
      expect(await run(3)).toEqual({ generic: (before?.generic ?? 0) + 3, custom: before?.custom });
      const given = values.map((value) => literalOf(value)).join(', ');
      const rows = await sql<{ 'QUERY PLAN': string }>(em, `explain (analyze) execute ${planName(text)} (${given})`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('Subplans Removed');
      const indexes = plan.match(/(?<=using request_log_\d{8}_)\w+/g) ?? [];
      expect(new Set(indexes.map((name) => name.slice(0, by.length)))).toEqual(new Set([by]));
      expect(plan).not.toMatch(/Seq Scan on request_log|Bitmap|request_log_202611(07|16)/);
    }
  });
});

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  if (value instanceof Date) return `'${value.toISOString()}'`;
  return `'${value as string | number}'`;
}
