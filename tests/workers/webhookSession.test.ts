import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { unsentResult } from '../../server/domain/webhook/delivery/deliveryResult.ts';
import type { DueDelivery } from '../../server/domain/webhook/delivery/dueDelivery.ts';
import type { DeliveryKey } from '../../server/domain/webhook/signing/signDelivery.ts';
import type { Query } from '../../server/domain/shared/query.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { attemptWith } from '../../workers/webhooks/makeAttempt.ts';
import { ClaimedDeliveries } from '../../workers/webhooks/ClaimedDeliveries.ts';
import { PumpSession } from '../../workers/webhooks/PumpSession.ts';
import { ResultWriter } from '../../workers/webhooks/ResultWriter.ts';
import { Signing } from '../../workers/webhooks/Signing.ts';
import { storeLast } from '../../workers/webhooks/storeLast.ts';
import { DeliveryCounters } from '../../workers/webhooks/DeliveryCounters.ts';
import { now, nextTurn } from '../support/webhooks/memoryPump.ts';

const logger = createLogger('test', 'silent');

const delivery: DueDelivery = {
  number: 1,
  endpointNumber: 1,
  test: false,
  state: 'pending',
  heldFor: null,
  attempts: 0,
  windowEndsAt: now + 1_000,
  discard: null,
  hold: null,
  endpoint: {
    id: 'whk_1',
    operatorId: 'opr_1',
    url: 'https://a.test',
    payloadMode: 'notification',
    environment: 'sandbox',
    failuresInRow: 0,
    failingSince: null,
    lastSuccessAt: null,
  },
  event: { id: 'evt_1', type: 'integration.suspended', occurredAt: new Date(now) },
  snapshot: undefined,
  revision: null,
};

/** A session whose statements are only counted; deliveries are held as given, and each endpoint has so many. */
function sessionOn(held: Map<number, number>, releasable: boolean, refused: { writes: number } = { writes: 0 }) {
  const asked = { held: 0, sweep: 0, windows: 0 };
  const released: number[] = [];
  const hearing = Promise.withResolvers<(channel: string, payload: string) => void>();
  const query: Query = async <Row>(text: string) => {
    const kind = text.includes('with recursive held') ? 'held' : text.includes('with recursive next') ? 'sweep' : 'windows';
    asked[kind] += 1;
    return (
      kind === 'held' ? [...held.keys()].map((endpoint_number) => ({ endpoint_number, reason: 'gate_closed', releasable })) : []
    ) as Row[];
  };
  const write: Query = async <Row>(_text: string, [, slice, endpointNumber]: readonly unknown[]) => {
    if (refused.writes > 0) {
      refused.writes -= 1;
      throw new Error('canceling statement due to lock timeout');
    }
    const [number, most] = [Number(endpointNumber), Number(slice)];
    const before = held.get(number) ?? 0;
    released.push(number);
    held.set(number, Math.max(0, before - most));
    if (before <= most) held.delete(number);
    return [{ count: Math.min(before, most) }] as Row[];
  };
  const claimed = new ClaimedDeliveries();
  const writer = new ResultWriter({ query: write, claimed, logger });
  const session = new PumpSession({
    clock: { now: () => new Date(now) },
    claimed,
    writer,
    counters: new DeliveryCounters(),
    logger,
    write,
    ready: () => Promise.resolve(true),
    attempt: () => Promise.resolve(null),
    connection: {
      query,
      lead: () => Promise.resolve('leads'),
      listen: async (hear) => hearing.resolve(hear),
      lost: new Promise(() => {}),
      end: async () => {},
    },
  });
  return { session, writer, asked, released, hearing: hearing.promise };
}

test('what one endpoint holds does not make every event a look at all endpoints', async () => {
  const { session, asked, hearing } = sessionOn(new Map([[9, 1]]), false);
  await session.start();
  const hear = await hearing;
  const before = { ...asked };
  for (let event = 0; event < 20; event += 1) {
    hear('webhook_due', '1');
    hear('webhook_due', '9');
    await nextTurn();
  }
  expect([asked.held, asked.sweep]).toEqual([before.held, before.sweep]);
  session.abandon();
});

test('when the gate opens, everybody’s deliveries are released in turn, and nobody waits for one who has many', async () => {
  const many = 100_000;
  const held = new Map(Array.from({ length: 2_000 }, (_, index) => [index + 1, index === 0 ? many : 1] as const));
  const { session, released } = sessionOn(held, true);
  await session.pass();
  expect(held.size).toBe(0);
  expect(new Set(released.slice(0, 2_000)).size).toBe(2_000);
  session.abandon();
});

