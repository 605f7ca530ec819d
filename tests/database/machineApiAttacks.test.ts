import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { applyGrants } from '../../server/database/roles/applyGrants.ts';
import { newId } from '../../server/domain/shared/ids.ts';
import { limits } from '../../server/domain/shared/limits.ts';
import { linkCodeHmacs } from '../../server/domain/shared/lookupKeys.ts';
import { believeOwnClock } from '../support/database/ownClock.ts';
import { Sharing } from '../support/feed/sharing.ts';
import type { TestClient } from '../support/world/Fixtures.ts';
import { openWorld } from '../support/world/openWorld.ts';
import type { World } from '../support/world/World.ts';

/*
 * Somebody has broken into a process of the machine API, and holds its connection and all the keys that it can read. These are the ways from
 * there to a session, an administrator, a certificate or somebody's data, each refused by PostgreSQL.
 */

const day = 24 * 60 * 60 * 1000;

let world: World;
let sharing: Sharing;
let attacker: pg.Client;

beforeAll(async () => {
  world = await openWorld({});
  sharing = new Sharing(world);
  await believeOwnClock(world.urls.owner);
  const owner = new pg.Client({ connectionString: world.urls.owner });
  await owner.connect();
  await applyGrants(owner);
  await owner.end();
  attacker = new pg.Client({ connectionString: world.urls.machineApi });
  await attacker.connect();
});
afterAll(async () => {
  await attacker.end();
  await world.close();
});

const refused = { code: '42501' };
const attempt = (text: string, values: readonly unknown[] = []) => attacker.query(text, [...values]);

