import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Orm } from '../../../server/database/orm.ts';
import { record } from '../../../server/domain/audit/record.ts';
import { endless } from '../../../server/domain/retention/growth.ts';
import { keepPartitions } from '../../../server/domain/retention/keepPartitions.ts';
import { registry } from '../../../server/platform/metrics.ts';
import { observeGrowth } from '../../../workers/observeGrowth.ts';
import { removeExpired } from '../../../server/domain/retention/removeExpired.ts';
import { retention } from '../../../server/domain/retention/retention.ts';
import { sql } from '../../../server/domain/shared/sql.ts';
import type { DeliveryState } from '../../../server/domain/outbox/deliveryStatus.ts';
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

/** Is kept for as long as what it belongs to. A new table that grows by itself needs a row in `retention` or in `endless` instead. */
const kept = new Set(
  `account_reset audit_export business_model_report certificate_activity certificate_authority certificate_revocation_list
   client client_activity client_feed client_observation client_quota commercial_agreement development_mail
   health_judgement integration issuing_authority_request link_code_resource logo operator p12_package passkey
   profile_version quota_override recovery_code review_evidence review_message review_submission review_verdict    sandbox_actions sandbox_corpus service_gate service_token terms_acceptance terms_version    webhook_receiver_check`.split(
    /\s+/,
  ),
);

test('every table is removed from after a time, or is known to grow or to be kept', async () => {
  const tables = await rows(`select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and relname <> 'migration'`);
  const removed = new Set(retention.map(({ what }) => what.split('.')[0]));
  const grows = new Set<string>(endless);
  expect(tables.map(({ name }) => String(name)).filter((name) => !removed.has(name) && !grows.has(name) && !kept.has(name))).toEqual([]);
});

test('what only grows has a size in the metrics, with its partitions, and a line in the documentation', async () => {
  await observeGrowth(world.pool);
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('svc_table_bytes{'));
  expect(lines.map((line) => /"(\w+)"/.exec(line)?.[1])).toEqual([...endless]);
  const [{ bytes } = { bytes: 0 }] = await world.rows<{ bytes: number }>(
    `select sum(pg_total_relation_size(relid))::float8 as bytes from pg_partition_tree('audit_entry')`,
  );
  expect(bytes).toBeGreaterThan(0);
  expect(lines).toContain(`svc_table_bytes{table="audit_entry"} ${bytes}`);
  const documented = await readFile('docs/capacity.md', 'utf8');
  const chapter = documented.slice(documented.indexOf('## What grows for ever'));
  for (const table of endless) expect(chapter.slice(0, chapter.indexOf('\n## '))).toContain(`\n| \`${table}\``);
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
    storedDelivery(world, { endpoint: of, clientNumber: client.number, state, at, attempts: 2 });
  const forgotten = [await store('delivered', days(30.1)), await store('dead', days(31)), await store('discarded', days(40), removed)];
  const open = await store('held', days(31));
  const recent = await store('delivered', days(29.9));
  const replayed = await store('dead', days(32));
  await world.rows(
    `insert into webhook_delivery (id, endpoint_number, event_id, type, state, window_ends_at, created_at, finished_at, replay_of)
     select 'dlv_replay', endpoint_number, event_id, type, 'delivered', $2, $2, $2, id from webhook_delivery where id = $1`,
    [replayed.id, days(4)],
  );
  await removeExpired(orm.em.fork(), { now });
  const left = await rows('select id, event_id as "eventId" from webhook_delivery order by number');
  expect(left.map(({ id }) => id)).toEqual([open.id, recent.id, 'dlv_replay']);
  const events = (await rows('select id from webhook_event order by occurred_at')).map(({ id }) => id);
  expect(events).toEqual([replayed.eventId, open.eventId, recent.eventId]);
  expect(forgotten.some(({ eventId }) => events.includes(eventId))).toBe(false);
  expect(await rows('select number from webhook_attempt')).toHaveLength(2);
  expect((await rows('select number from webhook_endpoint')).map(({ number }) => number)).toEqual([endpoint.number]);
});

