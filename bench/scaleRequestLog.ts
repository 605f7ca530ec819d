import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { retention } from '../server/domain/retention/retention.ts';
import { limits } from '../server/domain/shared/limits.ts';
import { usageLimits } from '../server/domain/usage/usageLimits.ts';
import type { Query } from '../server/domain/shared/query.ts';
import { planName } from '../server/domain/shared/sql.ts';
import { type AskedRequests, lastDayFirst, type LogRange, requestByIdSql, requestLogSql } from '../server/domain/usage/requestLog.sql.ts';
import { writeUsageSql } from '../server/domain/usage/writeUsage.sql.ts';
import type { CleanUps } from './CleanUps.ts';
import { createDatabase } from './createDatabase.ts';
import { median } from './measure.ts';

const clients = 2_000;
const day = 24 * 60 * 60 * 1000;
/** The same rows without partitions, as they were kept before. */
const flat = 'request_log_flat';

/** A page: what is asked of a client's log, beside the client, the number of rows and the range. */
type Asked = { readonly name: string; readonly until: Date; readonly conditions?: Partial<AskedRequests> };

/** 20 million lines of the request log over seven days, beside the same in one table that is cleaned up row by row. */
export async function scaleRequestLog(serverUrl: string, options: ReadonlySet<string>, cleanUps: CleanUps): Promise<void> {
  const rows = options.has('--quick') ? 2_000_000 : 20_000_000;
  // Seven whole days, the oldest of which may just go.
  const now = new Date((Math.floor(Date.now() / day) - 1) * day - 1);
  const url = await createDatabase(serverUrl, 'request_log');
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  cleanUps.add(() => db.end());
  const query: Query = async <Row>(text: string, values: readonly (string | number | null)[]) =>
    (await db.query(text, [...values])).rows as Row[];

  const startedAt = performance.now();
  await fill(db, rows, now);
  console.log(`${rows.toLocaleString('en')} lines, twice, in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  await measurePages(db, rows, now);
  await measureWriting(query, now);
  await measureRemoval(url, query, now);
}

/** A tenth of all lines belong to one client. The tables get their indexes afterwards. */
async function fill(db: pg.Client, rows: number, now: Date): Promise<void> {
  await db.query('select make_partitions($1)', [new Date(now.getTime() - usageLimits.requestLogKept + 1)]);
  await db.query(`create table ${flat} (like request_log including defaults)`);
  const { rows: indexes } = await db.query<{ name: string; definition: string }>(
    `select c.relname as name, replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ') as definition from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = 'request_log'::regclass and not i.indisprimary`,
  );
  for (const { name } of indexes) await db.query(`drop index ${name}`);
  await db.query(
    `alter table request_log drop constraint request_log_pkey; set maintenance_work_mem = '1GB'; set synchronous_commit = off`,
  );
  await db.query(
    `insert into request_log (client_number, occurred_at, request_id, method, route, status, problem_code, certificate_id, serial, duration_ms)
     select case when n % 10 = 0 then 1 else 2 + n % ${clients - 1} end, $1::timestamptz - (n - 1) * ($2::float8 / $3) * interval '1 millisecond', ${requestId('n')}, 'GET',
            (array['getSync', 'getSync', 'getSync', 'getOrder', 'getVehicle'])[1 + n % 5], (array[200, 304, 304, 304, 200, 304, 429])[1 + n % 7],
            case when n % 7 = 6 then 'rate_limit_exceeded' end, 'crt_' || lpad((n % ${clients})::text, 26, '0'), md5((n % ${clients})::text) || '12345678', 4.5
       from generate_series(1, $3::int) n`,
    [now, usageLimits.requestLogKept - 1, rows],
  );
  await db.query(`insert into ${flat} select * from request_log`);
  await db.query('alter table request_log add primary key (request_id, client_number, occurred_at)');
  await db.query(`alter table ${flat} add primary key (client_number, request_id)`);
  for (const { name, definition } of indexes) {
    await db.query(definition);
    await db.query(definition.replace(name, `${flat}_${name}`).replace('public.request_log ', `public.${flat} `));
  }
  await db.query(`create index ${flat}_age on ${flat} (occurred_at)`);
  await db.query('vacuum (analyze) request_log');
  await db.query(`vacuum (analyze) ${flat}`);
}

