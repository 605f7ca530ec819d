import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { removeExpired } from '../../../../server/domain/retention/removeExpired.ts';
import type { TestClient } from '../../../support/world/Fixtures.ts';
import { refusalOf, SharingCommands } from '../../../support/feed/sharingCommands.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';

const day = 24 * 60 * 60_000;
let world: World;
let sharing: SharingCommands;

beforeAll(async () => {
  world = await openWorld({ poolMax: 12 });
  sharing = new SharingCommands(world);
});

afterAll(() => world.close());

/** A connection of one order, revoked as a whole; returns the revocation's ID. */
async function revoked(client: TestClient): Promise<string> {
  const { connectionId } = await sharing.share(client);
  return (await sharing.revoke(client, connectionId)).revocationId;
}

async function acknowledgedAt(revocationId: string): Promise<Date | null> {
  const [row] = await world.fixtures.sql<{ at: Date | null }[]>`select acknowledged_at as at from revocation where id = ${revocationId}`;
  return row?.at ?? null;
}

test('an acknowledgement is recorded once; repeats answer the same time, with the same key, another key, and after the deadline', async () => {
  const client = await world.fixtures.client();
  const revocationId = await revoked(client);
  sharing.advance(day);
  const first = await sharing.acknowledge(client, revocationId, { key: 'one' });
  expect(first).toEqual({ revocationId, acknowledgedAt: sharing.now });
  expect(await acknowledgedAt(revocationId)).toEqual(sharing.now);
  sharing.advance(day);
  expect(await sharing.acknowledge(client, revocationId, { key: 'one' })).toEqual(first);
  expect(await sharing.acknowledge(client, revocationId, { key: 'two' })).toEqual(first);
  sharing.advance(30 * day);
  expect(await sharing.acknowledge(client, revocationId, { key: 'one' })).toEqual(first);
  expect(await sharing.acknowledge(client, revocationId, { key: 'three' })).toEqual(first);
  expect(await sharing.trail(revocationId)).toMatchObject([
    { action: 'revocation.acknowledged', actor: 'client', operator: client.operatorId, integration: client.integrationId },
  ]);
});

test('the window closes with the deadline: a millisecond before it is good', async () => {
  const client = await world.fixtures.client();
  const [early, late] = [await revoked(client), await revoked(client)];
  const deadline = new Date(sharing.now.getTime() + 7 * day);
  expect(await refusalOf(sharing.acknowledge(client, late, { now: deadline, key: 'late' }))).toMatchObject({
    code: 'acknowledgement_window_closed',
  });
  expect(await acknowledgedAt(late)).toBeNull();
  expect(await sharing.acknowledge(client, early, { now: new Date(deadline.getTime() - 1) })).toMatchObject({ revocationId: early });
  // The refused key was not stored.
  expect(await sharing.acknowledge(client, late, { key: 'late' })).toMatchObject({ revocationId: late });
});

test('what the owner recorded in the portal answers that time', async () => {
  const client = await world.fixtures.client();
  const revocationId = await revoked(client);
  const recorded = new Date(sharing.now.getTime() + 9 * day);
  await world.fixtures.sql`update revocation set acknowledged_at = ${recorded}, acknowledged_late = true where id = ${revocationId}`;
  const answer = await sharing.acknowledge(client, revocationId, { now: new Date(recorded.getTime() + day) });
  expect(answer).toEqual({ revocationId, acknowledgedAt: recorded });
});

test('unfinished deletions are refused and change nothing; with a key that was used before, the key is the reason', async () => {
  const client = await world.fixtures.client();
  const [one, other] = [await revoked(client), await revoked(client)];
  expect(await refusalOf(sharing.acknowledge(client, one, { key: 'one', completed: false }))).toMatchObject({
    code: 'deletion_not_completed',
  });
  expect(await acknowledgedAt(one)).toBeNull();
  await sharing.acknowledge(client, one, { key: 'one' });
  expect(await refusalOf(sharing.acknowledge(client, one, { key: 'one', completed: false }))).toMatchObject({
    code: 'idempotency_key_reused',
  });
  expect(await refusalOf(sharing.acknowledge(client, other, { key: 'one', completed: false }))).toMatchObject({
    code: 'idempotency_key_reused',
  });
  expect(await refusalOf(sharing.acknowledge(client, one, { completed: false }))).toMatchObject({ code: 'deletion_not_completed' });
});

