import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createOrm, type Orm } from '../../../../server/database/orm.ts';
import { minorRevisions } from '../../../../server/domain/integration/profile/minorRevisions.ts';
import type { OperatorActor } from '../../../../server/domain/shared/actor.ts';
import { Fixtures } from '../../../support/world/Fixtures.ts';
import { listenToStatements, readingOf, statementsOf } from '../../../support/database/queryPlans.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/run/testDatabase.ts';
import { itemsOf } from '../../../support/clients/pages.ts';

const first = 20;
const actor: OperatorActor = { type: 'operator', operatorId: 'opr_reviewer', roles: ['reviewer'], ip: '192.0.2.1', requestId: 'req_test' };
let database: TestDatabase;
let orm: Orm;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  const fixtures = new Fixtures(database.url);
  const { operatorId } = await fixtures.client();
  // 1,000 integrations with 20 versions each, one in ten of them minor.
  await fixtures.sql.begin(async (sql) => {
    await sql`insert into integration (id, operator_id, slug, status, profile_version, created_at)
      select 'int_' || lpad(i::text, 26, '0'), ${operatorId}, 'board-' || i, 'active', 20, now() from generate_series(1, 1000) i`;
    await sql`insert into profile_version (integration_id, version, public_name, public_description, purpose, legal_operator_name, country, support_email, website_url,
        privacy_policy_url, terms_of_service_url, order_linking_url, requested_scopes, polling_cadence_minutes, webhook_model, terms_version,
        attribution_accepted_at, created_at, created_by, minor_revision)
      select 'int_' || lpad(i::text, 26, '0'), v, 'n', 'd', 'p', 'l', 'DE', 'help' || v || '@example.com', 'w', 'p', 't', 'o', '{orders.read}', 15, 'none', 1, now(),
             timestamptz '2026-11-01' + v * interval '1 hour' + i * interval '1 second', ${operatorId}, v > 18
        from generate_series(1, 1000) i, generate_series(1, 20) v`;
  });
  await fixtures.sql`analyze`;
  await fixtures.end();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  listenToStatements();
  orm = await createOrm(database.url);
  // The first use of a connection sends statements that later ones do not.
  await orm.em.fork().getConnection().execute('select 1');
});
afterAll(async () => {
  await client?.end();
  await orm?.close(true);
  await database?.drop();
});

test('among 20,000 versions a page of minor revisions is read by an index, the next one too', async () => {
  let after: string | null = null;
  for (const expected of ['1000', '0980']) {
    const { result, statements } = await statementsOf(() => minorRevisions(orm.em.fork(), { actor, first, after }));
    const items = itemsOf(result);
    expect(items[0]).toMatchObject({
      profile: { version: 20 },
      changes: [{ field: 'supportEmail', before: ['help19@example.com'] }],
    });
    expect(items[0]?.integrationId.slice(-4)).toBe(expected);
    expect([items.length, result.pageInfo.hasNextPage]).toEqual([first, true]);
    for (const statement of statements.filter(({ text }) => /^\s*select/i.test(text))) {
      const { rows, sequential } = await readingOf(client, statement);
      expect(sequential).toEqual([]);
      expect(rows.size).toBeGreaterThan(0);
      for (const read of rows.values()) expect(read).toBeLessThanOrEqual(3 * (first + 1));
    }
    after = result.pageInfo.endCursor;
  }
});
