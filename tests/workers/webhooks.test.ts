import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { IsolationLevel } from '@mikro-orm/postgresql';
import { findSharedResource } from '../../server/domain/feed/findSharedResource.ts';
import type { Query } from '../../server/domain/shared/query.ts';
import { clearSandbox } from '../../server/domain/sandbox/corpus/clearSandbox.ts';
import { revokeResource } from '../../server/domain/sharing/revocation/revokeResource.ts';
import { retryDelay } from '../../server/domain/webhook/delivery/retryPolicy.ts';
import { replayDelivery } from '../../server/domain/webhook/replay/replayDelivery.ts';
import { keepDeliveryKey } from '../../server/domain/webhook/signing/deliveryKey.ts';
import { authorityKeys } from '../../server/platform/authorityKeys.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { registry, webhookLeading, webhookOldestDue, webhookWaiting } from '../../server/platform/metrics.ts';
import { createOutbound } from '../../server/platform/outbound/createOutbound.ts';
import { openLeaderConnection } from '../../workers/webhooks/connections.ts';
import { Hand } from '../../workers/webhooks/Hand.ts';
import { Lane } from '../../workers/webhooks/Lane.ts';
import { ResultWriter } from '../../workers/webhooks/ResultWriter.ts';
import { startWebhookPump } from '../../workers/webhooks/startWebhookPump.ts';
import { Tally } from '../../workers/webhooks/Tally.ts';
import { operatorOf } from '../domain/lifecycles/certificateWalk.ts';
import { WebhookReceiver } from '../support/clients/webhookReceiver.ts';
import { type StoredEvent, webhookDelivery, webhookEndpoint } from '../support/webhooks/webhookFixtures.ts';
import { openWorld } from '../support/world/openWorld.ts';
import { signingKeys } from '../support/world/testKeys.ts';
import type { World } from '../support/world/World.ts';

let world: World;
let receiver: WebhookReceiver;

beforeAll(async () => {
  world = await openWorld();
  world.clock.stop();
  receiver = await WebhookReceiver.start();
  world.onClose(() => receiver.close());
});
afterAll(() => world.close());
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answer = () => 200;
});

const deliveryOf = async (id: string) => {
  const [row] = await world.rows<Record<string, unknown>>(
    `select state, reason, attempts, (select count(*)::int from webhook_attempt a where a.delivery_no = d.no) as recorded,
            date_part('epoch', next_attempt_at - $2) as next_in from webhook_delivery d where id = $1`,
    [id, world.clock.now()],
  );
  return row;
};

test('an event is sent signed to the endpoint, and the answer is on record', async () => {
  const client = await world.fixtures.client();
  const endpoint = await webhookEndpoint(world, client, { url: receiver.url('first') });
  const connectionId = await world.fixtures.connection(client);
  const { id, eventId } = await webhookDelivery(world, client, endpoint, { type: 'connection.created', connectionId });
  await world.deliver(receiver);
  const [request] = receiver.at('first');
  expect(request?.headers['x-svc-event-id']).toBe(eventId);
  expect(JSON.parse(String(request?.body))).toMatchObject({
    id: eventId,
    type: 'connection.created',
    data: { connection_id: connectionId },
  });
  expect(await deliveryOf(id)).toMatchObject({ state: 'delivered', attempts: 1, recorded: 1 });
});