test.each([
  ['read the sessions', 'select * from portal_session'],
  ['open a session', `insert into portal_session (id) values ('ses_1')`],
  ['add a passkey to an account', `insert into passkey (id) values ('x')`],
  ['make an administrator of an account', `update operator set roles = '{administrator}'`],
  ['make an account', `insert into operator (id, created_at) values ('opr_1', now())`],
  ['read operators’ addresses', 'select email from operator'],
  ['read recovery codes', 'select * from recovery_code'],
  ['read one-time links', 'select * from verification_link'],
  ['read mails', 'select * from mail'],
  ['send a mail', `insert into mail (id, kind, subject_id, created_at) values ('mail_1', 'registration', 'lnk_1', now())`],
  ['make a service token', `insert into service_token (id) values ('svt_1')`],
  ['queue a job', `select graphile_worker.add_job('issueCertificate', '{"certificateId":"crt_1"}'::json)`],
  ['queue a job without the function', `insert into graphile_worker._private_jobs (task_id) values (1)`],
  ['read the jobs', 'select * from graphile_worker._private_jobs'],
  ['read the authorities’ keys', 'select wrapped_key from certificate_authority'],
  ['read the keys of requested authorities', 'select * from issuing_authority_request'],
  ['read the keys of signed deliveries', 'select * from webhook_signing_key'],
  [
    'trust another authority',
    `insert into certificate_authority (id, kind, certificate_pem, not_after, created_at) values ('x', 'issuing', 'x', now(), now())`,
  ],
  [
    'request a certificate',
    `insert into certificate (id, client_number, source, status, key_type, requested_at, requested_by) values ('crt_1', 1, 'csr', 'pending', 'x', now(), 'x')`,
  ],
  ['bring back a revoked certificate', `update certificate set status = 'issued'`],
  ['make a certificate last longer', `update certificate set usable_until = 'infinity'`],
  ['read packages with keys', 'select * from p12_package'],
  ['switch renewal on', 'update client set renewal_by_est = true'],
  ['give a client more scopes', `update client set scopes = '{orders.read}'`],
  ['activate an integration', `update integration set status = 'active'`],
  ['open an integration’s gate', 'update integration set production_gate_open = true'],
  ['open the service’s gate', 'update service_gate set production_data_enabled = true'],
  [
    'raise a quota',
    `insert into quota_override (client_number, quota, value, reason, created_at) values (1, 'requests_per_hour', 1, 'x', now())`,
  ],
  [
    'make a connection',
    `insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at) values (1, 'con_1', 'x', 1, '{}', false, now())`,
  ],
  ['widen a connection', `update connection set scopes = '{orders.read}'`],
  ['end a revocation', 'update connection set revocation_id = null'],
  [
    'share a resource',
    `insert into shared_resource (client_number, id, connection_id, type, consented, position, updated_at) values (1, 'x', 'x', 'order', 1, 1, now())`,
  ],
  ['share it again', 'update shared_resource set revocation_id = null'],
  ['make a link code', `insert into link_code (id) values ('lnk_1')`],
  ['read what is stored of link codes, to find them out', 'select code_hmac from link_code'],
  ['read who the users are', 'select user_ref from connection'],
  ['put off a deletion deadline', `update revocation set deletion_deadline_at = 'infinity'`],
  [
    'have something delivered to an endpoint',
    `insert into webhook_delivery (id, endpoint_number, event_id, type, window_ends_at, created_at) values ('x', 1, 'x', 'x', now(), now())`,
  ],
  ['lead deliveries elsewhere', `update webhook_endpoint set url = 'https://example.com'`],
  [
    'write the trail in an operator’s name',
    `insert into audit_entry (occurred_at, actor_type, action, subject_type, subject_id) values (now(), 'operator', 'x', 'x', 'x')`,
  ],
  [
    'write the trail in a client’s name',
    `insert into audit_entry (occurred_at, actor_type, action, subject_type, subject_id) values ('infinity', 'client', 'operator.role_granted', 'x', 'x')`,
  ],
  ...['infinity', '-infinity', '2020-01-01', '2099-01-01'].map((at) => [
    `log a request at ${at}`,
    `insert into request_log (client_number, occurred_at, request_id, method, route, status, duration_ms) values (1, '${at}', 'x', 'GET', 'x', 200, 1)`,
  ]),
  ['acknowledge a deletion without a trace', 'update revocation set acknowledged_at = now()'],
  ['read the trail', 'select * from audit_entry'],
  ['remove traces from the trail', 'delete from audit_entry'],
  ['alter the trail', `update audit_entry set actor_id = null`],
  ['empty the trail', 'truncate audit_entry'],
  ['forget addresses in the trail', `select forget_addresses('opr_1')`],
  ['alter evidence', 'update review_evidence set count = 0'],
  ['store an event', `select store_events(now(), '{1}', '{integration.suspended}', '{}', '{}', '{}', '{}', '{}')`],
  ['write the trail by the function for it', `select record_audit(now(), 'system', 'x', 'x', null, '{x}', '{x}', '{x}', '{}', '{}', '{}')`],
  ['send a mail by the function for it', `select queue_mail('registration', 'lnk_1', null, null, '{}', now(), null)`],
  ['place a certificate', `select place_certificate(1, 'csr', null, null, 'x', now(), 'opr_1', null)`],
  ['ask for the names of keys', `select next_key_name(1, 'sandbox', now())`],
  ['take positions of a feed', 'select * from take_positions(1, 1)'],
  ['share a resource by the function for it', `select share_resources(1, 'con_1', '{orders.read}', '{1}', '{order}', now())`],
  ['choose for a user', `select set_participation(1, 'x', true)`],
  ['make ids', `select new_id('con')`],
  ['sign people out', `select remove_ended_credentials('portal_session', 'infinity', 1000)`],
  ['become the owner', 'set role oi_owner'],
  ['become the portal', 'set role oi_portal'],
  ['become a superuser', 'set session authorization postgres'],
  ['make a function of its own', `create function public.f() returns int language sql as 'select 1'`],
  ['take the place of a table', 'create temporary table certificate (id text)'],
  [
    'replace a function of the owner’s',
    `create or replace function present_moment(p timestamptz) returns timestamptz language sql as 'select p'`,
  ],
  ['switch off row security', 'alter table key_ring_entry disable row level security'],
  ['hang a trigger on a table', 'create trigger t before insert on request_log execute function refuse_change()'],
  ['read a file of the server', `select pg_read_file('postgresql.conf')`],
  ['run a program', `copy (select 1) to program 'true'`],
  ['end the others’ sessions', `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'postgres'`],
])('it cannot %s', async (_what, text) => {
  const result = attempt(text);
  await expect(result).rejects.toMatchObject(refused);
});

test('row security cannot be asked away', async () => {
  await attempt('set row_security = off');
  await expect(attempt('select * from key_ring_entry')).rejects.toMatchObject(refused);
  await attempt('reset row_security');
});

const redeem = async (client: Pick<TestClient, 'number' | 'environment'>, code: string, now = new Date()) => {
  const hmacs = linkCodeHmacs(world.keyRing.lookup, client.environment, code);
  const { rows } = await attempt(`select redeem_link_code($1, $2, $3, 'req_1', '192.0.2.1', $4) as redeemed`, [
    client.environment,
    hmacs,
    client.number,
    now,
  ]);
  return (rows as { redeemed: { connectionId: string; resources: { type: string }[] } | null }[])[0]?.redeemed ?? null;
};
const failedAttempts = async (id: string) =>
  (await world.rows<{ failed: number }>('select failed_attempts::int as failed from link_code where id = $1', [id]))[0]?.failed;

