import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createOrm, type Orm } from '../../../../server/database/orm.ts';
import { enforceDeletionDeadlines } from '../../../../server/domain/sharing/deletion/enforceDeletionDeadlines.ts';
import { Fixtures } from '../../../support/world/Fixtures.ts';
import { listenToStatements, readingOf, statementsOf } from '../../../support/database/queryPlans.ts';
import { createTestDatabase } from '../../../support/run/testDatabase.ts';

const day = 24 * 60 * 60 * 1000;
const now = new Date();

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let orm: Orm;
let client: pg.Client;
beforeAll(async () => {
  listenToStatements();
  database = await createTestDatabase();
  orm = await createOrm(database.url, { poolMax: 2 });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const fixtures = new Fixtures(database.url);
  const [production, sandbox] = [await fixtures.client({ environment: 'production', status: 'active' }), await fixtures.client()];
  await fixtures.end();
  // Revocations that were acknowledged in time, that are outstanding with their deadline ahead, that are due, and that are in the sandbox,
  // where nobody has to acknowledge anything.
  for (const [number, days, acknowledged, count, prefix] of [
    [production.number, 30, true, 60_000, 'a'],
    [production.number, 1, false, 38_000, 'b'],
    [production.number, 8, false, 5, 'c'],
    [production.number, 6, false, 5, 'd'],
    [sandbox.number, 20, false, 2_000, 'e'],
  ] as const) {
    const revokedAt = new Date(now.getTime() - days * day);
    await client.query(
      `insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at, acknowledged_at)
       select $1, 'rev_' || $2 || lpad(n::text, 25, '0'), 'resource', 'ord_x', 'con_x', $3, $4, $5 from generate_series(1, $6::int) n`,
      [number, prefix, revokedAt, new Date(revokedAt.getTime() + 7 * day), acknowledged ? revokedAt : null, count],
    );
  }
  await client.query('vacuum analyze');
}, 60_000);
afterAll(async () => {
  await client.end();
  await orm.close(true);
  await database.drop();
});

test('among 100,000 revocations a look at the deadlines reads what is past its deadline or about to be, by an index', async () => {
  const { statements } = await statementsOf(() => enforceDeletionDeadlines(orm.em.fork(), { now: new Date(now.getTime() - 20 * day) }));
  expect(statements).toHaveLength(2);
  const limits = [2_005, 5];
  for (const [n, { text, values }] of statements.entries()) {
    const parameters = values.map((value) => (value instanceof Date ? new Date(value.getTime() + 20 * day) : value));
    const reading = await readingOf(client, { text, values: parameters });
    expect(reading.sequential).not.toContain('revocation');
    expect(reading.rows.get('revocation')).toBeLessThanOrEqual(limits[n] ?? 0);
  }
});