test('a key belongs to one revocation of one client', async () => {
  const [client, stranger] = [await world.fixtures.client(), await world.fixtures.client()];
  const [one, other] = [await revoked(client), await revoked(client)];
  const foreign = await revoked(stranger);
  await sharing.acknowledge(client, one, { key: 'mine' });
  expect(await refusalOf(sharing.acknowledge(client, other, { key: 'mine' }))).toMatchObject({ code: 'idempotency_key_reused' });
  expect(await acknowledgedAt(other)).toBeNull();
  expect(await sharing.acknowledge(stranger, foreign, { key: 'mine' })).toMatchObject({ revocationId: foreign });
});

test('a key counts for 30 days, whether its row has been removed or not', async () => {
  const client = await world.fixtures.client();
  const start = sharing.now;
  const used = await revoked(client);
  await sharing.acknowledge(client, used, { key: 'old' });
  const later = (milliseconds: number) => new Date(start.getTime() + 30 * day + milliseconds);
  sharing.now = later(-day);
  const [refused, accepted] = [await revoked(client), await revoked(client)];
  expect(await refusalOf(sharing.acknowledge(client, refused, { key: 'old', now: later(-1) }))).toMatchObject({
    code: 'idempotency_key_reused',
  });
  await removeExpired(sharing.em, { now: later(-1) });
  expect(await refusalOf(sharing.acknowledge(client, accepted, { key: 'old', completed: false, now: later(0) }))).toMatchObject({
    code: 'deletion_not_completed',
  });
  expect(await sharing.acknowledge(client, accepted, { key: 'old', now: later(0) })).toMatchObject({ revocationId: accepted });
  const keys = () => world.fixtures.sql`select revocation_id from acknowledgement_key where client_number = ${client.number}`;
  expect(await keys()).toEqual([{ revocation_id: accepted }]);
  await removeExpired(sharing.em, { now: later(30 * day) });
  expect(await keys()).toEqual([]);
});

test('unknown revocations and those of another client read the same, whatever else is wrong', async () => {
  const [client, stranger] = [await world.fixtures.client(), await world.fixtures.client()];
  const foreign = await revoked(stranger);
  const refusals = [
    await refusalOf(sharing.acknowledge(client, foreign)),
    await refusalOf(sharing.acknowledge(client, 'rev_00000000000000000000000000')),
    await refusalOf(sharing.acknowledge(client, foreign, { completed: false })),
    await refusalOf(sharing.acknowledge(client, foreign, { now: new Date(sharing.now.getTime() + 8 * day) })),
  ];
  for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
  expect(refusals[0]).toMatchObject({ code: 'not_found' });
  expect(await acknowledgedAt(foreign)).toBeNull();
});

test('acknowledging a connection leaves a resource that was revoked before it outstanding', async () => {
  const client = await world.fixtures.client();
  const { connectionId, orders } = await sharing.share(client, { orders: 2 });
  const single = await sharing.revoke(client, connectionId, { type: 'order', key: orders[0]!.key });
  const whole = await sharing.revoke(client, connectionId);
  await sharing.acknowledge(client, whole.revocationId);
  expect(await acknowledgedAt(single.revocationId)).toBeNull();
  expect(await acknowledgedAt(whole.revocationId)).not.toBeNull();
});

test('acknowledgements that arrive together have one effect, and all are answered alike', async () => {
  const client = await world.fixtures.client();
  for (let round = 0; round < 20; round += 1) {
    const revocationId = await revoked(client);
    const at = (index: number) => ({
      now: new Date(sharing.now.getTime() + index),
      key: index % 2 ? `same ${round}` : `own ${round} ${index}`,
    });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => sharing.acknowledge(client, revocationId, at(index))));
    expect(new Set(answers.map((answer) => answer.acknowledgedAt.getTime())).size).toBe(1);
    expect(await sharing.trail(revocationId)).toHaveLength(1);
  }
});

test('of two revocations acknowledged together with one key exactly one is', async () => {
  const client = await world.fixtures.client();
  for (let round = 0; round < 20; round += 1) {
    const ids = [await revoked(client), await revoked(client)];
    const settled = await Promise.allSettled(ids.map((id) => sharing.acknowledge(client, id, { key: `shared ${round}` })));
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const times = await Promise.all(ids.map(acknowledgedAt));
    expect(times.filter((time) => time !== null)).toHaveLength(1);
    expect(settled.find((each) => each.status === 'rejected')).toMatchObject({ reason: { code: 'idempotency_key_reused' } });
  }
});
