import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { integrationStatuses } from '../../../server/domain/integration/integrationStatus.ts';
import { retire, retireIntegration } from '../../../server/domain/integration/retireIntegration.ts';
import type { OperatorActor, Role } from '../../../server/domain/shared/actor.ts';
import { buildSandboxCorpus } from '../../../server/domain/synthetic-data/buildSandboxCorpus.ts';
import type { TestAuthority, TestClient } from '../../support/fixtures.ts';
import { refusalOf, SharingCommands } from '../../support/sharingCommands.ts';
import { TrackingWorld } from '../../support/trackingWorld.ts';

const week = 7 * 24 * 60 * 60_000;
let world: TrackingWorld;
let sharing: SharingCommands;
let authority: TestAuthority;
beforeAll(async () => {
  world = await TrackingWorld.open();
  sharing = new SharingCommands(world);
  authority = await world.fixtures.authorities();
});
afterAll(() => world.close());

const operator = (operatorId: string, roles: readonly Role[] = []): OperatorActor => ({
  type: 'operator',
  operatorId,
  roles,
  ip: '127.0.0.1',
  requestId: 'req_test',
});
const ownerOf = ({ operatorId }: TestClient) => operator(operatorId);
const run = ({ integrationId }: TestClient, actor: OperatorActor, reason: string | null = null) =>
  retireIntegration(sharing.em, { actor, integrationId, reason, now: sharing.now });
const statusOf = async ({ integrationId }: TestClient) =>
  (await world.fixtures.sql<{ status: string }[]>`select status from integration where id = ${integrationId}`)[0]?.status;

test('an owner retires an integration: certificates, connections and link codes end with it, at once', async () => {
  const { sql } = world.fixtures;
  const client = await world.fixtures.client({ environment: 'production', status: 'active' });
  await sharing.openGates(client);
  const issued = await world.fixtures.certificate(authority, client);
  const first = await sharing.share(client, { orders: 2, vehicles: 1 });
  const second = await sharing.share(client);
  const { code } = await sharing.code(client, first.user, { orders: first.orders.map(({ key }) => key) });

  expect(await run(client, ownerOf(client))).toMatchObject({ status: 'retired' });

  expect(await sql`select status, slot, revocation_reason, revoked_at from certificate where id = ${issued.id}`).toEqual([
    { status: 'revoked', slot: null, revocation_reason: 'cessation_of_operation', revoked_at: sharing.now },
  ]);
  expect(await sharing.redeem(client, code)).toBeNull();
  expect(await sql`select cancelled_at from link_code where client_no = ${client.no} and redeemed_at is null`).toEqual([
    { cancelled_at: sharing.now },
  ]);
  // One record for each resource and one for each connection, all of them tombstones whose deadlines run on.
  const feed = await sharing.feed(client);
  expect(feed).toHaveLength(6);
  expect(feed.every(({ revocation }) => revocation !== null)).toBe(true);
  const revocations = await sql<{ connection_id: string; subject_type: string; deadline: Date }[]>`
    select connection_id, subject_type, deletion_deadline_at as deadline from revocation where client_no = ${client.no} and acknowledged_at is null`;
  expect(revocations.map(({ connection_id }) => connection_id).sort()).toEqual([first.connectionId, second.connectionId].sort());
  for (const { deadline, subject_type } of revocations) {
    expect([subject_type, deadline.getTime() - sharing.now.getTime()]).toEqual(['connection', week]);
  }
  expect((await sharing.events(client)).filter(({ type }) => type === 'connection.revoked')).toHaveLength(2);
  expect(await sharing.trail(client.integrationId)).toEqual([
    {
      action: 'integration.retired',
      actor: 'operator',
      operator: client.operatorId,
      integration: client.integrationId,
      details: { linkCodes: 1, certificates: 1, connections: 2 },
    },
  ]);
  expect(await sharing.trail(issued.id)).toMatchObject([{ action: 'certificate.revoked', operator: client.operatorId }]);
});

const final = new Set<string>(['retired']);
const frozenForOwner = new Set<string>(['submitted', 'retired']);

test.each(integrationStatuses.filter((status) => !frozenForOwner.has(status)))('an owner retires what is %s', async (status) => {
  const client = await world.fixtures.client({ environment: 'production', status });
  await run(client, ownerOf(client));
  expect(await statusOf(client)).toBe('retired');
});

test.each([...frozenForOwner])('an owner cannot retire what is %s', async (status) => {
  const client = await world.fixtures.client({ environment: 'production', status });
  expect(await refusalOf(run(client, ownerOf(client)))).toMatchObject({ code: 'conflict' });
  expect(await statusOf(client)).toBe(status);
});

const administrator = operator('opr_administrator', ['administrator']);

test.each(integrationStatuses.filter((status) => !final.has(status)))(
  'an administrator retires another’s integration that is %s, with a reason',
  async (status) => {
    const client = await world.fixtures.client({ environment: 'production', status });
    expect(await refusalOf(run(client, administrator, '  '))).toMatchObject({ code: 'invalid_request', paths: ['input.reason'] });
    await run(client, administrator, 'The operator asked us to.');
    expect(await statusOf(client)).toBe('retired');
    const [line] = await sharing.trail(client.integrationId);
    expect(line).toMatchObject({ operator: client.operatorId, details: { reason: 'The operator asked us to.' } });
  },
);