const requestIdOf = (n: number) => `req_${createHash('md5').update(String(n)).digest('hex').slice(0, 26)}`;
/** The same in SQL. */
const requestId = (n: string) => `'req_' || left(md5(${n}::text), 26)`;

/**
 * Milliseconds of a page, in turn: of one table, planned each time, as it was read before; of one table and of the partitions as the portal reads
 * them, which keeps the plans of each connection.
 */
async function measurePages(db: pg.Client, rows: number, now: Date): Promise<void> {
  const from = new Date(now.getTime() - usageLimits.requestLogKept);
  const until = new Date(now.getTime() + 1);
  const middle = new Date(now.getTime() - usageLimits.requestLogKept / 2);
  const reads: Asked[] = [
    { name: 'first page', until },
    { name: 'a page of days ago', until: middle, conditions: { last: [middle, 'req_0'] } },
    { name: 'problems', until, conditions: { classes: [4, 5] } },
    { name: 'failed (none)', until, conditions: { classes: [5] } },
    { name: 'one operation', until, conditions: { operation: 'getOrder' } },
  ];
  const read = async (text: string, values: readonly unknown[], name?: string): Promise<unknown[]> =>
    (await db.query({ name, text, values: [...values] })).rows;
  const kept = (text: string, values: readonly unknown[]) => read(text, values, planName(text));
  const keptInFlat = (text: string, values: readonly unknown[]) => read(inFlat(text), values, `flat_${planName(text)}`);
  const inFlat = (text: string) => text.replaceAll('from request_log r', `from ${flat} r`);
  console.log(`\nmilliseconds of a page of 50 (medians of 200)        one table, planned each time  one table  partitions`);
  // A day has 51 lines of a client that calls often, and of one that does not, a week has.
  for (const [whose, clientOf] of [
    ['an integration that calls every few seconds', () => 1],
    ['one that calls every minute or so', (round: number) => 2 + ((round * 37) % (clients - 2))],
  ] as const) {
    for (const { name, until: end, conditions } of reads) {
      const page = (round: number, count: number, range: LogRange) =>
        requestLogSql({ clientNumber: clientOf(round), count, classes: [2, 3, 4, 5], ...conditions }, range);
      await compare(`${name}, ${whose}`, {
        planned: (round) => {
          const { text, values } = page(round, 51, [from, end]);
          return read(inFlat(text), values);
        },
        flat: (round) => {
          const { text, values } = page(round, 51, [from, end]);
          return keptInFlat(text, values);
        },
        parts: (round) =>
          lastDayFirst([from, end], 51, (range, most) => {
            const { text, values } = page(round, most, range);
            return kept(text, values);
          }),
      });
    }
  }
  // Any of the week's.
  const id = (round: number) => requestIdOf(10 * (1 + ((round * 7_919_123) % (rows / 10))));
  await compare('one request by its ID', {
    planned: (round) => read(inFlat(requestByIdSql), [1, id(round), from, until]),
    flat: (round) => keptInFlat(requestByIdSql, [1, id(round), from, until]),
    parts: (round) => lastDayFirst([from, until], 1, (range) => kept(requestByIdSql, [1, id(round), ...range])),
  });
}

const sidesOf = ['planned', 'flat', 'parts'] as const;

async function compare(
  name: string,
  sides: Readonly<Record<(typeof sidesOf)[number], (round: number) => Promise<unknown>>>,
): Promise<void> {
  const times = { planned: [] as number[], flat: [] as number[], parts: [] as number[] };
  for (let round = 0; round < 210; round += 1) {
    for (const side of sidesOf) {
      const startedAt = performance.now();
      await sides[side](round);
      if (round >= 10) times[side].push(performance.now() - startedAt);
    }
  }
  console.log(`${name.padEnd(70)}  ${sidesOf.map((side) => median(times[side]).toFixed(2).padStart(9)).join('  ')}`);
}