test('a connection needs the code that a user has made for this very client, and holds no more than the code', async () => {
  const [client, other] = [await world.fixtures.client(), await world.fixtures.client()];
  expect(await redeem(client, '0123456789')).toBeNull();
  const { id, code } = await sharing.code(client, { orders: 2, vehicles: 1 });
  await world.rows(`update link_code set scopes = '{orders.read}' where id = $1`, [id]);
  expect(await redeem(other, code)).toBeNull();
  expect(await redeem({ ...client, environment: 'production' }, code)).toBeNull();
  expect(await failedAttempts(id)).toBe(1);
  const redeemed = await redeem(client, code);
  expect(redeemed?.resources.map(({ type }) => type)).toEqual(['order', 'order']);
  expect(await world.rows('select scopes from connection where id = $1', [redeemed?.connectionId])).toEqual([{ scopes: ['orders.read'] }]);
  expect(await world.rows(`select action, actor_id, operator_id from audit_entry where subject_id = $1`, [redeemed?.connectionId])).toEqual(
    [{ action: 'link_code.redeemed', actor_id: client.id, operator_id: client.operatorId }],
  );
  // Once.
  expect(await redeem(client, code)).toBeNull();
  expect(await failedAttempts(id)).toBe(2);
});

test('many codes cannot be guessed at once', async () => {
  const many = `select redeem_link_code('sandbox', array_fill('\\x00'::bytea, array[33]), 1, 'req_1', '192.0.2.1', now())`;
  await expect(attempt(many)).rejects.toMatchObject(refused);
});

test('nothing is granted by a code that is cancelled, blocked or over, under scopes that were taken away, or behind a closed gate', async () => {
  const client = await world.fixtures.client();
  const spoiled = async (change: string) => {
    const { id, code } = await sharing.code(client);
    await world.rows(`update link_code set ${change} where id = $1`, [id]);
    return redeem(client, code);
  };
  expect(await spoiled('cancelled_at = now()')).toBeNull();
  expect(await spoiled(`failed_attempts = ${limits.failedAttemptsPerCode}`)).toBeNull();
  expect(await spoiled(`expires_at = now() - interval '1 minute'`)).toBeNull();
  const { code } = await sharing.code(client);
  await world.rows(`update client set scopes = '{vehicles.read}' where number = $1`, [client.number]);
  expect(await redeem(client, code)).toBeNull();

  const production = await world.fixtures.client({ environment: 'production', status: 'active' });
  await sharing.openGates(production);
  const gated = await sharing.code(production);
  await world.rows('update service_gate set production_data_enabled = false');
  expect(await redeem(production, gated.code)).toBeNull();
  await world.rows('update service_gate set production_data_enabled = true');
  await world.rows(`update integration set status = 'suspended' where id = $1`, [production.integrationId]);
  expect(await redeem(production, gated.code)).toBeNull();
  await world.rows(`update integration set status = 'active' where id = $1`, [production.integrationId]);
  expect(await redeem(production, gated.code)).not.toBeNull();
});

test('a caller that claims an earlier or later time is not believed', async () => {
  const client = await world.fixtures.client();
  const { code } = await sharing.code(client);
  for (const wrong of [-2, 2]) {
    const claimed = new Date(Date.now() + wrong * 60_000);
    await expect(redeem(client, code, claimed)).rejects.toMatchObject({ code: 'OI002' });
    await expect(renew(client, 'crt_1', { now: claimed })).rejects.toMatchObject({ code: 'OI002' });
  }
});

const renew = async (client: Pick<TestClient, 'id'>, certificateId: string, { now = new Date(), key = randomBytes(32) } = {}) => {
  const values = [client.id, certificateId, randomBytes(16), key, 'EC P-256', newId('req'), '192.0.2.1', now];
  const { rows } = await attempt('select request_renewal($1, $2, $3, $4, $5, $6, $7, $8) as id', values);
  return (rows as { id: string | null }[])[0]?.id ?? null;
};

/** A client with a certificate in the last third of its life, whose owner has switched renewal on. */
async function renewable(change?: string, described: Parameters<World['fixtures']['client']>[0] = {}) {
  const client = await world.fixtures.client(described);
  const id = newId('crt');
  const at = (days: number) => new Date(Date.now() + days * day);
  await world.rows(
    `insert into certificate (id, client_number, slot, source, status, key_type, serial, fingerprint_sha256, pem, requested_at, requested_by, issued_at, not_before, not_after, usable_until)
     values ($1, $2, 1, 'csr', 'issued', 'EC P-256', $1, $1, 'pem', $3, $4, $3, $3, $5, $5)`,
    [id, client.number, at(-61), client.operatorId, at(29)],
  );
  await world.rows('update client set renewal_by_est = true where number = $1', [client.number]);
  if (change !== undefined)
    await world.rows(change.replaceAll('$client', String(client.number)).replaceAll('$integration', `'${client.integrationId}'`));
  return { client, id };
}

