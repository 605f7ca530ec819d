import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Query } from '../../server/domain/shared/query.ts';
import { attemptResult } from '../../server/domain/webhook/delivery/deliveryResult.ts';
import { webhookLimits } from '../../server/domain/outbox/webhookLimits.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { openLeaderConnection, openWriteConnections } from '../../workers/webhooks/connections.ts';
import { ClaimedDeliveries } from '../../workers/webhooks/ClaimedDeliveries.ts';
import { PumpSession } from '../../workers/webhooks/PumpSession.ts';
import { ResultWriter } from '../../workers/webhooks/ResultWriter.ts';
import { DeliveryCounters } from '../../workers/webhooks/DeliveryCounters.ts';
import { storedDelivery } from '../support/webhooks/deliveryRows.ts';
import type { TestEndpoint } from '../support/webhooks/endpointRows.ts';
import { openWorld } from '../support/world/openWorld.ts';
import type { World } from '../support/world/World.ts';

const [second, hour] = [1_000, 3_600_000];
const { slice, spread } = webhookLimits.webhookComeForward;
const logger = createLogger('test', 'silent');
/** It is about nothing that would have to be there. */
const type = 'integration.suspended';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  world.clock.stop();
});
afterAll(() => world.close());
beforeEach(() => world.rows('truncate webhook_delivery, webhook_event cascade'));

/** A session with the real database, whose receivers answer at once. What it writes passes through `write`. */
async function openSession({
  status = 204,
  write = (query) => query,
  onPass = () => {},
}: { status?: number; write?: (query: Query) => Query; onPass?: () => void } = {}) {
  const connection = await openLeaderConnection(world.urls.workers);
  const query: Query = (text, parameters) => {
    if (text.includes('with recursive held')) onPass();
    return connection.query(text, parameters);
  };
  const connections = openWriteConnections(world.urls.workers);
  const claimed = new ClaimedDeliveries();
  const counters = new DeliveryCounters();
  const most = { now: 0, ever: 0 };
  const phases = { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, totalUs: 1 };
  const session = new PumpSession({
    clock: world.clock,
    claimed,
    writer: new ResultWriter({ query: connections.query, claimed, logger }),
    counters,
    logger,
    connection: { ...connection, query },
    write: write(connections.query),
    ready: () => Promise.resolve(true),
    attempt: async (delivery) => {
      most.now += 1;
      most.ever = Math.max(most.ever, most.now);
      await new Promise(setImmediate);
      most.now -= 1;
      const at = world.clock.now().getTime();
      const answer = { addresses: [], address: null, phases, status };
      return attemptResult(delivery, { startedAt: at, endedAt: at, keyId: 'k', bodySha256: null, answer });
    },
  });
  return {
    session,
    most,
    close: async () => {
      await session.stop();
      await connections.end();
      await connection.end();
    },
  };
}

/** An endpoint that has only failed, with one delivery that is due and many that wait for hours. */
async function recovering(waiting: number): Promise<TestEndpoint> {
  const client = await world.fixtures.client();
  const endpoint = await world.fixtures.webhookEndpoint(client);
  const now = world.clock.now();
  await world.rows('update webhook_endpoint set failures_in_row = 5, failing_since = $2 where number = $1', [endpoint.number, now]);
  const { eventId } = await storedDelivery(world, { endpoint, clientNumber: client.number, state: 'pending', type, at: now });
  await world.rows(
    `insert into webhook_delivery (id, endpoint_number, event_id, type, next_attempt_at, window_ends_at, created_at)
     select 'dlv_' || $1::int || '_' || n, $1::int, $2, $5, $3::timestamptz + interval '3 hours', $3::timestamptz + interval '7 days', $3
       from generate_series(1, $4) n`,
    [endpoint.number, eventId, now, waiting, type],
  );
  return endpoint;
}

/** A pass that delivers what is due. Receivers have recovered then. */
async function deliverFirst(session: PumpSession, count: number): Promise<void> {
  await session.pass();
  const delivered = `select 1 from webhook_delivery where state = 'delivered'`;
  while ((await world.rows(delivered)).length < count) await new Promise(setImmediate);
}

/** How many still wait for hours. */
const left = async ({ number }: TestEndpoint) =>
  (
    await world.rows<{ count: number }>(
      `select count(*)::int as count from webhook_delivery where endpoint_number = $1 and state = 'pending' and next_attempt_at > $2`,
      [number, new Date(world.clock.now().getTime() + hour)],
    )
  )[0]?.count;

test('however often somebody has it look, no more comes forward than a slice in the time over which one is scattered', async () => {
  const endpoint = await recovering(3 * slice);
  const { session, close } = await openSession();
  await deliverFirst(session, 1);
  await session.pass();
  expect(await left(endpoint)).toBe(2 * slice);
  for (let passes = 0; passes < 3; passes += 1) {
    world.clock.advance(second);
    await session.pass();
  }
  expect(await left(endpoint)).toBe(2 * slice);
  world.clock.advance(spread - 3 * second);
  await session.pass();
  expect(await left(endpoint)).toBe(slice);
  await close();
});

test('after a write that fails, nothing more comes forward in this pass, and the next one begins with another endpoint', async () => {
  const endpoints = [await recovering(1), await recovering(1)];
  /** Which endpoint was asked about, and where a pass began. */
  let seen: (number | 'pass')[] = [];
  let refused = true;
  const write =
    (query: Query): Query =>
    (text, parameters) => {
      if (!text.includes('not wait_asked')) return query(text, parameters);
      seen.push(Number(parameters[2]));
      return refused ? Promise.reject(new Error('canceling statement due to lock timeout')) : query(text, parameters);
    };
  const { session, close } = await openSession({ write, onPass: () => seen.push('pass') });
  await deliverFirst(session, endpoints.length);
  world.clock.advance(spread);
  seen = [];
  await session.pass();
  // What was delivered may have had it begin another pass meanwhile.
  const asked = seen.filter((each) => each !== 'pass');
  expect(asked.length).toBeGreaterThan(0);
  expect(seen.filter((each, place) => each !== 'pass' && seen[place - 1] !== 'pass')).toEqual([]);
  world.clock.advance(spread);
  [seen, refused] = [[], false];
  await session.pass();
  expect(seen.find((each) => each !== 'pass')).not.toBe(asked.at(-1));
  await session.pass();
  expect(await Promise.all(endpoints.map(left))).toEqual([0, 0]);
  await close();
});

test('test events that fail leave an endpoint one attempt at a time, like any other', async () => {
  const client = await world.fixtures.client();
  const endpoint = await world.fixtures.webhookEndpoint(client);
  const { session, most, close } = await openSession({ status: 404 });
  const send = async (count: number) => {
    for (let n = 0; n < count; n += 1)
      await storedDelivery(world, { endpoint, clientNumber: client.number, state: 'pending', type, at: world.clock.now(), test: true });
    most.ever = 0;
    await session.workOff();
    return most.ever;
  };
  expect(await send(5)).toBeGreaterThan(1);
  // It is remembered while nothing is left to send.
  await session.pass();
  expect(await send(5)).toBe(1);
  expect(await world.rows('select failures_in_row, failing_since from webhook_endpoint where number = $1', [endpoint.number])).toEqual([
    { failures_in_row: 0, failing_since: null },
  ]);
  await close();
});
