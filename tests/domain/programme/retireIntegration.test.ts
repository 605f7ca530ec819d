import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lockIntegrations } from '../../../server/domain/integration/lockIntegration.ts';
import { integrationStatuses } from '../../../server/domain/integration/integrationStatus.ts';
import { retire, retireIntegration } from '../../../server/domain/programme/retireIntegration.ts';
import type { OperatorActor, Role } from '../../../server/domain/shared/actor.ts';
import { buildSandboxCorpus } from '../../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { emptySandbox } from '../../../server/domain/sandbox/corpus/emptySandbox.ts';
import type { TestAuthority, TestClient } from '../../support/world/Fixtures.ts';
import { refusalOf, SharingCommands } from '../../support/feed/sharingCommands.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';
import { requestedCorpus } from '../../support/world/sandboxFixtures.ts';
import { emptyConnection, manyConnections } from '../../support/world/sharingFixtures.ts';
import { waitingSubmission } from '../../support/world/submissionFixtures.ts';
import { rowsIn } from '../../support/world/Rows.ts';

const week = 7 * 24 * 60 * 60_000;
let world: World;
let sharing: SharingCommands;
let authority: TestAuthority;
beforeAll(async () => {
  world = await openWorld();
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
  await sql`update client set renewal_by_est = true where number = ${client.number}`;
  const first = await sharing.share(client, { orders: 2, vehicles: 1 });
  const second = await sharing.share(client);
  const { code } = await sharing.code(client, first.user, { orders: first.orders.map(({ key }) => key) });

  expect(await run(client, ownerOf(client))).toMatchObject({ status: 'retired' });

  expect(await sql`select status, slot, revocation_reason, revoked_at from certificate where id = ${issued.id}`).toEqual([
    { status: 'revoked', slot: null, revocation_reason: 'cessation_of_operation', revoked_at: sharing.now },
  ]);
  expect(await sql`select renewal_by_est from client where number = ${client.number}`).toEqual([{ renewal_by_est: false }]);
  expect(await sharing.redeem(client, code)).toBeNull();
  expect(await sql`select cancelled_at from link_code where client_number = ${client.number} and redeemed_at is null`).toEqual([
    { cancelled_at: sharing.now },
  ]);
  // One record for each resource and one for each connection, all of them tombstones with deadlines.
  const feed = await sharing.feed(client);
  expect(feed).toHaveLength(6);
  expect(feed.every(({ revocation }) => revocation !== null)).toBe(true);
  const revocations = await sql<{ connection_id: string; subject_type: string; deadline: Date }[]>`
    select connection_id, subject_type, deletion_deadline_at as deadline from revocation where client_number = ${client.number} and acknowledged_at is null`;
  expect(revocations.map(({ connection_id }) => connection_id).sort()).toEqual([first.connectionId, second.connectionId].sort());
  for (const { deadline, subject_type } of revocations) {
    expect([subject_type, deadline.getTime() - sharing.now.getTime()]).toEqual(['connection', week]);
  }
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

const mailsOf = ({ integrationId }: TestClient) =>
  world.fixtures.sql`select kind, operator_id, details from mail where integration_id = ${integrationId}`;
const final = new Set<string>(['retired']);
const frozenForOwner = new Set<string>(['submitted', 'retired']);

test.each(integrationStatuses.filter((status) => !frozenForOwner.has(status)))('an owner retires what is %s', async (status) => {
  const client = await world.fixtures.client({ environment: 'production', status });
  await run(client, ownerOf(client));
  expect(await statusOf(client)).toBe('retired');
  // An owner who has just done it needs no mail about it.
  expect(await mailsOf(client)).toEqual([]);
});

test.each([...frozenForOwner])('an owner cannot retire what is %s', async (status) => {
  const client = await world.fixtures.client({ environment: 'production', status });
  expect(await refusalOf(run(client, ownerOf(client)))).toMatchObject({ code: 'conflict' });
  expect(await statusOf(client)).toBe(status);
});

const administrator = operator('opr_administrator', ['administrator']);

test.each(integrationStatuses.filter((status) => !final.has(status)))(
  'an administrator retires another’s integration that is %s, with a reason that the owner gets by mail',
  async (status) => {
    const client = await world.fixtures.client({ environment: 'production', status });
    expect(await refusalOf(run(client, administrator, '  '))).toMatchObject({ code: 'invalid_request', paths: ['input.reason'] });
    await run(client, administrator, 'The operator asked us to.');
    expect(await statusOf(client)).toBe('retired');
    const [line] = await sharing.trail(client.integrationId);
    expect(line).toMatchObject({ operator: client.operatorId, details: { reason: 'The operator asked us to.' } });
    expect(await mailsOf(client)).toEqual([
      { kind: 'integration_retired', operator_id: client.operatorId, details: { reason: 'The operator asked us to.', deletions: 0 } },
    ]);
  },
);

test('nobody retires what is already retired', async () => {
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
  const open = await waitingSubmission(world, { ...client, at: sharing.now });
  await run(client, operator(another.operatorId, ['administrator']), 'Fraud');
  expect(await sql`select status, decided_by, decision_notes from review_submission where id = ${open}`).toEqual([
    { status: 'withdrawn', decided_by: another.operatorId, decision_notes: 'The integration was retired.' },
  ]);
});

test('a code that is just being redeemed is waited for, and its connection is revoked too', async () => {
  const client = await world.fixtures.client({ environment: 'production', status: 'active' });
  await sharing.openGates(client);
  const user = sharing.newUser();
  const { code } = await sharing.code(client, user, await sharing.track(client, user));
  let late = '';
  const { waited } = await sharing.behind(
    async (tx) => {
      await tx.execute('select 1 from link_code where client_number = ? for no key update', [client.number]);
      late = await emptyConnection(rowsIn(tx), { clientNumber: client.number, at: sharing.now });
      await tx.execute('update link_code set redeemed_at = ?, connection_id = ? where client_number = ?', [
        sharing.now,
        late,
        client.number,
      ]);
    },
    () => run(client, ownerOf(client)),
  );
  expect(waited).toBe(true);
  expect(await world.fixtures.sql`select revocation_id is not null as revoked from connection where id = ${late}`).toEqual([
    { revoked: true },
  ]);
  expect(await sharing.redeem(client, code)).toBeNull();
});

test('a client that was admitted before a retirement and redeems after it is refused', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const keys = await sharing.track(client, user);
  let code = '';
  const { waited, result } = await sharing.behind(
    async (tx) => {
      await retire(tx, { integrations: await lockIntegrations(tx, [client.integrationId]), actor: ownerOf(client), now: sharing.now });
      // Made before the retirement is committed, so the retirement has not seen this code.
      ({ code } = await sharing.code(client, user, keys));
    },
    () => sharing.redeem(client, code),
  );
  expect([waited, result]).toEqual([true, null]);
});

test('a corpus that is due after the retirement is not built, and the former one goes', async () => {
  const { sql } = world.fixtures;
  const client = await world.fixtures.client();
  await requestedCorpus(world, { clientNumber: client.number, at: sharing.now });
  const clock = { now: () => sharing.now };
  await buildSandboxCorpus(sharing.em, { clientNumber: client.number, generation: 1, clock });
  await requestedCorpus(world, { clientNumber: client.number, generation: 2, at: sharing.now });
  await run(client, ownerOf(client));
  await buildSandboxCorpus(sharing.em, { clientNumber: client.number, generation: 2, clock });
  expect(await sql`select generation from sandbox_corpus where client_number = ${client.number} and ready_at is not null`).toEqual([
    { generation: 1 },
  ]);
  await emptySandbox(sharing.em, { clientNumber: client.number, now: sharing.now });
  expect(await sql`select 1 from connection where client_number = ${client.number}`).toEqual([]);
});

test('a corpus that was asked for while the retirement was under way is not stored either, and nothing of before comes back', async () => {
  const { sql } = world.fixtures;
  const client = await world.fixtures.client();
  await sharing.share(client);
  await requestedCorpus(world, { clientNumber: client.number, at: sharing.now, readyAt: sharing.now });
  const { waited } = await sharing.behind(
    async (tx) => {
      await retire(tx, { integrations: await lockIntegrations(tx, [client.integrationId]), actor: ownerOf(client), now: sharing.now });
      // Requested after the retirement has locked the corpora that existed.
      await requestedCorpus(world, { clientNumber: client.number, generation: 2, at: sharing.now });
    },
    () => buildSandboxCorpus(sharing.em, { clientNumber: client.number, generation: 2, clock: { now: () => sharing.now } }),
  );
  expect(waited).toBe(true);
  expect(await sql`select generation from sandbox_corpus where client_number = ${client.number} and ready_at is not null`).toEqual([
    { generation: 1 },
  ]);
  await emptySandbox(sharing.em, { clientNumber: client.number, now: sharing.now });
  expect(await sql`select 1 from connection where client_number = ${client.number}`).toEqual([]);
});

test('two retirements at the same moment: one happens, the other is told', async () => {
  const client = await world.fixtures.client();
  await sharing.share(client);
  const outcomes = await Promise.allSettled([run(client, ownerOf(client)), run(client, ownerOf(client))]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await sharing.trail(client.integrationId)).toHaveLength(1);
});

test('thousands of connections end at once: a tombstone for each resource, then the connection’s own, at consecutive positions', async () => {
  const { sql } = world.fixtures;
  const client = await world.fixtures.client({ environment: 'production', status: 'active' });
  await sharing.track(client, sharing.newUser());
  await manyConnections(world, { clientNumber: client.number, at: sharing.now }, 1_200);
  await run(client, ownerOf(client));

  const tombstones = await sql<{ connection: string; resource: string | null; position: number }[]>`
    select connection_id as connection, id as resource, position::int from shared_resource where client_number = ${client.number} and revocation_id is not null
    union all select id, null, position::int from connection where client_number = ${client.number} and revocation_id is not null order by position`;
  expect(tombstones.map(({ position }) => position)).toEqual(Array.from({ length: 2400 }, (_, n) => 1201 + n));
  for (let n = 0; n < 2400; n += 2) {
    const [first, second] = [tombstones[n], tombstones[n + 1]];
    expect([first?.resource?.slice(4), second]).toEqual([
      first?.connection.slice(4),
      { connection: first?.connection, resource: null, position: 1202 + n },
    ]);
  }
  expect(await sql`select head::int from client_feed where client_number = ${client.number}`).toEqual([{ head: 3600 }]);
  const [counted] = await sql`
    select (select count(distinct id)::int from revocation where client_number = ${client.number}) as revocations,
           (select count(*)::int from audit_entry where integration_id = ${client.integrationId} and action = 'connection.revoked') as lines`;
  expect(counted).toEqual({ revocations: 1200, lines: 1200 });
});

test('several are retired at once, each with its own entries in the audit trail', async () => {
  const active = { environment: 'production', status: 'active' } as const;
  const clients = [await world.fixtures.client(active), await world.fixtures.client(active)];
  for (const client of clients) {
    await sharing.openGates(client);
    await sharing.share(client);
  }
  const actor = operator(clients[0]!.operatorId, ['administrator']);
  const ids = clients.map(({ integrationId }) => integrationId);
  await sharing.em.transactional(async (tx) => retire(tx, { integrations: await lockIntegrations(tx, ids), actor, now: sharing.now }));
  for (const client of clients) {
    expect(await statusOf(client)).toBe('retired');
    expect(await sharing.trail(client.integrationId)).toMatchObject([{ operator: client.operatorId, details: { connections: 1 } }]);
  }
});

test('an administrator’s retirement waits for the integration before it tells the owner, whose account can be deleted meanwhile', async () => {
  const client = await world.fixtures.client();
  const { waited, result } = await sharing.behind(
    (tx) => tx.execute('select 1 from integration where id = ? for no key update', [client.integrationId]),
    () => run(client, administrator, 'It is over.'),
    (tx) => tx.execute('select 1 from operator where id = ? for update nowait', [client.operatorId]),
  );
  expect([waited, result]).toEqual([true, expect.objectContaining({ status: 'retired' })]);
});