test('a write that has to wait too long costs neither the lead nor a result', async () => {
  const refused = { writes: 1 };
  const held = new Map([1, 2, 3].map((endpointNumber) => [endpointNumber, 1] as const));
  const { session, writer } = sessionOn(held, true, refused);
  const failures: unknown[] = [];
  void session.failed.then((reason) => failures.push(reason));
  await session.pass();
  await session.pass();
  expect([held.size, failures]).toEqual([0, []]);
  // At the stop, the first try to store the last result fails, too.
  refused.writes = 1;
  writer.push(unsentResult(delivery, { does: 'end', reason: 'window_over' }, now));
  await session.stop();
  expect(writer.waiting).toBe(0);
});

test('an attempt that only waits for its key does not start after another process may have become the leader', async () => {
  let posts = 0;
  const key = Promise.withResolvers<DeliveryKey>();
  const transport = { postGuarded: () => Promise.reject(new Error(`post ${(posts += 1)}`)) };
  const attempt = attemptWith({
    clock: { now: () => new Date(now) },
    transport,
    signingKey: () => key.promise,
    source: () => 'https://api.example',
  });
  let leads = true;
  const attempted = attempt(delivery, () => leads);
  leads = false;
  key.resolve({ kid: 'k', privateKey: generateKeyPairSync('ed25519').privateKey });
  expect([await attempted, posts]).toEqual([null, 0]);
});

test('what is heard while an attempt is being connected keeps it from being sent', async () => {
  const key = { kid: 'k', privateKey: generateKeyPairSync('ed25519').privateKey };
  const phases = { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, totalUs: 1 };
  let holds = true;
  const attempt = attemptWith({
    clock: { now: () => new Date(now) },
    transport: {
      async postGuarded({ mayStart }) {
        holds = false;
        return { addresses: [], address: null, phases, ...(mayStart?.() === false ? { error: 'interrupted' as const } : { status: 200 }) };
      },
    },
    signingKey: () => Promise.resolve(key),
    source: () => 'https://api.example',
  });
  expect(await attempt(delivery, () => holds)).toBeNull();
});

test('a notification that names nobody is acted on at once, and many of them once a second', async () => {
  const { session, asked, hearing } = sessionOn(new Map(), false);
  await session.start();
  const hear = await hearing;
  const before = asked.sweep;
  for (let event = 0; event < 20; event += 1) {
    hear('webhook_due', '');
    await nextTurn();
  }
  expect(asked.sweep).toBe(before + 1);
  session.abandon();
});

test('a notification that does not name endpoints by their numbers, which any role may send, is not acted on', async () => {
  const { session, asked, hearing } = sessionOn(new Map(), false);
  await session.start();
  const hear = await hearing;
  const before = { ...asked };
  for (const payload of ['x', 'NaN', '1e9', '-1', '1,', '1,x', '2147483648', '99999999999', "1; select 'x'"]) {
    hear('webhook_due', payload);
    hear('webhook_recheck', payload);
    await nextTurn();
  }
  expect(asked).toEqual(before);
  hear('webhook_due', '2147483647');
  await nextTurn();
  expect(asked).not.toEqual(before);
  session.abandon();
});

test('a process without a key to sign with asks for it once a second, and leaves the lead to others after ten', async () => {
  let [asked, elapsed, key] = [0, 0, false];
  const signing = new Signing({
    signingKey: async () => {
      asked += 1;
      if (!key) throw new Error('The database is out of reach.');
    },
    logger,
    elapsed: () => elapsed,
  });
  expect([await signing.ready(), await signing.ready(), asked]).toEqual([false, false, 1]);
  elapsed = 9_999;
  expect([await signing.ready(), asked]).toEqual([false, 2]);
  elapsed = 11_000;
  await expect(signing.ready()).rejects.toThrow('No delivery can be signed.');
  key = true;
  elapsed = 12_000;
  expect(await signing.ready()).toBe(true);
  key = false;
  expect(await signing.ready()).toBe(false);
});

test('what cannot be stored at the stop is tried again, while there is time', async () => {
  let tries = 0;
  const refusesOnce = async () => {
    tries += 1;
    if (tries === 1) throw new Error('canceling statement due to lock timeout');
  };
  await storeLast([refusesOnce], 5_000);
  expect(tries).toBe(2);
  await expect(storeLast([() => Promise.reject(new Error('away'))], 20)).rejects.toThrow();
});