test.each([
  ['renewal is switched off', 'update client set renewal_by_est = false where number = $client', {}],
  [
    'the certificate is revoked',
    `update certificate set status = 'revoked', slot = null, revoked_at = now() where client_number = $client`,
    {},
  ],
  ['the certificate has ended', `update certificate set usable_until = now() - interval '1 minute' where client_number = $client`, {}],
  ['it is too early', `update certificate set not_before = now() - interval '50 days' where client_number = $client`, {}],
  ['the integration is retired', `update integration set status = 'retired' where id = $integration`, {}],
  [
    'the integration is suspended',
    `update integration set status = 'suspended' where id = $integration`,
    { environment: 'production', status: 'active' },
  ],
] as const)('it cannot have a certificate renewed when %s', async (_when, change, described) => {
  const { client, id } = await renewable(change, described);
  await expect(renew(client, id)).rejects.toMatchObject(refused);
  expect(await world.rows(`select 1 from certificate where client_number = $1 and source = 'est'`, [client.number])).toEqual([]);
});

test('what is left to it: a renewal of a certificate that is due, of one client at a time, in a free slot, of which the owner is told', async () => {
  const [{ client, id }, other] = [await renewable(), await renewable()];
  await expect(renew(other.client, id)).rejects.toMatchObject(refused);
  const renewal = await renew(client, id);
  expect(
    await world.rows('select client_number, slot, source, status, renews, requested_by from certificate where id = $1', [renewal]),
  ).toEqual([{ client_number: client.number, slot: 2, source: 'est', status: 'pending', renews: id, requested_by: client.operatorId }]);
  expect(await renew(client, id)).toBeNull();
  expect(await world.rows(`select actor_type, actor_id, operator_id from audit_entry where subject_id = $1`, [renewal])).toEqual([
    { actor_type: 'client', actor_id: client.id, operator_id: client.operatorId },
  ]);
  expect(await world.rows(`select kind, operator_id from mail where subject_id = $1`, [renewal])).toEqual([
    { kind: 'certificate_renewal', operator_id: client.operatorId },
  ]);
  const jobs = await world.rows<{ task: string }>('select task_identifier as task from graphile_worker.jobs order by 1');
  expect(jobs.map(({ task }) => task)).toEqual(['issueCertificate', 'sendMail']);
});

test('an acknowledgement is made once, by the client that was asked and before the deadline, and the trail has it', async () => {
  const client = await world.fixtures.client();
  await world.rows(
    `insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at) values ($1, 'rev_1', 'connection', 'con_1', 'con_1', now(), now())`,
    [client.number],
  );
  const acknowledge = (number = client.number) =>
    attempt(`select acknowledge_revocation($1, 'rev_1', 'req_1', '192.0.2.1', now())`, [number]);
  await expect(acknowledge()).rejects.toMatchObject(refused);
  await world.rows(`update revocation set deletion_deadline_at = now() + interval '1 hour' where client_number = $1`, [client.number]);
  await expect(acknowledge((await world.fixtures.client()).number)).rejects.toMatchObject(refused);
  await acknowledge();
  await expect(acknowledge()).rejects.toMatchObject(refused);
  expect(await world.rows(`select action, actor_id, operator_id from audit_entry where subject_id = 'rev_1'`)).toEqual([
    { action: 'revocation.acknowledged', actor_id: client.id, operator_id: client.operatorId },
  ]);
});

test('evidence only grows, only that of sandboxes, and only by what requests can have shown', async () => {
  const [sandbox, production] = [
    await world.fixtures.client(),
    await world.fixtures.client({ environment: 'production', status: 'active' }),
  ];
  const count = (number: number, times: number) =>
    attempt('select count_evidence(array[$1::int], $2, array[now()], array[now()], array[$3::bigint])', [
      number,
      ['link_code_redeemed'],
      times,
    ]);
  await attempt(
    `select count_evidence(array[$1::int], array['link_code_redeemed'], array['-infinity'::timestamptz], array[now()], array[1])`,
    [sandbox.number],
  );
  await attempt(`select count_evidence(array[$1::int], array['made_up'], array[now()], array[now()], array[1])`, [sandbox.number]);
  for (const times of [3, -2, 0, 100_001]) await count(sandbox.number, times);
  await count(production.number, 3);
  expect(
    await world.rows('select client_number, count::int from review_evidence where client_number in ($1, $2)', [
      sandbox.number,
      production.number,
    ]),
  ).toEqual([{ client_number: sandbox.number, count: 3 }]);
});
