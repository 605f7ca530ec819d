import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Child, startChild } from '../../bench/programs/childProcess.ts';
import type { WebhookWorkerTask } from '../../bench/programs/webhookWorker.ts';
import type { Query } from '../../server/domain/shared/query.ts';
import { keepDeliveryKey } from '../../server/domain/webhook/signing/deliveryKey.ts';
import { authorityKeys } from '../../server/platform/authorityKeys.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { registry } from '../../server/platform/metrics.ts';
import { createOutbound } from '../../server/platform/outbound/createOutbound.ts';
import { openLeaderConnection } from '../../workers/webhooks/connections.ts';
import { ClaimedDeliveries } from '../../workers/webhooks/ClaimedDeliveries.ts';
import { Lane } from '../../workers/webhooks/Lane.ts';
import { ResultWriter } from '../../workers/webhooks/ResultWriter.ts';
import { startWebhookPump } from '../../workers/webhooks/startWebhookPump.ts';
import { DeliveryCounters } from '../../workers/webhooks/DeliveryCounters.ts';
import { WebhookReceiver } from '../support/clients/webhookReceiver.ts';
import { webhookDelivery, webhookEndpoint } from '../support/webhooks/webhookFixtures.ts';
import { openWorld } from '../support/world/openWorld.ts';
import { signingKeys } from '../support/world/testKeys.ts';
import type { World } from '../support/world/World.ts';
import { webhookLeading, webhookOldestDue, webhookWaiting } from '../../workers/webhooks/webhookMetrics.ts';

/** What an attempt tells of what was sent. */
const sentTo = { url: 'https://a.test', payloadMode: 'notification', revision: null, bodySha256: null } as const;

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
  // Metrics belong to the process, which other files have used before.
  registry.resetMetrics();
  receiver.requests.length = 0;
  receiver.answer = () => 200;
});

const hour = 3_600_000;
const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 10));

const deliveryOf = async (id: string) => {
  const [row] = await world.rows<Record<string, unknown>>(
    `select state, reason, attempts, (select count(*)::int from webhook_attempt a where a.delivery_number = d.number) as recorded,
            date_part('epoch', next_attempt_at - $2) as next_in from webhook_delivery d where id = $1`,
    [id, world.clock.now()],
  );
  return row;
};

test('an attempt that cannot be put on record does not keep its result, or those of others, from being stored', async () => {
  const client = await world.fixtures.client();
  const endpoint = await webhookEndpoint(world, client, { url: receiver.url('refused') });
  const connectionId = await world.fixtures.connection(client);
  const claimed = new ClaimedDeliveries();
  const writer = new ResultWriter({
    query: (text, parameters) => world.rows(text, parameters),
    claimed,
    logger: createLogger('test', 'silent'),
  });
  const phases = { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, totalUs: 1 };
  const recorded = { ...phases, startedAt: 0, address: null, status: 200, error: null, response: 'ok', keyId: 'k', ...sentTo };
  const delivered = { action: 'completeDelivery', attempts: 1, finishedAt: world.clock.now().getTime() } as const;
  const results = [
    { ...delivered, attempt: recorded },
    // The process was frozen for an hour.
    { ...delivered, attempt: { ...recorded, totalUs: hour * 1_000 } },
    { ...delivered, attempt: { ...recorded, address: 'not an address' } },
    { action: 'discardDelivery', attempts: 0, finishedAt: Number.NaN, attempt: null },
  ] as const;
  const sent: { id: string; number: number }[] = [];
  for (const result of results) {
    const { id } = await webhookDelivery(world, client, endpoint, { type: 'connection.created', connectionId });
    const [{ number } = { number: 0 }] = await world.rows<{ number: number }>('select number::float8 from webhook_delivery where id = $1', [
      id,
    ]);
    claimed.claim(endpoint.number, number);
    writer.push({ ...result, number, endpointNumber: endpoint.number, reason: null, nextAttemptAt: null, waitAsked: false });
    sent.push({ id, number });
  }
  await writer.flush();
  expect(await Promise.all(sent.map(({ id }) => deliveryOf(id)))).toMatchObject([
    { state: 'delivered', attempts: 1, recorded: 1 },
    { state: 'delivered', attempts: 1, recorded: 1 },
    { state: 'delivered', attempts: 0, recorded: 0 },
    { state: 'pending', attempts: 0, recorded: 0 },
  ]);
  // What nothing can be stored of is not sent again by this process.
  expect([...claimed.all()]).toEqual([sent[3]?.number]);
  await world.rows('delete from webhook_delivery where endpoint_number = $1', [endpoint.number]);
});

