import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { attemptResult, type DeliveryResult, unsentResult } from '../../server/domain/webhook/delivery/deliveryResult.ts';
import type { DueDelivery } from '../../server/domain/webhook/delivery/dueDelivery.ts';
import type { DeliveryKey } from '../../server/domain/webhook/signing/signDelivery.ts';
import type { Query } from '../../server/domain/shared/query.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { attemptWith } from '../../workers/webhooks/attemptDelivery.ts';
import { Hand } from '../../workers/webhooks/Hand.ts';
import { PumpSession } from '../../workers/webhooks/PumpSession.ts';
import { ResultWriter } from '../../workers/webhooks/ResultWriter.ts';
import { Tally } from '../../workers/webhooks/Tally.ts';
import { WebhookPump } from '../../workers/webhooks/WebhookPump.ts';

const now = Date.parse('2026-11-22T12:00:00.000Z');
const logger = createLogger('test', 'silent');
const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 5));

type Answer = number | 'silent';

/** A pump on a table in memory: deliveries are numbers, a thousand for each endpoint. */
function pumpOn(waiting: Readonly<Record<number, number>>, answer: (endpointNo: number, attempt: number) => Answer) {
  const pending = new Map(
    Object.entries(waiting).flatMap(([endpoint, count]) =>
      Array.from({ length: count }, (_, index) => [Number(endpoint) * 1_000 + index, Number(endpoint)] as const),
    ),
  );
  const attempts: number[] = [];
  const permissions: (() => boolean)[] = [];
  const inFlight = new Map<number, number>();
  const most = new Map<number, number>();
  const release: (() => void)[] = [];
  const dueAt = new Map<number, number>();
  let reads = 0;
  let answered: Promise<void> | undefined;
  const numbers = (parameter: unknown) => String(parameter).slice(1, -1).split(',').filter(Boolean).map(Number);
  const query: Query = async <Row>(text: string, parameters: readonly unknown[]) => {
    if (!text.includes('cross join lateral (\n    select * from webhook_delivery q'))
      return [...new Set(pending.values())].map((endpoint_no) => ({ endpoint_no, due_at: now })) as Row[];
    reads += 1;
    const [endpoints, rooms, floors] = [numbers(parameters[0]), numbers(parameters[1]), numbers(parameters[3])];
    const due = (no: number) => dueAt.get(no) ?? now;
    const inHand = [...String(parameters[2]).matchAll(/"\{([\d,]*)\}"/g)].map(([, held]) => new Set(numbers(`{${held}}`)));
    const rows = endpoints.flatMap((endpointNo, index) =>
      [...pending]
        .filter(([no, endpoint]) => endpoint === endpointNo && !inHand[index]?.has(no) && due(no) >= (floors[index] ?? 0))
        .slice(0, rooms[index])
        .map(([no]) => rowOf(no, endpointNo, due(no))),
    ) as Row[];
    await answered;
    return rows;
  };
  const hand = new Hand();
  const stored: DeliveryResult[] = [];
  const writeQuery: Query = async (_text, parameters) => {
    for (const no of numbers(parameters[0])) pending.delete(no);
    return [];
  };
  const writer = new ResultWriter({ query: writeQuery, hand, logger });
  const pump = new WebhookPump({
    query,
    clock: { now: () => new Date(now) },
    hand,
    writer,
    tally: new Tally(),
    logger,
    onFailure: (error) => expect(error).toBeUndefined(),
    onHeld: () => {},
    attempt: async (delivery, mayStart) => {
      const { no, endpointNo } = delivery;
      attempts.push(no);
      permissions.push(mayStart);
      inFlight.set(endpointNo, (inFlight.get(endpointNo) ?? 0) + 1);
      most.set(endpointNo, Math.max(most.get(endpointNo) ?? 0, inFlight.get(endpointNo) ?? 0));
      const status = answer(endpointNo, attempts.length);
      await (status === 'silent' ? new Promise<void>((resolve) => release.push(resolve)) : nextTurn());
      inFlight.set(endpointNo, (inFlight.get(endpointNo) ?? 0) - 1);
      const phases = { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, totalUs: 1 };
      const ended = status === 'silent' ? { error: 'timeout' as const } : { status };
      const result = attemptResult(delivery, {
        startedAt: now,
        endedAt: now,
        keyId: 'k',
        answer: { addresses: [], address: null, phases, ...ended },
      });
      stored.push(result);
      return result;
    },
  });
  writer.onStored = () => pump.resume();
  const answerWhen = (when: Promise<void>) => {
    answered = when;
  };
  return { pump, writer, attempts, permissions, stored, most, pending, release, reads: () => reads, hand, dueAt, answerWhen };
}

