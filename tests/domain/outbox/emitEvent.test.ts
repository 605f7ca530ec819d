import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../../server/domain/shared/ids.ts';
import { emitEvent, type NewEvent } from '../../../server/domain/outbox/emitEvent.ts';
import type { WebhookEventType } from '../../../server/domain/outbox/eventTypes.ts';
import type { TestClient } from '../../support/world/Fixtures.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';

const hour = 60 * 60 * 1000;
const now = new Date('2026-11-21T10:00:00.250Z');
let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const emit = (...events: NewEvent[]) => world.em().transactional((tx) => emitEvent(tx, events, now));
const created = ({ number: clientNumber }: TestClient): NewEvent => ({
  type: 'connection.created',
  clientNumber,
  connectionId: newId('con'),
});
const stored = ({ number }: TestClient) =>
  world.fixtures.sql<{ type: string; endpoint: number | null }[]>`
    select e.type, d.endpoint_number as endpoint from webhook_event e left join webhook_delivery d on d.event_id = e.id where e.client_number = ${number} order by d.number`;

test('an event of a new revision is over after 24 hours, any other after 7 days, and so is its delivery', async () => {
  const client = await world.fixtures.listeningClient();
  const { number: clientNumber } = client;
  const [connectionId, revocationId, generationId] = [newId('con'), newId('rev'), newId('gen')];
  const resource = { id: newId('ord'), type: 'order' } as const;
  await emit(
    { type: 'connection.created', clientNumber, connectionId },
    { type: 'resource.granted', clientNumber, connectionId, resource },
    { type: 'resource.updated', clientNumber, connectionId, resource },
    { type: 'resource.revoked', clientNumber, connectionId, resource, revocationId },
    { type: 'connection.revoked', clientNumber, connectionId, revocationId },
    { type: 'statistics.updated', clientNumber, generationId },
    { type: 'integration.suspended', clientNumber },
  );
  const rows = await world.fixtures.sql<{ type: string; lasts: number; window: number; due: Date; connection: string; resource: string }[]>`
    select e.type, extract(epoch from expires_at - occurred_at)::int * 1000 as lasts, extract(epoch from window_ends_at - occurred_at)::int * 1000 as window,
           next_attempt_at as due, d.connection_id as connection, d.resource_id as resource
      from webhook_event e join webhook_delivery d on d.event_id = e.id and d.type = e.type where e.client_number = ${clientNumber}`;
  const expected = {
    'connection.created': 7 * 24,
    'resource.granted': 7 * 24,
    'resource.updated': 24,
    'resource.revoked': 7 * 24,
    'connection.revoked': 7 * 24,
    'statistics.updated': 7 * 24,
    'integration.suspended': 7 * 24,
  } satisfies Record<WebhookEventType, number>;
  expect(Object.fromEntries(rows.map(({ type, lasts }) => [type, lasts / hour]))).toEqual(expected);
  expect(Object.fromEntries(rows.map(({ type, window }) => [type, window / hour]))).toEqual(expected);
  expect(rows.every(({ due }) => due.getTime() === now.getTime())).toBe(true);
  // Only these two are discarded with what they are about.
  const withSubject = rows.filter((row) => row.connection !== null);
  expect(withSubject.map(({ type, ...row }) => [type, row.connection, row.resource]).sort()).toEqual([
    ['resource.granted', connectionId, resource.id],
    ['resource.updated', connectionId, resource.id],
  ]);
});

test('an event is stored for the endpoints that subscribe to it, each with a delivery of its own, and otherwise not at all', async () => {
  const [client, deaf, stranger] = [await world.fixtures.client(), await world.fixtures.client(), await world.fixtures.listeningClient()];
  const both = await world.fixtures.webhookEndpoint(client);
  const one = await world.fixtures.webhookEndpoint(client, { eventTypes: ['connection.created'] });
  await emit(created(client), { type: 'integration.suspended', clientNumber: client.number }, created(deaf));
  expect(await stored(client)).toEqual([
    { type: 'connection.created', endpoint: both.number },
    { type: 'connection.created', endpoint: one.number },
    { type: 'integration.suspended', endpoint: both.number },
  ]);
  expect([await stored(deaf), await stored(stranger)]).toEqual([[], []]);
});

test.each([
  ['has never been proven', { status: 'registered' }, 0],
  ['is active', { status: 'active' }, 1],
  ['is paused', { status: 'paused' }, 1],
  ['has to prove another URL', { status: 'registered', provenBefore: true }, 1],
  ['is removed', { status: 'removed' }, 0],
] as const)('of an endpoint that %s, events are kept only if it may still receive them', async (_, { status, ...before }, count) => {
  const client = await world.fixtures.client();
  const { number } = await world.fixtures.webhookEndpoint(client, { status });
  if ('provenBefore' in before) await world.fixtures.sql`update webhook_endpoint set first_proven_at = created_at where number = ${number}`;
  await emit(created(client));
  expect(await stored(client)).toHaveLength(count);
});

test('the workers hear of the endpoints with the commit, and of nothing that was rolled back', async () => {
  const client = await world.fixtures.client();
  const endpoints = [await world.fixtures.webhookEndpoint(client), await world.fixtures.webhookEndpoint(client)];
  const heard: string[] = [];
  const listening = await world.fixtures.sql.listen('webhook_due', (numbers) => heard.push(numbers));
  const failing = world.em().transactional(async (tx) => {
    await emitEvent(tx, [created(client)], now);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await emit(created(client), created(client));
  await world.fixtures.sql.notify('webhook_due', 'end');
  for (let turn = 0; turn < 1_000 && !heard.includes('end'); turn += 1) await world.fixtures.sql`select 1`;
  await listening.unlisten();
  expect(heard).toEqual([endpoints.map(({ number }) => number).join(','), 'end']);
});
