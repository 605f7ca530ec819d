import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ClientTurns } from '../../../rest-api/database/ClientTurns.ts';
import { commandRunner } from '../../../rest-api/database/runCommand.ts';
import { createOrm } from '../../../server/database/orm.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { Sharing } from '../../support/feed/sharing.ts';

let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world.close());

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_000; tries += 1) if (await condition()) return;
  throw new Error('It never came to that.');
}

async function waitingForLocks(): Promise<number> {
  const [row] = await world.fixtures.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.count ?? 0;
}

async function leasesOf({ number }: { number: number }): Promise<number> {
  const [row] = await world.fixtures.sql<
    { taken: number }[]
  >`select cardinality(leases) as taken from client_quota where client_number = ${number}`;
  return row?.taken ?? 0;
}

test('while all of a client’s redemptions wait for its feed, another client’s acknowledgement is answered', async () => {
  const [slow, other] = [await world.backEnd(), await world.backEnd()];
  const codes: string[] = [];
  for (let index = 0; index < 4; index += 1) codes.push((await sharing.code(slow.client)).code);
  const share = await sharing.share(other.client);
  const revocationId = await sharing.revokeConnection(other.client, share.connectionId);

  let redemptions: Promise<{ status: number }[]> | undefined;
  await world.fixtures.sql.begin(async (tx) => {
    await tx`select 1 from client_feed where client_number = ${slow.client.number} for update`;
    redemptions = Promise.all(codes.map((code) => slow.machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code } })));
    await until(async () => (await leasesOf(slow.client)) === 4 && (await waitingForLocks()) >= 2);
    const answer = await other.machine.call(`/v1/revocations/${revocationId}/ack`, {
      method: 'POST',
      body: { deletion_completed: true },
      headers: { 'Idempotency-Key': 'deleted' },
    });
    expect(answer.status).toBe(200);
    expect(await waitingForLocks()).toBe(2);
  });
  expect((await redemptions)?.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('a command whose turn does not come in time is refused, and does not happen later', async () => {
  const orm = await createOrm('postgres://nobody@127.0.0.1:1/none');
  const run = commandRunner(orm, 50);
  const begun: string[] = [];
  const release = Promise.withResolvers<void>();
  const settled = Promise.allSettled(
    ['a', 'b', 'late'].map((name) =>
      run(1, () => {
        begun.push(name);
        return release.promise;
      }),
    ),
  );
  const refusals = (await settled).map((each) => (each.status === 'rejected' ? (each.reason as { code: string }).code : ''));
  expect(refusals).toEqual(Array(3).fill('temporarily_unavailable'));
  release.resolve();
  expect(await run(1, async () => 'next')).toBe('next');
  expect(begun).toEqual(['a', 'b']);
  await orm.close(true);
});

test('turns are taken in the sequence of the calls, and work that fails gives its turn on', async () => {
  const turns = new ClientTurns(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work =
    (name: string, fails = false) =>
    () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, () => (fails ? reject(new Error(name)) : resolve(name)));
      });
    };
  const done = ['a', 'b', 'c', 'd'].map((name) =>
    turns.run(1, work(name, name === 'a')).catch((error: Error) => `failed ${error.message}`),
  );
  const elsewhere = turns.run(2, work('other'));
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b', 'other']);
  for (const [ended, next] of [
    ['a', 'c'],
    ['b', 'd'],
  ] as const) {
    ends.get(ended)?.();
    await new Promise(setImmediate);
    expect(begun.at(-1)).toBe(next);
  }
  for (const name of ['c', 'd', 'other']) ends.get(name)?.();
  expect(await Promise.all([...done, elsewhere])).toEqual(['failed a', 'b', 'c', 'd', 'other']);
  expect(await turns.run(1, async () => 'again')).toBe('again');
});
