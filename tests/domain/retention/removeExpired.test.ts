import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Orm } from '../../../server/database/orm.ts';
import { removeExpired } from '../../../server/domain/retention/removeExpired.ts';
import { retention } from '../../../server/domain/retention/retention.ts';
import { sql } from '../../../server/domain/shared/sql.ts';
import type { DeliveryState } from '../../../server/domain/webhook/deliveryStatus.ts';
import { storedDelivery } from '../../support/webhooks/deliveryRows.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';
import { redeemAttempts } from '../../support/world/sharingFixtures.ts';

const now = new Date('2026-11-20T12:00:00Z');
let world: World;
let orm: Orm;
beforeAll(async () => {
  world = await openWorld({ poolMax: 2 });
  ({ orm } = world);
});
afterAll(() => world.close());

const rows = (text: string) => sql<Record<string, unknown>>(orm.em.fork(), text);

test('a table that cannot be cleaned up keeps no other one from being cleaned up, and is named', async () => {
  await redeemAttempts(world, { source: '192.0.2.1', since: new Date('2026-11-01T00:00:00Z') }, 1);
  await redeemAttempts(world, { source: '192.0.2.2', since: new Date('2026-11-20T11:59:00Z') }, 1);
  await rows('alter table email_change rename to email_change_away');
  try {
    await expect(removeExpired(orm.em.fork(), { now })).rejects.toThrow('Not all could be removed from: email_change.');
  } finally {
    await rows('alter table email_change_away rename to email_change');
  }
  expect(await rows('select source::text from redeem_source')).toEqual([{ source: '192.0.2.2' }]);
  await removeExpired(orm.em.fork(), { now });
});

test('what is forgotten is found by an index, whatever the size of the table', async () => {
  for (const { what, sliceSql } of retention) {
    const plan = await orm.em.fork().transactional(async (tx) => {
      await sql(tx, 'set local enable_seqscan = off');
      return sql<{ 'QUERY PLAN': string }>(tx, `explain ${sliceSql.replaceAll('$1', `'${now.toISOString()}'`).replaceAll('$2', '5000')}`);
    });
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect([what, /Seq Scan/.test(text)]).toEqual([what, false]);
  }
});

test('events, deliveries, attempts and removed endpoints are forgotten after 30 days, and nothing that is still open or was replayed later', async () => {
  const client = await world.fixtures.client();
  const endpoint = await world.fixtures.webhookEndpoint(client);
  const removed = await world.fixtures.webhookEndpoint(client, { status: 'removed', at: new Date('2026-10-20T12:00:00Z') });
  const days = (count: number) => new Date(now.getTime() - count * 24 * 60 * 60 * 1000);
  const store = (state: DeliveryState, at: Date, of = endpoint) =>
    storedDelivery(world, { endpoint: of, clientNo: client.no, state, at, attempts: 2 });
  const forgotten = [await store('delivered', days(30.1)), await store('dead', days(31)), await store('discarded', days(40), removed)];
  const open = await store('held', days(31));
  const recent = await store('delivered', days(29.9));
  const replayed = await store('dead', days(32));
  await world.rows(
    `insert into webhook_delivery (id, endpoint_no, event_id, type, state, window_ends_at, created_at, finished_at, replay_of)
     select 'dlv_replay', endpoint_no, event_id, type, 'delivered', $2, $2, $2, id from webhook_delivery where id = $1`,
    [replayed.id, days(4)],
  );
  await removeExpired(orm.em.fork(), { now });
  const left = await rows('select id, event_id as "eventId" from webhook_delivery order by no');
  expect(left.map(({ id }) => id)).toEqual([open.id, recent.id, 'dlv_replay']);
  const events = (await rows('select id from webhook_event order by occurred_at')).map(({ id }) => id);
  expect(events).toEqual([replayed.eventId, open.eventId, recent.eventId]);
  expect(forgotten.some(({ eventId }) => events.includes(eventId))).toBe(false);
  expect(await rows('select number from webhook_attempt')).toHaveLength(2);
  expect((await rows('select no from webhook_endpoint')).map(({ no }) => no)).toEqual([endpoint.no]);
});

test('keys of sessions and links are forgotten an hour after nothing that they made can live; those of lookups and cursors stay', async () => {
  const retired = (hours: number) => new Date(now.getTime() - hours * 60 * 60 * 1000);
  for (const [purpose, hours] of [
    ['session', 9],
    ['session', 8.9],
    ['verification_link', 10],
    ['lookup', 900],
    ['cursor', 900],
  ] as const)
    await world.rows(`insert into key_ring_entry (id, purpose, wrapped, created_at, retired_at) values ($1, $2, '', $3, $4)`, [
      `key_${purpose}_${hours}`,
      purpose,
      retired(1_000),
      retired(hours),
    ]);
  const current = (await rows('select id from key_ring_entry where retired_at is null')).length;
  await removeExpired(orm.em.fork(), { now });
  expect((await rows(`select id from key_ring_entry where retired_at is not null order by id`)).map(({ id }) => id)).toEqual([
    'key_cursor_900',
    'key_lookup_900',
    'key_session_8.9',
  ]);
  expect((await rows('select id from key_ring_entry where retired_at is null')).length).toBe(current);
});