let written = 0;

/** One batch of the usage writer. */
function batchAt(now: Date): [string, string, string] {
  const requests = Array.from({ length: usageLimits.usageBatch }, () => {
    written += 1;
    const client = 1 + (written % clients);
    return {
      client_number: client,
      certificate_id: `crt_${String(client).padStart(26, '0')}`,
      occurred_at: now,
      request_id: `req_w${String(written).padStart(25, '0')}`,
      method: 'GET',
      route: 'getSync',
      status: 304,
      duration_ms: 4,
      logged: true,
      serial: 'x',
      certificate_accepted: false,
    };
  });
  return [JSON.stringify(requests), '[]', '[]'];
}

const writeInto = (table: string) => writeUsageSql.replace('insert into request_log ', `insert into ${table} `);

async function measureWriting(query: Query, now: Date): Promise<void> {
  // No client is on record in this database.
  await query('set session_replication_role = replica', []);
  const rates: Record<string, number[]> = { flat: [], parts: [] };
  for (let round = 0; round < 60; round += 1) {
    for (const [side, table] of [
      ['flat', flat],
      ['parts', 'request_log'],
    ] as const) {
      const batch = batchAt(now);
      const startedAt = performance.now();
      await query(writeInto(table), batch);
      if (round >= 10) rates[side]?.push(performance.now() - startedAt);
    }
  }
  console.log(
    `\nmilliseconds of a batch of ${usageLimits.usageBatch} requests (median): one table ${median(rates['flat'] ?? []).toFixed(1)}, partitions ${median(rates['parts'] ?? []).toFixed(1)}`,
  );
}

/** The oldest day goes, while batches are written all the time. */
async function measureRemoval(url: string, query: Query, now: Date): Promise<void> {
  const size = async (table: string): Promise<string> => {
    const relations = `select '${table}'::regclass as id union all select inhrelid from pg_inherits where inhparent = '${table}'::regclass`;
    const [row] = await query<{ bytes: string }>(`select sum(pg_total_relation_size(id))::text as bytes from (${relations}) r`, []);
    return `${(Number(row?.bytes) / 1e9).toFixed(1)} GB`;
  };
  const until = new Date(now.getTime() + 1 - usageLimits.requestLogKept + day).toISOString();
  const rowByRow = retention.find(({ what }) => what === 'request_log_default')?.sliceSql.replaceAll('request_log_default', flat) ?? '';
  const ways = {
    [flat]: async () => {
      while ((await query<{ count: number }>(rowByRow, [until, limits.removalSlice]))[0]?.count === limits.removalSlice);
    },
    request_log: () => query('select drop_request_log_days($1, 100)', [until]),
  };
  for (const [table, remove] of Object.entries(ways)) {
    const before = await size(table);
    const { took, waits } = await whileWriting(url, table, now, remove);
    console.log(
      `removing the oldest day of ${table}: ${(took / 1000).toFixed(3)} s, ${before} before and ${await size(table)} after; batches written meanwhile took ` +
        `${Math.max(...waits).toFixed(0)} ms at most (median ${median(waits).toFixed(0)})`,
    );
  }
}

async function whileWriting(
  url: string,
  table: string,
  now: Date,
  work: () => Promise<unknown>,
): Promise<{ took: number; waits: number[] }> {
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  await writer.query('set session_replication_role = replica');
  let done = false;
  const waits: number[] = [];
  const writing = (async () => {
    while (!done) {
      const startedAt = performance.now();
      await writer.query(writeInto(table), batchAt(now));
      waits.push(performance.now() - startedAt);
    }
  })();
  await setTimeout(500);
  const startedAt = performance.now();
  await work();
  const took = performance.now() - startedAt;
  await setTimeout(500);
  done = true;
  await writing;
  await writer.end();
  return { took, waits };
}