const partitionsOf = async (table: string) =>
  (await rows(`select inhrelid::regclass::text as name from pg_inherits where inhparent = '${table}'::regclass order by 1`)).map(
    ({ name }) => name,
  );
const logged = (at: string) =>
  rows(
    `insert into request_log (client_number, occurred_at, request_id, method, route, status, duration_ms) values (1, '${at}', 'req_${at}', 'GET', 'getSync', 200, 1)`,
  );
const loggedAt = async () =>
  (await rows('select request_id as id from request_log order by occurred_at')).map(({ id }) => String(id).slice(4));

test('a day of the request log goes whole once its last line may, and nobody waits for that', async () => {
  await rows('truncate request_log');
  await keepPartitions(orm.em.fork(), { now: new Date('2026-11-12T00:00:00Z') });
  const lines = ['2026-11-12T00:00:00Z', '2026-11-12T23:59:59.999Z', '2026-11-13T00:00:00Z', '2026-11-20T11:59:00Z'];
  for (const line of lines) await logged(line);
  const remove = () => removeExpired(orm.em.fork(), { now });
  // A backup reads the whole log for an hour.
  await orm.em.fork().transactional(async (backup) => {
    await sql(backup, 'select from request_log limit 1');
    await expect(remove()).rejects.toThrow('Not all could be removed from: request_log.');
    await logged('2026-11-20T11:59:30Z');
  });
  expect(await loggedAt()).toHaveLength(5);
  await remove();
  expect(await loggedAt()).toEqual([...lines.slice(2), '2026-11-20T11:59:30Z']);
  expect((await partitionsOf('request_log'))[0]).toBe('request_log_20261113');
  // The workers' role cannot drop this week's lines.
  await rows(`select make_partitions(now()), drop_request_log_days('2099-01-01', 1000)`);
  expect((await partitionsOf('request_log')).length).toBeGreaterThan(14);
});

test('nothing is lost while no worker has made partitions for weeks; when one is back, the days to come have theirs', async () => {
  await rows('drop table if exists request_log_20261120');
  await rows('truncate request_log');
  const back = new Date('2031-05-15T12:00:00Z');
  await logged('2031-04-20T00:00:00Z');
  await logged('2031-05-15T11:00:00Z');
  const entry = { action: 'feed.reset', subject: { type: 'service', id: 'feeds' } } as const;
  await orm.em.fork().transactional((tx) => record(tx, { type: 'system', name: 'terminal' }, back, entry));
  await Promise.all([1, 2].map(() => keepPartitions(orm.em.fork(), { now: back })));
  expect((await partitionsOf('request_log')).filter((name) => String(name).includes('_2031'))).toEqual(
    Array.from({ length: 14 }, (_, day) => `request_log_203105${16 + day}`),
  );
  expect((await partitionsOf('audit_entry')).filter((name) => String(name).includes('_2031'))).toEqual([
    'audit_entry_203106',
    'audit_entry_203107',
    'audit_entry_203108',
  ]);
  await logged('2031-05-15T13:00:00Z');
  await logged('2031-05-16T00:00:00Z');
  expect(await rows('select tableoid::regclass::text as place, count(*)::int from request_log group by 1 order by 1')).toEqual([
    { place: 'request_log_20310516', count: 1 },
    { place: 'request_log_default', count: 3 },
  ]);
  await removeExpired(orm.em.fork(), { now: back });
  expect(await loggedAt()).toEqual(['2031-05-15T11:00:00Z', '2031-05-15T13:00:00Z', '2031-05-16T00:00:00Z']);
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
  expect((await rows(`select id from key_ring_entry where wrapped = '' order by id`)).map(({ id }) => id)).toEqual([
    'key_cursor_900',
    'key_lookup_900',
    'key_session_8.9',
  ]);
  expect((await rows('select id from key_ring_entry where retired_at is null')).length).toBe(current);
});
