import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { admit } from '../../../../server/domain/client/admission/admit.ts';
import { takeSql } from '../../../../server/domain/client/admission/admit.sql.ts';
import type { CostClass } from '../../../../server/domain/client/quotas.ts';
import type { Fixtures, TestAuthority, TestCertificate, TestClient } from '../../../support/world/Fixtures.ts';
import { optionsOf, readingOf } from '../../../support/database/queryPlans.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';

let world: World;
let fixtures: Fixtures;
let client: pg.Client;
let authority: TestAuthority;
const now = new Date();

beforeAll(async () => {
  world = await openWorld();
  ({ fixtures } = world);
  authority = await fixtures.authorities();
  client = new pg.Client({ connectionString: world.databaseUrl, options: optionsOf('machine-api-admission') });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await world.close();
});

/** Adds a thousand clients like this one, each with a certificate, and as many sources. */
async function fillLike({ number, operatorId }: TestClient): Promise<void> {
  await fixtures.sql.unsafe(`
    set local session_replication_role = replica;
    insert into integration (id, operator_id, slug, status, profile_version, created_at)
      select 'int_' || n, '${operatorId}', 'board-' || n, 'sandbox', 1, now() from generate_series(1, 1000) n;
    insert into client (id, integration_id, environment, scopes, created_at)
      select 'cli_' || n, 'int_' || n, 'sandbox', '{}', now() from generate_series(1, 1000) n;
    insert into client_feed (client_number) select number from client where number <> ${number};
    insert into client_quota (client_number) select number from client where number <> ${number};
    insert into certificate select (jsonb_populate_record(x, jsonb_build_object('id', 'crt_' || k.number, 'client_number', k.number, 'serial', k.number, 'fingerprint_sha256', k.number))).*
      from certificate x, client k where k.number <> ${number};
    insert into redeem_source (source, window_start, count) select 'source ' || n, now(), 1 from generate_series(1, 1000) n on conflict do nothing;
  `);
}

/** Prepares both statements of each class on the connection, for a request of this client; returns `execute …` for each. */
async function prepareStatements(mine: TestClient, certificate: TestCertificate): Promise<string[]> {
  const executions: string[] = [];
  for (const costClass of Object.keys(takeSql) as CostClass[]) {
    const request = {
      ...certificate,
      commonName: mine.commonName,
      clientNumber: mine.number,
      costClass,
      source: 'source 7',
      now,
      finished: [],
    };
    await admit(async (text, values) => {
      const name = `statement_${executions.length}`;
      await client.query(`prepare ${name} as ${text}`);
      executions.push(`execute ${name}(${values.map((value) => pg.escapeLiteral(String(value))).join(', ')})`);
      return [];
    }, request);
  }
  expect(executions).toHaveLength(2 * Object.keys(takeSql).length);
  return executions;
}

test('admission reads its own rows alone among a thousand clients, even by plans made while there was one', async () => {
  const mine = await fixtures.client();
  const certificate = await fixtures.certificate(authority, mine);
  const tables = ['certificate', 'client', 'integration', 'client_feed', 'client_quota', 'redeem_source'];
  for (const table of tables) await client.query(`alter table ${table} set (autovacuum_enabled = off)`);
  await client.query('vacuum analyze');
  const executions = await prepareStatements(mine, certificate);
  for (const execution of executions) await client.query(execution);
  await fillLike(mine);

  const readAll = async () => {
    for (const text of executions) {
      const { rows } = await readingOf(client, { text, values: [] });
      expect([...rows.keys()]).toEqual(expect.arrayContaining(tables.slice(0, -1)));
      // A quota row that is both read and updated counts twice.
      expect([...rows].filter(([, count]) => count > 2)).toEqual([]);
    }
  };
  await readAll();
  await client.query('analyze');
  await readAll();
});

test('admission waits for no disk, although its role’s other transactions do', async () => {
  const mine = await fixtures.client();
  const certificate = await fixtures.certificate(authority, mine);
  const commits = async () => (await client.query<{ synchronous_commit: string }>('show synchronous_commit')).rows[0]?.synchronous_commit;
  await client.query('set synchronous_commit = on');
  await client.query('begin');
  const query = async <Row>(text: string, values: readonly unknown[]) => (await client.query(text, [...values])).rows as Row[];
  const request = {
    ...certificate,
    commonName: mine.commonName,
    clientNumber: mine.number,
    costClass: 'pull',
    source: 'source 7',
    now,
    finished: [],
  } as const;
  expect((await admit(query, request)).verdict).toBe('admitted');
  expect(await commits()).toBe('off');
  await client.query('rollback');
  expect(await commits()).toBe('on');
});