test('an attempt that cannot be put on record does not keep its result, or those of others, from being stored', async () => {
  const client = await world.fixtures.client();
  const endpoint = await webhookEndpoint(world, client, { url: receiver.url('refused') });
  const connectionId = await world.fixtures.connection(client);
  const hand = new Hand();
  const writer = new ResultWriter({
    query: (text, parameters) => world.rows(text, parameters),
    hand,
    logger: createLogger('test', 'silent'),
  });
  const phases = { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, totalUs: 1 };
  const recorded = { ...phases, startedAt: 0, address: null, status: 200, error: null, response: 'ok', keyId: 'k' };
  const delivered = { action: 'completeDelivery', attempts: 1, finishedAt: world.clock.now().getTime() } as const;
  const results = [
    { ...delivered, attempt: recorded },
    // The process was frozen for an hour.
    { ...delivered, attempt: { ...recorded, totalUs: hour * 1_000 } },
    { ...delivered, attempt: { ...recorded, address: 'not an address' } },
    { action: 'discardDelivery', attempts: 0, finishedAt: Number.NaN, attempt: null },
  ] as const;
  const sent: { id: string; no: number }[] = [];
  for (const result of results) {
    const { id } = await webhookDelivery(world, client, endpoint, { type: 'connection.created', connectionId });
    const [{ no } = { no: 0 }] = await world.rows<{ no: number }>('select no::float8 from webhook_delivery where id = $1', [id]);
    hand.take(endpoint.no, no);
    writer.push({ ...result, no, endpointNo: endpoint.no, reason: null, nextAttemptAt: null });
    sent.push({ id, no });
  }
  await writer.flush();
  expect(await Promise.all(sent.map(({ id }) => deliveryOf(id)))).toMatchObject([
    { state: 'delivered', attempts: 1, recorded: 1 },
    { state: 'delivered', attempts: 1, recorded: 1 },
    { state: 'delivered', attempts: 0, recorded: 0 },
    { state: 'pending', attempts: 0, recorded: 0 },
  ]);
  // What nothing can be stored of is not sent again by this process.
  expect([...hand.all()]).toEqual([sent[3]?.no]);
  await world.rows('delete from webhook_delivery where endpoint_no = $1', [endpoint.no]);
});