test('nobody retires what is retired', async () => {
  const client = await world.fixtures.client({ status: 'retired' });
  expect(await refusalOf(run(client, administrator, 'Gone'))).toMatchObject({ code: 'conflict' });
});

test('for a reviewer and for another operator the integration does not exist', async () => {
  const client = await world.fixtures.client();
  for (const stranger of [operator('opr_stranger'), operator('opr_stranger', ['reviewer'])]) {
    expect(await refusalOf(run(client, stranger, 'x'))).toMatchObject({ code: 'not_found' });
  }
  expect(await statusOf(client)).toBe('sandbox');
});

test('an administrator’s retirement closes the review that was under way', async () => {
  const { sql } = world.fixtures;
  const client = await world.fixtures.client({ status: 'submitted' });
  const another = await world.fixtures.client();
  await sql`insert into review_submission (id, integration_id, operator_id, round, profile_version, scopes, terms_version, review_url, statement, status, submitted_at,
      waiting_for, waiting_since)
    values ('sub_open', ${client.integrationId}, ${client.operatorId}, 1, 1, '{orders.read}', 1, 'https://example.com', '{}', 'submitted', ${sharing.now},
      'reviewer', ${sharing.now})`;
  await run(client, operator(another.operatorId, ['administrator']), 'Fraud');
  expect(await sql`select status, decided_by, decision_notes from review_submission where id = 'sub_open'`).toEqual([
    { status: 'withdrawn', decided_by: another.operatorId, decision_notes: 'The integration was retired.' },
  ]);
});

test('a code that is just being redeemed is waited for, and its connection is revoked too', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const { code } = await sharing.code(client, user, await sharing.track(client, user));
  const { waited } = await sharing.behind(
    async (tx) => {
      await tx.execute('select 1 from link_code where client_no = ? for no key update', [client.no]);
      await tx.execute(
        'insert into connection (client_no, id, user_ref, profile_version, scopes, statistics_opted_in, created_at) values (?, ?, ?, 1, ?, false, ?)',
        [client.no, 'con_late', Buffer.alloc(32), '{orders.read}', sharing.now],
      );
      await tx.execute('update link_code set redeemed_at = ?, connection_id = ? where client_no = ?', [sharing.now, 'con_late', client.no]);
    },
    () => run(client, ownerOf(client)),
  );
  expect(waited).toBe(true);
  expect(await world.fixtures.sql`select revocation_id is not null as revoked from connection where id = 'con_late'`).toEqual([
    { revoked: true },
  ]);
  expect(await sharing.redeem(client, code)).toBeNull();
});

test('who was admitted before a retirement and redeems after it is refused', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const keys = await sharing.track(client, user);
  let code = '';
  const { waited, result } = await sharing.behind(
    async (tx) => {
      await retire(tx, { ids: [client.integrationId], actor: ownerOf(client), now: sharing.now });
      // Made while the retirement had not committed: it has seen no such code.
      ({ code } = await sharing.code(client, user, keys));
    },
    () => sharing.redeem(client, code),
  );
  expect([waited, result]).toEqual([true, null]);
});

test('a corpus that is due after the retirement is not built, and the former one is revoked', async () => {
  const { sql } = world.fixtures;
  const client = await world.fixtures.client();
  await sql`insert into sandbox_corpus (client_no, generation, requested_at) values (${client.no}, 1, ${sharing.now})`;
  const clock = { now: () => sharing.now };
  await buildSandboxCorpus(sharing.em, { clientNo: client.no, generation: 1, clock });
  await sql`insert into sandbox_corpus (client_no, generation, requested_at) values (${client.no}, 2, ${sharing.now})`;
  await run(client, ownerOf(client));
  await buildSandboxCorpus(sharing.em, { clientNo: client.no, generation: 2, clock });
  expect(await sql`select generation from sandbox_corpus where client_no = ${client.no} and ready_at is not null`).toEqual([
    { generation: 1 },
  ]);
  expect(await sql`select count(*)::int as live from connection where client_no = ${client.no} and revocation_id is null`).toEqual([
    { live: 0 },
  ]);
});

test('two retirements at the same moment: one happens, the other is told', async () => {
  const client = await world.fixtures.client();
  await sharing.share(client);
  const outcomes = await Promise.allSettled([run(client, ownerOf(client)), run(client, ownerOf(client))]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await sharing.trail(client.integrationId)).toHaveLength(1);
});

test('several are retired in one go, each with its own lines in the audit trail', async () => {
  const clients = [await world.fixtures.client(), await world.fixtures.client()];
  for (const client of clients) await sharing.share(client);
  const actor = operator(clients[0]!.operatorId, ['administrator']);
  const ids = clients.map(({ integrationId }) => integrationId);
  await sharing.em.transactional((tx) => retire(tx, { ids, actor, now: sharing.now }));
  for (const client of clients) {
    expect(await statusOf(client)).toBe('retired');
    expect(await sharing.trail(client.integrationId)).toMatchObject([{ operator: client.operatorId, details: { connections: 1 } }]);
  }
});