function rowOf(no: number, endpointNo: number, dueAt: number) {
  return {
    no,
    endpoint_no: endpointNo,
    state: 'pending',
    held_for: null,
    attempts: 0,
    window_ends_at: now + 1e9,
    discard: null,
    hold: null,
    endpoint_id: `whk_${endpointNo}`,
    url: 'https://a.test',
    environment: 'sandbox',
    failures_in_row: endpointNo < 100 ? 0 : 5,
    failing_since: null,
    last_success_at: null,
    event_id: `evt_${no}`,
    type: 'integration.suspended',
    occurred_at: now,
    connection_id: null,
    resource_id: null,
    core: null,
    due_at: dueAt,
  };
}

test('every delivery is attempted once, at most 8 of an endpoint at a time', async () => {
  const { pump, writer, attempts, most } = pumpOn({ 1: 300, 2: 40, 3: 1 }, () => 204);
  await pump.sweep();
  await pump.quiet();
  await writer.flush();
  expect(attempts.length).toBe(341);
  expect(new Set(attempts).size).toBe(341);
  expect(Object.fromEntries(most)).toEqual({ 1: 8, 2: 8, 3: 1 });
});

test('an endpoint that never answers holds up no other, and after five failures has one attempt under way', async () => {
  const { pump, writer, attempts, most, release, pending } = pumpOn({ 1: 100, 2: 100 }, (endpoint) => (endpoint === 1 ? 'silent' : 204));
  await pump.sweep();
  while ([...pending.values()].includes(2)) await nextTurn();
  expect(attempts.filter((no) => no < 2_000).length).toBe(8);
  // The first four failures still make room for others.
  for (let round = 0; round < 4; round += 1) {
    for (const end of release.splice(0)) end();
    await nextTurn();
  }
  expect(release.length).toBe(1);
  expect(most.get(1)).toBe(8);
  pump.abandon();
  await writer.flush();
});

test('endpoints that only fail take no places from those that are well', async () => {
  const failing = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [index + 100, 1]));
  const { pump, writer, attempts, release, pending } = pumpOn({ ...failing, 99: 50 }, (endpoint) => (endpoint === 99 ? 204 : 'silent'));
  await pump.sweep();
  while ([...pending.values()].includes(99)) await nextTurn();
  expect(attempts.filter((no) => no >= 100_000).length).toBe(128);
  pump.abandon();
  for (const end of release.splice(0)) end();
  await writer.flush();
});

test('however many endpoints are behind and never answer, what is in memory stays bounded, and another endpoint still has its turn', async () => {
  const behind = Array.from({ length: 30 }, (_, index) => index + 1);
  const few = pumpOn({ ...Object.fromEntries(behind.map((no) => [no, 200])), 99: 50 }, (endpoint) => (endpoint === 99 ? 204 : 'silent'));
  // One after another, so that the first ones may queue much.
  for (const endpointNo of behind) {
    few.pump.wake([endpointNo]);
    await nextTurn();
  }
  few.pump.wake([99]);
  while ([...few.pending.values()].includes(99)) await nextTurn();
  few.pump.abandon();

  const many = pumpOn(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [-index - 1, 20])), () => 'silent');
  await many.pump.sweep();
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  // Three for each place: one is under way, two are queued.
  expect(many.attempts.length).toBe(512);
  expect(many.hand.size).toBeLessThanOrEqual(3 * 512);
  many.pump.abandon();
});

test('when what was read may not be true any more, nothing of it is sent before it has been read again', async () => {
  const { pump, writer, attempts, release, reads, pending } = pumpOn({ 1: 50 }, () => 'silent');
  await pump.sweep();
  await nextTurn();
  expect(attempts.length).toBe(8);
  const before = reads();
  // The rest is revoked while it is queued.
  for (const no of pending.keys()) if (!attempts.includes(no)) pending.delete(no);
  pump.recheck([1]);
  for (const end of release.splice(0)) end();
  await pump.quiet();
  await writer.flush();
  expect(reads()).toBeGreaterThan(before);
  expect(attempts.length).toBe(8);
});

test('what is declared out of date while it is being read is not sent either', async () => {
  const { pump, writer, attempts, pending } = pumpOn({ 1: 4 }, () => 204);
  await pump.sweep();
  // The read has begun, and its rows are still on their way.
  for (const no of pending.keys()) pending.delete(no);
  pump.recheck([1]);
  await pump.quiet();
  await writer.flush();
  expect(attempts).toEqual([]);
});