test('how an endpoint does is written as soon as it can be, and not over what another process has learned since', async () => {
  const client = await world.fixtures.client();
  const laneOf = async (name: string) => {
    const lane = new Lane((await webhookEndpoint(world, client, { url: receiver.url(name) })).no);
    lane.url = receiver.url(name);
    return lane;
  };
  const [held, free] = [await laneOf('held'), await laneOf('free')];
  const startedAt = world.clock.now().getTime() - hour;
  const attempt = { startedAt, dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, totalUs: 1, address: null };
  const results = { fails: 'retryDelivery', succeeds: 'completeDelivery' } as const;
  const tally = new Tally();
  const note = (lane: Lane, how: keyof typeof results, minutes: number) => {
    const made = { ...attempt, status: null, error: null, response: null, keyId: 'k' };
    const result = { no: 1, endpointNo: lane.endpointNo, attempts: 1, reason: null, nextAttemptAt: null, finishedAt: null };
    tally.add(lane, { ...result, action: results[how], attempt: made }, { url: lane.url ?? '', endedAt: startedAt + minutes * 60_000 });
  };
  const failures = () =>
    world.rows(
      'select failures_in_row as failures, failing_since is not null as failing from webhook_endpoint where no in ($1, $2) order by no',
      [held.endpointNo, free.endpointNo],
    );
  const query: Query = (text, parameters) => world.rows(text, parameters);

  note(held, 'fails', 1);
  note(free, 'fails', 1);
  // The database is out of reach, and then the owner is just changing an endpoint.
  await expect(tally.flushHealth(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  const owner = await world.pool.connect();
  await owner.query('begin');
  await owner.query('select from webhook_endpoint where no = $1 for no key update', [held.endpointNo]);
  await tally.flushHealth(query);
  const meanwhile = await failures();
  await owner.query('rollback');
  owner.release();
  await tally.flushHealth(query);
  const failing = { failures: 1, failing: true };
  const well = { failures: 0, failing: false };
  expect([meanwhile, await failures()]).toEqual([
    [well, failing],
    [failing, failing],
  ]);

  // Another process, which leads by now, has seen a success of the one and a failure of the other.
  note(held, 'fails', 2);
  note(free, 'succeeds', 2);
  const later = new Date(startedAt + 180_000);
  await world.rows('update webhook_endpoint set failures_in_row = 0, failing_since = null, last_success_at = $2 where no = $1', [
    held.endpointNo,
    later,
  ]);
  await world.rows('update webhook_endpoint set failing_since = $2 where no = $1', [free.endpointNo, later]);
  await tally.flushHealth(query);
  expect(await failures()).toEqual([well, failing]);
  await tally.flushHealth(() => Promise.reject(new Error('nothing is left to write')));
});

const hour = 3_600_000;
/** Someone whose order is shared with an endpoint of this mode. */
async function shared(name: string, payloadMode: 'notification' | 'full_payload', environment: 'sandbox' | 'production' = 'sandbox') {
  const client = await world.fixtures.client({ environment, status: environment === 'production' ? 'active' : 'sandbox' });
  const endpoint = await webhookEndpoint(world, client, { url: receiver.url(name), payloadMode });
  const connectionId = await world.fixtures.connection(client);
  const [id = ''] = await world.fixtures.share(client, connectionId, 1, { shipping: true });
  const about = { connectionId, resource: { id, type: 'order' } } as const;
  return {
    client,
    endpoint,
    about,
    send: (event: StoredEvent, window?: number) => webhookDelivery(world, client, endpoint, event, window),
  };
}

test('a full payload encloses exactly what the detail response answers, and a notification nothing', async () => {
  for (const payloadMode of ['full_payload', 'notification'] as const) {
    const { client, about, send } = await shared(payloadMode.replace('_', '-'), payloadMode);
    await send({ type: 'resource.updated', ...about });
    await world.deliver(receiver);
    const detail = await findSharedResource((text, parameters) => world.rows(text, parameters), { clientNo: client.no, ...about.resource });
    const body = String(receiver.at(payloadMode.replace('_', '-'))[0]?.body);
    const text = detail.state === 'live' ? detail.text : 'none';
    expect(text).toContain('"shipping":');
    if (payloadMode === 'full_payload') expect(body.endsWith(`,"snapshot":${text},"history_complete":true}}`)).toBe(true);
    else expect(JSON.parse(body)).toMatchObject({ data: { connection_id: about.connectionId, resource: about.resource } });
    expect(body.includes('"snapshot"')).toBe(payloadMode === 'full_payload');
  }
});

test('what access no longer shows when it is due is discarded, each with its reason, and nothing of it is sent', async () => {
  const { client, endpoint, about, send } = await shared('discards', 'full_payload');
  const scopes = (list: string) => world.rows(`update client set scopes = $2 where no = $1`, [client.no, list.split(' ')]);
  const generation = await send({ type: 'statistics.updated', generationId: 'gen_0' });
  await scopes('vehicles.read');
  const hidden = await send({ type: 'resource.updated', ...about });
  const statistics = await send({ type: 'statistics.updated', generationId: 'gen_0' });
  await world.deliver(receiver);
  expect(await deliveryOf(hidden.id)).toMatchObject({ state: 'discarded', reason: 'not_visible' });
  expect(await deliveryOf(statistics.id)).toMatchObject({ state: 'discarded', reason: 'not_visible' });
  expect(await deliveryOf(generation.id)).toMatchObject({ state: 'discarded', reason: 'not_visible' });
  await scopes('orders.read statistics.orders.read');
  const replaced = await send({ type: 'statistics.updated', generationId: 'gen_0' });
  const gone = await send({ type: 'connection.created', connectionId: about.connectionId });
  await world.rows('delete from webhook_event where id = $1', [gone.eventId]);
  await world
    .em()
    .transactional((tx) => revokeResource(tx, { clientNo: client.no, resourceId: about.resource.id, now: world.clock.now() }));
  const revoked = await send({ type: 'resource.granted', ...about });
  await world.deliver(receiver);
  expect(await deliveryOf(replaced.id)).toMatchObject({ state: 'discarded', reason: 'generation_replaced' });
  expect(await deliveryOf(gone.id)).toMatchObject({ state: 'discarded', reason: 'event_gone' });
  expect(await deliveryOf(revoked.id)).toMatchObject({ state: 'discarded', reason: 'access_revoked' });
  // The revocation’s own event is the only one that went out.
  expect(receiver.at('discards').map(({ body }) => (JSON.parse(String(body)) as { type: string }).type)).toEqual(['resource.revoked']);
  const removed = await send({ type: 'connection.created', connectionId: about.connectionId });
  await world.rows(`update webhook_endpoint set status = 'removed', slot = null, removed_at = $2 where no = $1`, [
    endpoint.no,
    world.clock.now(),
  ]);
  await world.deliver(receiver);
  expect(await deliveryOf(removed.id)).toMatchObject({ state: 'discarded', reason: 'endpoint_gone' });
});

test('what tells of a former sandbox is discarded with a reason when it is replayed, and never read again', async () => {
  const { client, about, send } = await shared('former', 'notification');
  receiver.answer = () => 404;
  await send({ type: 'connection.created', connectionId: about.connectionId });
  await world
    .em()
    .transactional((tx) => revokeResource(tx, { clientNo: client.no, resourceId: about.resource.id, now: world.clock.now() }));
  await world.deliver(receiver);
  const letters = await world.rows<{ id: string; type: string }>(
    `select d.id, d.type from webhook_delivery d join webhook_event e on e.id = d.event_id where e.client_no = $1 and d.state = 'dead' order by d.no`,
    [client.no],
  );
  expect(letters.map(({ type }) => type)).toEqual(['connection.created', 'resource.revoked']);
  await world.em().transactional((tx) => clearSandbox(tx, client.no), { isolationLevel: IsolationLevel.READ_COMMITTED });
  receiver.requests.length = 0;
  const actor = operatorOf(client.operatorId);
  for (const { id: deliveryId } of letters) {
    const { id } = await replayDelivery(world.em(), { actor, deliveryId, now: world.clock.now() });
    await world.deliver(receiver);
    expect(await deliveryOf(id)).toMatchObject({ state: 'discarded', reason: 'sandbox_replaced', attempts: 0 });
  }
  expect(receiver.requests).toEqual([]);
});

test('what is held goes out as soon as its reason has ended, also if that was missed when it ended', async () => {
  const { client, endpoint, about, send } = await shared('held', 'notification', 'production');
  const gates = (open: boolean) =>
    world.rows(
      'with s as (update service_gate set production_data_enabled = $1) update integration set production_gate_open = $1 where id = $2',
      [open, client.integrationId],
    );
  const status = (value: string) => world.rows(`update integration set status = $2 where id = $1`, [client.integrationId, value]);
  const pause = (value: string) =>
    world.rows(`update webhook_endpoint set status = $2, paused_by = case $2 when 'paused' then 'owner' end where no = $1`, [
      endpoint.no,
      value,
    ]);
  const { id } = await send({ type: 'connection.created', connectionId: about.connectionId });
  const suspension = await send({ type: 'integration.suspended' });
  await pause('paused');
  const reasons: unknown[] = [];
  for (const change of [() => status('suspended'), () => pause('active'), () => status('active'), () => gates(true)]) {
    await world.deliver(receiver);
    reasons.push((await deliveryOf(id))?.['reason']);
    await change();
  }
  expect(reasons).toEqual(['endpoint_not_active', 'endpoint_not_active', 'integration_suspended', 'gate_closed']);
  expect(receiver.at('held').map(({ headers }) => headers['x-svc-event-id'])).toEqual([suspension.eventId]);
  await world.deliver(receiver);
  await gates(false);
  expect(await deliveryOf(id)).toMatchObject({ state: 'delivered', reason: null, attempts: 1 });
});

test('a failed attempt is repeated after its delay under the same event ID, and each attempt is on record', async () => {
  const { endpoint, about, send } = await shared('retried', 'notification');
  const { id, eventId, no } = await send({ type: 'connection.created', connectionId: about.connectionId });
  receiver.answer = () => ({ status: 503, body: 'come back\0later' });
  await world.deliver(receiver);
  const delay = retryDelay(eventId, endpoint.id, 1) / 1_000;
  expect(await deliveryOf(id)).toMatchObject({ state: 'pending', attempts: 1, next_in: delay });
  await world.deliver(receiver);
  expect(receiver.at('retried').length).toBe(1);
  world.clock.advance(delay * 1_000);
  receiver.answer = () => ({ status: 429, headers: { 'retry-after': '1000' } });
  await world.deliver(receiver);
  expect(await deliveryOf(id)).toMatchObject({ state: 'pending', attempts: 2, next_in: 1_000 });
  world.clock.advance(1_000_000);
  receiver.answer = () => 204;
  await world.deliver(receiver);
  expect(await deliveryOf(id)).toMatchObject({ state: 'delivered', attempts: 3 });
  expect(new Set(receiver.at('retried').map(({ headers }) => headers['x-svc-event-id']))).toEqual(new Set([eventId]));
  const attempts = await world.rows(
    `select number, host(address) as address, status, error, response, total_us > 0 as took, first_byte_us > 0 as answered, key_id is not null as signed
       from webhook_attempt where delivery_no = $1 order by number`,
    [no],
  );
  const common = { address: '127.0.0.1', error: null, took: true, answered: true, signed: true };
  expect(attempts).toEqual([
    { ...common, number: 1, status: 503, response: 'come back\uFFFDlater' },
    { ...common, number: 2, status: 429, response: null },
    { ...common, number: 3, status: 204, response: null },
  ]);
  const charted = await world.rows(
    `select outcome, sum(count)::int as count, sum((select sum(n) from unnest(durations) n))::int as durations from webhook_attempt_hour
      where endpoint_no = $1 group by outcome order by outcome`,
    [endpoint.no],
  );
  expect(charted).toEqual([
    { outcome: 'delivered', count: 1, durations: 1 },
    { outcome: 'retried', count: 2, durations: 2 },
  ]);
});

test('a terminal status makes a dead letter at once, and a retry beyond the window at the end', async () => {
  const { endpoint, about, send } = await shared('terminal', 'notification');
  const first = await send({ type: 'connection.created', connectionId: about.connectionId });
  receiver.answer = () => 410;
  await world.deliver(receiver);
  expect(await deliveryOf(first.id)).toMatchObject({ state: 'dead', reason: 'terminal_status', attempts: 1 });
  const second = await send({ type: 'connection.created', connectionId: about.connectionId }, 15_000);
  receiver.answer = () => 500;
  await world.deliver(receiver);
  expect(await deliveryOf(second.id)).toMatchObject({ state: 'dead', reason: 'window_over', attempts: 1 });
  const health = () =>
    world.rows(
      'select failures_in_row, failing_since is not null as failing, last_success_at is not null as succeeded from webhook_endpoint where no = $1',
      [endpoint.no],
    );
  expect(await health()).toEqual([{ failures_in_row: 2, failing: true, succeeded: false }]);
  receiver.answer = () => 200;
  await send({ type: 'connection.created', connectionId: about.connectionId });
  await world.deliver(receiver);
  expect(await health()).toEqual([{ failures_in_row: 0, failing: false, succeeded: true }]);
});

test('deliveries that nobody attempts end with their window: those of a paused endpoint as dead letters, those behind the gate as discarded', async () => {
  const paused = await shared('window-paused', 'notification');
  await world.rows(`update webhook_endpoint set status = 'paused', paused_by = 'owner' where no = $1`, [paused.endpoint.no]);
  const closed = await shared('window-closed', 'notification', 'production');
  const [one, other] = [
    await paused.send({ type: 'connection.created', connectionId: paused.about.connectionId }, hour),
    await closed.send({ type: 'connection.created', connectionId: closed.about.connectionId }, hour),
  ];
  await world.deliver(receiver);
  world.clock.advance(hour);
  await world.deliver(receiver);
  expect(await deliveryOf(one.id)).toMatchObject({ state: 'dead', reason: 'endpoint_not_active', attempts: 0 });
  expect(await deliveryOf(other.id)).toMatchObject({ state: 'discarded', reason: 'window_over_while_held', attempts: 0 });
});

/** What runs in a workers’ process, with connections of its own. */
function startPump(databaseUrl = world.urls.workers) {
  const transport = createOutbound({ developmentHosts: receiver.developmentHosts });
  return startWebhookPump({
    databaseUrl,
    clock: world.clock,
    logger: createLogger('webhooks', 'silent'),
    transport,
    signingKey: keepDeliveryKey({ em: () => world.em(), wrapping: authorityKeys(signingKeys), clock: world.clock }),
    source: () => 'https://api.example',
  });
}

const pendingOf = async ({ no }: { no: number }) =>
  (
    await world.rows<{ count: number }>(
      `select count(*)::int as count from webhook_delivery where endpoint_no = $1 and state = 'pending'`,
      [no],
    )
  )[0]?.count;
const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 10));

