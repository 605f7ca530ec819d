import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOrm, type Orm } from '../../../server/database/orm.ts';
import { sql } from '../../../server/domain/shared/sql.ts';
import { buildSandboxCorpus } from '../../../server/domain/synthetic-data/buildSandboxCorpus.ts';
import { createTestDatabase, type TestDatabase } from '../../support/testDatabase.ts';

const now = new Date('2026-11-21T10:00:00.250Z');
const clock = { now: () => now };
let database: TestDatabase;
let orm: Orm;

beforeAll(async () => {
  database = await createTestDatabase();
  orm = await createOrm(database.url, { poolMax: 4 });
});

afterAll(async () => {
  await orm.close(true);
  await database.drop();
});

let serial = 0;

async function requestedCorpus(scopes: readonly string[] = ['orders.read']): Promise<number> {
  serial += 1;
  const em = orm.em.fork();
  const name = `test${serial}`;
  await em.transactional(async (tx) => {
    await sql(tx, `insert into operator (id, email, email_key, user_handle, created_at) values ($1, $1, $1, $2, $3)`, [
      name,
      Buffer.from(name),
      now,
    ]);
    await sql(tx, `set constraints all deferred`);
    await sql(
      tx,
      `insert into integration (id, operator_id, slug, status, profile_version, created_at) values ($1, $1, $1, 'sandbox', 1, $2)`,
      [name, now],
    );
    await sql(
      tx,
      `insert into profile_version (integration_id, version, public_name, public_description, purpose, legal_operator_name, country, support_email, website_url,
         privacy_policy_url, terms_of_service_url, order_linking_url, requested_scopes, polling_cadence_minutes, webhook_model, terms_version,
         attribution_accepted_at, created_at, created_by)
       values ($1, 1, 'n', 'd', 'p', 'l', 'DE', 'e', 'w', 'p', 't', 'o', $2, 15, 'none', 1, $3, $3, $1)`,
      [name, scopes, now],
    );
    await sql(tx, `insert into client (id, integration_id, environment, scopes, created_at) values ($1, $1, 'sandbox', $2, $3)`, [
      name,
      scopes,
      now,
    ]);
    await sql(tx, `insert into client_feed (client_no) select no from client where id = $1`, [name]);
    await sql(tx, `insert into sandbox_corpus (client_no, generation, requested_at) select no, 1, $2 from client where id = $1`, [
      name,
      now,
    ]);
  });
  const [client] = await sql<{ no: number }>(em, 'select no from client where id = $1', [name]);
  return client!.no;
}

async function counts(clientNo: number) {
  const [row] = await sql(
    orm.em.fork(),
    `select count(*) filter (where type = 'order' and revocation_id is null)::int as orders, count(*) filter (where type = 'vehicle' and revocation_id is null)::int as vehicles,
       count(revocation_id)::int as revoked, count(distinct position)::int as positions, coalesce(min(position), 0)::int as first, coalesce(max(position), 0)::int as last,
       (select head::int from client_feed where client_no = $1) as head, (select count(distinct user_ref)::int from connection where client_no = $1) as users,
       (select count(*)::int from statistics_generation where client_no = $1) as generations,
       (select ready_at is not null from sandbox_corpus where client_no = $1) as ready
     from shared_resource where client_no = $1`,
    [clientNo],
  );
  return row;
}

const whole = {
  orders: 500,
  vehicles: 50,
  revoked: 1,
  positions: 551,
  first: 1,
  last: 551,
  head: 551,
  users: 300,
  generations: 1,
  ready: true,
};
const nothing = { orders: 0, vehicles: 0, revoked: 0, positions: 0, first: 0, last: 0, head: 0, users: 0, generations: 0, ready: false };

test('a corpus has 500 orders, 50 vehicles and one tombstone at positions without gap, and a retry adds nothing', async () => {
  const clientNo = await requestedCorpus();
  await buildSandboxCorpus(orm.em.fork(), { clientNo, generation: 1, clock });
  expect(await counts(clientNo)).toEqual(whole);
  await buildSandboxCorpus(orm.em.fork(), { clientNo, generation: 1, clock });
  expect(await counts(clientNo)).toEqual(whole);
  const [incomplete] = await sql(
    orm.em.fork(),
    `select count(*)::int as n from shared_resource s join tracked_resource t on t.id = s.tracked_resource_id where s.client_no = $1 and not t.history_complete`,
    [clientNo],
  );
  expect(incomplete).toEqual({ n: 1 });
});

test('four runs at once make one corpus', async () => {
  const clientNo = await requestedCorpus(['vehicles.read']);
  await Promise.all([1, 2, 3, 4].map(() => buildSandboxCorpus(orm.em.fork(), { clientNo, generation: 1, clock })));
  expect(await counts(clientNo)).toEqual(whole);
  const revoked = await sql(orm.em.fork(), 'select type from shared_resource where client_no = $1 and revocation_id is not null', [
    clientNo,
  ]);
  expect(revoked).toEqual([{ type: 'vehicle' }]);
});

test('a failure at the last statement leaves nothing but “building”, and the next attempt makes it whole', async () => {
  const clientNo = await requestedCorpus();
  const em = orm.em.fork();
  const tracked = async () => (await sql<{ n: number }>(em, 'select count(*)::int as n from tracked_resource'))[0]!.n;
  const before = await tracked();
  await sql(em, `create function fail() returns trigger language plpgsql as $$ begin raise exception 'the machine went away'; end $$`);
  await sql(em, 'create trigger fail after insert on shared_resource for each statement execute function fail()');
  await expect(buildSandboxCorpus(orm.em.fork(), { clientNo, generation: 1, clock })).rejects.toThrow();
  await sql(em, 'drop trigger fail on shared_resource');
  expect(await counts(clientNo)).toEqual(nothing);
  expect(await tracked()).toBe(before);
  expect(await sql(em, 'select started_at is not null as started from sandbox_corpus where client_no = $1', [clientNo])).toEqual([
    { started: true },
  ]);
  await buildSandboxCorpus(orm.em.fork(), { clientNo, generation: 1, clock });
  expect(await counts(clientNo)).toEqual(whole);
});