test('what was read more than a tenth of a second ago is read again', async () => {
  const { pump, writer, attempts, release, pending } = pumpOn({ 1: 20 }, (_endpoint, attempt) => (attempt <= 8 ? 'silent' : 204));
  await pump.sweep();
  await nextTurn();
  await new Promise((resolve) => setTimeout(resolve, 110));
  for (const no of pending.keys()) if (!attempts.includes(no)) pending.delete(no);
  for (const end of release.splice(0)) end();
  await pump.quiet();
  await writer.flush();
  expect(attempts.length).toBe(8);
});

test('what comes back unsent while something else is being read is read again, however long it has been due', async () => {
  const { pump, writer, attempts, release, pending, dueAt, answerWhen } = pumpOn({ 1: 40 }, (_, attempt) =>
    attempt <= 8 ? 'silent' : 204,
  );
  for (const no of pending.keys()) dueAt.set(no, now - 60_000);
  await pump.sweep();
  await nextTurn();
  await new Promise((resolve) => setTimeout(resolve, 110));
  const answered = Promise.withResolvers<void>();
  answerWhen(answered.promise);
  pending.set(1_999, 1);
  pump.wake([1]);
  // The receiver answers while the new delivery is being read, so the 32 that were queued are too old to be sent.
  for (const end of release.splice(0)) end();
  await nextTurn();
  answered.resolve();
  await pump.quiet();
  await writer.flush();
  expect(new Set(attempts).size).toBe(41);
});

test('a stop lets attempts under way end and stores their results, and starts nothing more, whatever is heard meanwhile', async () => {
  const { pump, writer, attempts, release, pending, stored } = pumpOn({ 1: 50 }, () => 'silent');
  await pump.sweep();
  await nextTurn();
  const stopped = pump.stop();
  // Events go on during the stop.
  pump.wake([1, 2]);
  pump.recheck('all');
  await pump.sweep();
  for (const end of release.splice(0)) end();
  await stopped;
  await writer.flush();
  expect([attempts.length, stored.length, pending.size]).toEqual([8, 8, 42]);
});

/** A session whose statements are only counted; deliveries are held as given, and each endpoint has so many. */
function sessionOn(held: Map<number, number>, releasable: boolean, refused: { writes: number } = { writes: 0 }) {
  const asked = { held: 0, sweep: 0, windows: 0 };
  const released: number[] = [];
  const hearing = Promise.withResolvers<(channel: string, payload: string) => void>();
  const query: Query = async <Row>(text: string) => {
    const kind = text.includes('with recursive held') ? 'held' : text.includes('with recursive next') ? 'sweep' : 'windows';
    asked[kind] += 1;
    return (kind === 'held' ? [...held.keys()].map((endpoint_no) => ({ endpoint_no, reason: 'gate_closed', releasable })) : []) as Row[];
  };
  const write: Query = async <Row>(_text: string, [, slice, endpointNo]: readonly unknown[]) => {
    if (refused.writes > 0) {
      refused.writes -= 1;
      throw new Error('canceling statement due to lock timeout');
    }
    const [no, most] = [Number(endpointNo), Number(slice)];
    const before = held.get(no) ?? 0;
    released.push(no);
    held.set(no, Math.max(0, before - most));
    if (before <= most) held.delete(no);
    return [{ count: Math.min(before, most) }] as Row[];
  };
  const hand = new Hand();
  const writer = new ResultWriter({ query: write, hand, logger });
  const session = new PumpSession({
    clock: { now: () => new Date(now) },
    hand,
    writer,
    tally: new Tally(),
    logger,
    write,
    attempt: () => Promise.resolve(null),
    connection: {
      query,
      lead: () => Promise.resolve(true),
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
  const held = new Map([1, 2, 3].map((endpointNo) => [endpointNo, 1] as const));
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

const delivery: DueDelivery = {
  no: 1,
  endpointNo: 1,
  state: 'pending',
  heldFor: null,
  attempts: 0,
  windowEndsAt: now + 1_000,
  discard: null,
  hold: null,
  endpoint: { id: 'whk_1', url: 'https://a.test', environment: 'sandbox', failuresInRow: 0, failingSince: null, lastSuccessAt: null },
  event: { id: 'evt_1', type: 'integration.suspended', occurredAt: new Date(now) },
  snapshot: undefined,
};

test('an attempt that still waits for its key does not start once access may have ended', async () => {
  const { pump, permissions, release } = pumpOn({ 1: 1, 2: 1 }, () => 'silent');
  pump.wake([1, 2]);
  await nextTurn();
  expect(permissions.map((mayStart) => mayStart())).toEqual([true, true]);
  pump.recheck([2]);
  expect(permissions.map((mayStart) => mayStart())).toEqual([true, false]);
  for (const end of release) end();
  pump.abandon();
});