test('how an endpoint does is written as soon as it can be, and not over what another process has learned since', async () => {
  const client = await world.fixtures.client();
  const laneOf = async (name: string) => {
    const lane = new Lane((await webhookEndpoint(world, client, { url: receiver.url(name) })).number);
    lane.url = receiver.url(name);
    return lane;
  };
  const [held, free] = [await laneOf('held'), await laneOf('free')];
  const startedAt = world.clock.now().getTime() - hour;
  const attempt = { startedAt, dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, totalUs: 1, address: null };
  const results = { fails: 'retryDelivery', succeeds: 'completeDelivery' } as const;
  const counters = new DeliveryCounters();
  const note = (lane: Lane, how: keyof typeof results, minutes: number) => {
    const made = { ...attempt, status: null, error: null, response: null, keyId: 'k', ...sentTo };
    const result = {
      number: 1,
      endpointNumber: lane.endpointNumber,
      attempts: 1,
      reason: null,
      nextAttemptAt: null,
      waitAsked: false,
      finishedAt: null,
    };
    counters.add(
      lane,
      { ...result, action: results[how], attempt: made },
      { url: lane.url ?? '', test: false, endedAt: startedAt + minutes * 60_000 },
    );
  };
  const failures = () =>
    world.rows(
      'select failures_in_row as failures, failing_since is not null as failing from webhook_endpoint where number in ($1, $2) order by number',
      [held.endpointNumber, free.endpointNumber],
    );
  const query: Query = (text, parameters) => world.rows(text, parameters);

  note(held, 'fails', 1);
  note(free, 'fails', 1);
  // The database is out of reach, and then the owner is just changing an endpoint.
  await expect(counters.flushHealth(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  const owner = await world.pool.connect();
  await owner.query('begin');
  await owner.query('select from webhook_endpoint where number = $1 for no key update', [held.endpointNumber]);
  await counters.flushHealth(query);
  const meanwhile = await failures();
  await owner.query('rollback');
  owner.release();
  await counters.flushHealth(query);
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
  await world.rows('update webhook_endpoint set failures_in_row = 0, failing_since = null, last_success_at = $2 where number = $1', [
    held.endpointNumber,
    later,
  ]);
  await world.rows('update webhook_endpoint set failing_since = $2 where number = $1', [free.endpointNumber, later]);
  await counters.flushHealth(query);
  expect(await failures()).toEqual([well, failing]);
  await counters.flushHealth(() => Promise.reject(new Error('nothing is left to write')));
});

const pendingOf = async ({ number }: { number: number }) =>
  (
    await world.rows<{ count: number }>(
      `select count(*)::int as count from webhook_delivery where endpoint_number = $1 and state = 'pending'`,
      [number],
    )
  )[0]?.count;

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

test('a new leader sees which endpoints have stopped failing while no worker could write it down', async () => {
  const client = await world.fixtures.client();
  const connectionId = await world.fixtures.connection(client);
  const failingSince = world.clock.now().getTime() - hour;
  const numbers: number[] = [];
  // The one success came after the failure; the other was under way at the same time.
  for (const [name, seconds] of Object.entries({ recovered: 31, fails: 29 })) {
    const endpoint = await webhookEndpoint(world, client, { url: receiver.url(name) });
    numbers.push(endpoint.number);
    const { id } = await webhookDelivery(world, client, endpoint, { type: 'connection.created', connectionId });
    await world.rows(`update webhook_delivery set state = 'delivered', attempts = 1, finished_at = $2 where id = $1`, [
      id,
      new Date(failingSince + seconds * 1_000),
    ]);
    await world.rows('update webhook_endpoint set failures_in_row = 3, failing_since = $2 where number = $1', [
      endpoint.number,
      new Date(failingSince),
    ]);
  }
  const failures = async () =>
    (
      await world.rows<{ failures: number }>(
        'select failures_in_row as failures from webhook_endpoint where number = any ($1) order by number',
        [numbers],
      )
    ).map((row) => row.failures);
  const [pump, leading] = [startPump(), Promise.withResolvers<void>()];
  const watch = setInterval(() => void webhookLeading.get().then(({ values }) => values[0]?.value === 1 && leading.resolve()), 10);
  await leading.promise;
  clearInterval(watch);
  await pump.stop();
  expect(await failures()).toEqual([0, 3]);
});

test('a process whose clock is wrong does not lead, since windows and due times go by the leader’s clock', async () => {
  const connection = await openLeaderConnection(world.urls.workers);
  const now = Date.now();
  const answers = [await connection.lead(now + 6_000), await connection.lead(now - 6_000), await connection.lead(now)];
  await connection.end();
  expect(answers).toEqual(['clock_differs', 'clock_differs', 'leads']);
});

test('a failure that is ours is no failure of the endpoint, and neither is one at a URL that the endpoint had before', async () => {
  const client = await world.fixtures.client();
  const { number } = await webhookEndpoint(world, client, { url: receiver.url('moved') });
  const lane = new Lane(number);
  const counters = new DeliveryCounters();
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
    number: 1,
    endpointNumber: number,
    action: 'retryDelivery',
    attempts: 1,
    reason: null,
    nextAttemptAt: 1,
    waitAsked: false,
    finishedAt: null,
  } as const;
  const fail = (error: string, url: string) =>
    counters.add(lane, { ...retried, attempt: { ...made, error, response: null, keyId: null, ...sentTo } }, { url, test: false, endedAt });
  const failures = async () => {
    await counters.flushHealth((text, parameters) => world.rows(text, parameters));
    return (
      await world.rows<{ failures: number }>('select failures_in_row as failures from webhook_endpoint where number = $1', [number])
    )[0]?.failures;
  };
  lane.url = receiver.url('moved');
  fail('service_error', lane.url);
  fail('timeout', receiver.url('former'));
  expect([lane.failures, await failures()]).toEqual([0, 0]);
  fail('timeout', lane.url);
  // The owner changes the URL before this is written down.
  await world.rows('update webhook_endpoint set url = $2 where number = $1', [number, receiver.url('later')]);
  expect([lane.failures, await failures()]).toEqual([1, 0]);
});

test('of two processes one delivers; when it ends, is stopped or loses its connection, the other goes on, and nothing is lost', async () => {
  const client = await world.fixtures.client();
  const endpoint = await webhookEndpoint(world, client, { url: receiver.url('two') });
  const connectionId = await world.fixtures.connection(client);
  const send = () => webhookDelivery(world, client, endpoint, { type: 'connection.created', connectionId });
  world.clock.run();
  const pumps = [startPump(), startPump()];
  const leaders = () =>
    world.rows<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database()) and pid in (select pid from pg_stat_activity where application_name = 'webhook-pump')`,
    );
  const sent: string[] = [];
  const sendSome = async () => {
    for (let count = 0; count < 20; count += 1) sent.push((await send()).eventId);
    await world.rows(`select pg_notify('webhook_due', $1)`, [String(endpoint.number)]);
  };
  try {
    await sendSome();
    while ((await pendingOf(endpoint)) !== 0) await nextTurn();
    const [leader] = await leaders();
    expect(await leaders()).toHaveLength(1);
    // Every attempt under way is interrupted, and repeated by the next leader.
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
  const states = await world.rows(`select state, count(*)::int as count from webhook_delivery where endpoint_number = $1 group by state`, [
    endpoint.number,
  ]);
  expect(states).toEqual([{ state: 'delivered', count: 60 }]);
  const received = receiver.at('two').map(({ headers }) => String(headers['x-svc-event-id']));
  expect(new Set(received)).toEqual(new Set(sent));
}, 30_000);

// The long one, with three workers, 50 receivers and PostgreSQL killed as well, is `npm run bench:webhooks -- loss`.
test('a worker that is killed in the middle of its attempts loses nothing: another one delivers every event', async () => {
  const [endpoints, events] = [5, 200];
  const sent: string[] = [];
  for (let index = 0; index < endpoints; index += 1) {
    const client = await world.fixtures.client();
    const endpoint = await webhookEndpoint(world, client, { url: receiver.url(`loss-${index}`) });
    for (let count = 0; count < events / endpoints; count += 1)
      sent.push((await webhookDelivery(world, client, endpoint, { type: 'integration.suspended' })).eventId);
  }
  // The workers go by the machine’s clock, sped up so that retries come soon.
  await world.rows(
    `update webhook_delivery set next_attempt_at = now() - interval '1 minute', window_ends_at = now() + interval '7 days' where state = 'pending'`,
  );
  const tries = new Map<string, number>();
  const taken = new Set<string>();
  const half = Promise.withResolvers<void>();
  receiver.answer = async ({ headers }) => {
    const id = String(headers['x-svc-event-id']);
    tries.set(id, (tries.get(id) ?? 0) + 1);
    if (tries.size === events / 2) half.resolve();
    await nextTurn();
    // Some are refused the first time.
    if (tries.get(id) === 1 && tries.size % 7 === 0) return 503;
    taken.add(id);
    return 204;
  };
  const { hosts, caPem } = receiver.developmentHosts;
  const [address] = [...hosts.values()];
  const keyPem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const clock = { from: Date.now(), speed: 200 };
  const databaseUrl = world.urls.workers;
  const task: WebhookWorkerTask = { databaseUrl, keyPem, port: address?.port ?? 0, caPem, hosts: [...hosts.keys()], clock };
  const workers: Child[] = [];
  try {
    for (let worker = 0; worker < 2; worker += 1) {
      workers.push(startChild('webhookWorker'));
      await workers[worker]?.ask(task);
      // The first one leads.
      while (tries.size === 0) await nextTurn();
    }
    await half.promise;
    await workers[0]?.kill();
    const open = async () => (await world.rows(`select 1 from webhook_delivery where state = 'pending' limit 1`)).length > 0;
    while (await open()) await nextTurn();
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()));
  }
  expect(taken).toEqual(new Set(sent));
  const states = await world.rows(`select state, count(*)::int as count from webhook_delivery where event_id = any ($1) group by state`, [
    sent,
  ]);
  expect(states).toEqual([{ state: 'delivered', count: events }]);
}, 30_000);