test('only the process that delivers says how much waits and for how long', async () => {
  const shown = async () => (await registry.metrics()).match(/^svc_webhook_(oldest_due_seconds|deliveries_waiting)\{.*$/gm);
  const measure = () => {
    webhookOldestDue.set({ endpoint: 'well' }, 3);
    webhookWaiting.set({ state: 'held' }, 5);
  };
  webhookLeading.set(1);
  measure();
  expect(await shown()).toEqual(['svc_webhook_oldest_due_seconds{endpoint="well"} 3', 'svc_webhook_deliveries_waiting{state="held"} 5']);
  webhookLeading.set(0);
  // What was being counted when the lead was lost comes late.
  measure();
  expect(await shown()).toBeNull();
});

test('whoever begins to lead sees which endpoints have stopped failing while nobody could write it down', async () => {
  const client = await world.fixtures.client();
  const connectionId = await world.fixtures.connection(client);
  const failingSince = world.clock.now().getTime() - hour;
  const nos: number[] = [];
  // The one success came after the failure; the other was under way at the same time.
  for (const [name, seconds] of Object.entries({ recovered: 31, fails: 29 })) {
    const endpoint = await webhookEndpoint(world, client, { url: receiver.url(name) });
    nos.push(endpoint.no);
    const { id } = await webhookDelivery(world, client, endpoint, { type: 'connection.created', connectionId });
    await world.rows(`update webhook_delivery set state = 'delivered', attempts = 1, finished_at = $2 where id = $1`, [
      id,
      new Date(failingSince + seconds * 1_000),
    ]);
    await world.rows('update webhook_endpoint set failures_in_row = 3, failing_since = $2 where no = $1', [
      endpoint.no,
      new Date(failingSince),
    ]);
  }
  const failures = async () =>
    (
      await world.rows<{ failures: number }>('select failures_in_row as failures from webhook_endpoint where no = any ($1) order by no', [
        nos,
      ])
    ).map((row) => row.failures);
  const [pump, leading] = [startPump(), Promise.withResolvers<void>()];
  const watch = setInterval(() => void webhookLeading.get().then(({ values }) => values[0]?.value === 1 && leading.resolve()), 10);
  await leading.promise;
  clearInterval(watch);
  await pump.stop();
  expect(await failures()).toEqual([0, 3]);
});

test('a process whose clock is wrong does not lead, since windows and due times go by the leader’s clock', async () => {
  const connection = await openLeaderConnection(world.databaseUrl);
  const now = Date.now();
  const answers = [await connection.lead(now + 6_000), await connection.lead(now - 6_000), await connection.lead(now)];
  await connection.end();
  expect(answers).toEqual(['clock_differs', 'clock_differs', 'leads']);
});

test('a failure that is ours is no failure of the endpoint, and neither is one at a URL that the endpoint had before', async () => {
  const client = await world.fixtures.client();
  const { no } = await webhookEndpoint(world, client, { url: receiver.url('moved') });
  const lane = new Lane(no);
  const tally = new Tally();
  const endedAt = world.clock.now().getTime();
  const made = {
    startedAt: endedAt,
    dnsUs: null,
    connectUs: null,
    tlsUs: null,
    firstByteUs: null,
    totalUs: 1,
    address: null,
    status: null,
  };
  const retried = {
    no: 1,
    endpointNo: no,
    action: 'retryDelivery',
    attempts: 1,
    reason: null,
    nextAttemptAt: 1,
    finishedAt: null,
  } as const;
  const fail = (error: string, url: string) =>
    tally.add(lane, { ...retried, attempt: { ...made, error, response: null, keyId: null } }, { url, endedAt });
  const failures = async () => {
    await tally.flushHealth((text, parameters) => world.rows(text, parameters));
    return (await world.rows<{ failures: number }>('select failures_in_row as failures from webhook_endpoint where no = $1', [no]))[0]
      ?.failures;
  };
  lane.url = receiver.url('moved');
  fail('service_error', lane.url);
  fail('timeout', receiver.url('former'));
  expect([lane.failures, await failures()]).toEqual([0, 0]);
  fail('timeout', lane.url);
  // The owner changes the URL before this is written down.
  await world.rows('update webhook_endpoint set url = $2 where no = $1', [no, receiver.url('later')]);
  expect([lane.failures, await failures()]).toEqual([1, 0]);
});

test('of two processes one delivers; when it ends, is stopped or loses its connection, the other goes on, and nothing is lost', async () => {
  const { endpoint, about, send } = await shared('two', 'notification');
  world.clock.run();
  const pumps = [startPump(), startPump()];
  const leaders = () =>
    world.rows<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database()) and pid in (select pid from pg_stat_activity where application_name = 'webhook-pump')`,
    );
  const sent: string[] = [];
  const sendSome = async () => {
    for (let count = 0; count < 20; count += 1)
      sent.push((await send({ type: 'connection.created', connectionId: about.connectionId })).eventId);
    await world.rows(`select pg_notify('webhook_due', $1)`, [String(endpoint.no)]);
  };
  try {
    await sendSome();
    while ((await pendingOf(endpoint)) !== 0) await nextTurn();
    const [leader] = await leaders();
    expect(await leaders()).toHaveLength(1);
    // Every attempt under way is interrupted, and repeated by whoever leads next.
    let underWay = 0;
    receiver.answer = async () => {
      underWay += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return 200;
    };
    await sendSome();
    while (underWay === 0) await nextTurn();
    await world.rows('select pg_terminate_backend($1)', [leader?.pid]);
    while ((await pendingOf(endpoint)) !== 0) await nextTurn();
    await sendSome();
    while (underWay < 25) await nextTurn();
    await pumps[0]?.stop();
    while ((await pendingOf(endpoint)) !== 0) await nextTurn();
  } finally {
    await Promise.all(pumps.map((pump) => pump.stop()));
    world.clock.stop();
  }
  const states = await world.rows(`select state, count(*)::int as count from webhook_delivery where endpoint_no = $1 group by state`, [
    endpoint.no,
  ]);
  expect(states).toEqual([{ state: 'delivered', count: 60 }]);
  const received = receiver.at('two').map(({ headers }) => String(headers['x-svc-event-id']));
  expect(new Set(received)).toEqual(new Set(sent));
}, 30_000);
