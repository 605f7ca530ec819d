import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { integrationStatuses } from '../../../../server/domain/integration/integrationStatus.ts';
import { webhookEventTypes } from '../../../../server/domain/outbox/eventTypes.ts';
import { pauseWebhookEndpoint } from '../../../../server/domain/webhook/endpoint/pauseWebhookEndpoint.ts';
import { registerWebhookEndpoint } from '../../../../server/domain/webhook/endpoint/registerWebhookEndpoint.ts';
import { removeWebhookEndpoint } from '../../../../server/domain/webhook/endpoint/removeWebhookEndpoint.ts';
import { resumeWebhookEndpoint } from '../../../../server/domain/webhook/endpoint/resumeWebhookEndpoint.ts';
import { reviseWebhookEndpoint } from '../../../../server/domain/webhook/endpoint/reviseWebhookEndpoint.ts';
import { WebhookEndpoint } from '../../../../server/domain/webhook/endpoint/WebhookEndpoint.ts';
import { emitEvent } from '../../../../server/domain/outbox/emitEvent.ts';
import { newId } from '../../../../server/domain/shared/ids.ts';
import { retireIntegration } from '../../../../server/domain/programme/retireIntegration.ts';
import { warnOfDeadLetters } from '../../../../server/domain/webhook/alert/warnOfDeadLetters.ts';
import { endpointHealths } from '../../../../server/domain/webhook/endpoint/endpointHealth.ts';
import { deliveryBodies } from '../../../../server/domain/webhook/history/deliveryBodies.ts';
import { failureGroups } from '../../../../server/domain/webhook/history/failureGroups.ts';
import { ownDelivery } from '../../../../server/domain/webhook/history/ownDelivery.ts';
import { replayCount } from '../../../../server/domain/webhook/replay/replayDeliveries.ts';
import { replayDelivery } from '../../../../server/domain/webhook/replay/replayDelivery.ts';
import { storedDelivery } from '../../../support/webhooks/deliveryRows.ts';
import type { TestClient } from '../../../support/world/Fixtures.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';
import { operatorOf } from '../../lifecycles/certificateWalk.ts';

let world: World;
const now = new Date('2026-11-22T12:00:00.000Z');
const url = 'https://hooks.example.com/events?token=secret';
const inOrder = [...webhookEventTypes];

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Wish = Partial<Pick<Parameters<typeof registerWebhookEndpoint>[1], 'environment' | 'url' | 'eventTypes' | 'description'>>;
const register = ({ operatorId, integrationId, environment }: TestClient, wish: Wish = {}) =>
  registerWebhookEndpoint(world.em(), {
    actor: operatorOf(operatorId),
    integrationId,
    environment,
    url,
    payloadMode: 'notification',
    eventTypes: inOrder,
    description: 'Mine',
    now,
    ...wish,
  });
const by = ({ operatorId }: TestClient, { id }: { id: string }) => ({ actor: operatorOf(operatorId), endpointId: id, now });
const stored = (endpoint: { id: string }) => world.em().findOneOrFail(WebhookEndpoint, { id: endpoint.id });
const deliveriesTo = ({ number }: { number: number }) =>
  world.fixtures.sql<{ type: string; state: string; reason: string | null }[]>`
    select type, state, reason from webhook_delivery where endpoint_number = ${number} order by number`;
const happens = ({ number: clientNumber }: TestClient) =>
  world.em().transactional((tx) => emitEvent(tx, [{ type: 'connection.created', clientNumber, connectionId: newId('con') }], now));

test('an operator registers three endpoints for an integration, whatever their environments, and no fourth until one is removed', async () => {
  const client = await world.fixtures.client({ status: 'active' });
  await world.fixtures.sql`insert into client (id, integration_id, environment, scopes, created_at)
    values (${newId('cli')}, ${client.integrationId}, 'production', '{orders.read}', ${now})`;
  const attempts = await Promise.allSettled(
    ['sandbox', 'production', 'sandbox', 'production', 'sandbox'].map((environment) =>
      register(client, { environment: environment as 'sandbox' }),
    ),
  );
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  const [first] = await world.em().find(WebhookEndpoint, { integrationId: client.integrationId }, { orderBy: { slot: 'asc' } });
  await expect(register(client)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('at most 3') });
  await removeWebhookEndpoint(world.em(), by(client, first!));
  expect(await register(client)).toMatchObject({ slot: 1, status: 'registered' });
});

test('a production endpoint needs an approved or active integration; a sandbox one only that it is not retired', async () => {
  const outcomes: Record<string, string[]> = {};
  for (const status of integrationStatuses) {
    outcomes[status] = [];
    for (const environment of ['sandbox', 'production'] as const) {
      const client = await world.fixtures.client({ environment, status });
      const made = register(client).then(
        () => 'registered',
        ({ code }: { code: string }) => code,
      );
      outcomes[status].push(await made);
    }
  }
  const [open, closed] = [
    ['registered', 'registered'],
    ['registered', 'conflict'],
  ];
  expect(outcomes).toEqual({
    sandbox: closed,
    submitted: closed,
    rejected: closed,
    approved: open,
    active: open,
    suspended: closed,
    retired: ['conflict', 'conflict'],
  });
});

test('while the integration is suspended, its production endpoint can be paused, resumed and removed, but not changed', async () => {
  const client = await world.fixtures.client({ environment: 'production', status: 'suspended' });
  const endpoint = await world.fixtures.webhookEndpoint(client);
  const change = reviseWebhookEndpoint(world.em(), { ...by(client, endpoint), description: 'Other' });
  await expect(change).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('suspended') });
  await pauseWebhookEndpoint(world.em(), by(client, endpoint));
  await resumeWebhookEndpoint(world.em(), by(client, endpoint));
  expect(await removeWebhookEndpoint(world.em(), by(client, endpoint))).toMatchObject({ status: 'removed' });
});

test('while the integration is suspended, its production endpoint cannot be moved to the sandbox, and the refusal names the field', async () => {
  const client = await world.fixtures.client({ environment: 'production', status: 'suspended' });
  await world.fixtures.sql`insert into client (id, integration_id, environment, scopes, created_at)
    values (${newId('cli')}, ${client.integrationId}, 'sandbox', '{orders.read}', ${now})`;
  const endpoint = await world.fixtures.webhookEndpoint(client);
  const move = () => reviseWebhookEndpoint(world.em(), { ...by(client, endpoint), environment: 'sandbox' });
  const message = expect.stringMatching(/suspended, its production endpoints .* nor moved to the sandbox\.$/) as unknown;
  await expect(move()).rejects.toMatchObject({ code: 'conflict', fields: [{ path: 'input.environment', message }] });
  expect(await stored(endpoint)).toMatchObject({ clientNumber: client.number, status: 'active' });
  await world.fixtures.sql`update integration set status = 'active' where id = ${client.integrationId}`;
  expect(await move()).toMatchObject({ status: 'registered' });
});

test('every field that breaks a rule is named at once, and nothing is stored', async () => {
  const client = await world.fixtures.client();
  await expect(register(client, { url: 'http://hooks.example.com', eventTypes: [], description: 'x'.repeat(201) })).rejects.toMatchObject({
    code: 'invalid_request',
    fields: [{ path: 'input.url' }, { path: 'input.eventTypes' }, { path: 'input.description' }],
  });
  expect(await world.em().count(WebhookEndpoint, { integrationId: client.integrationId })).toBe(0);
});

test('the URL is kept as it was given, types once and in order, and the audit trail has the host alone', async () => {
  const client = await world.fixtures.client();
  const odd = 'https://hooks.example.com:443?token=a%2fb';
  const endpoint = await register(client, { url: odd, eventTypes: ['resource.revoked', 'resource.granted', 'resource.revoked'] });
  expect(await stored(endpoint)).toMatchObject({ url: odd, eventTypes: ['resource.granted', 'resource.revoked'] });
  const trail = await world.fixtures.sql`select action, details from audit_entry where subject_id = ${endpoint.id}`;
  expect(trail).toEqual([
    {
      action: 'webhook_endpoint.registered',
      details: {
        environment: 'sandbox',
        host: 'hooks.example.com',
        payloadMode: 'notification',
        eventTypes: 'resource.granted resource.revoked',
      },
    },
  ]);
});

test('the audit trail says what the payload mode and the types became', async () => {
  const client = await world.fixtures.client();
  const endpoint = await world.fixtures.webhookEndpoint(client);
  const changed = { payloadMode: 'full_payload', eventTypes: ['resource.revoked', 'connection.revoked'] } as const;
  await reviseWebhookEndpoint(world.em(), { ...by(client, endpoint), ...changed });
  await reviseWebhookEndpoint(world.em(), { ...by(client, endpoint), description: 'Other' });
  const trail = await world.fixtures.sql`select details from audit_entry where subject_id = ${endpoint.id} order by id`;
  const place = { environment: 'sandbox', host: 'one.hooks.test' };
  expect(trail.map(({ details }) => details)).toEqual([
    { ...place, fields: 'payloadMode eventTypes', payloadMode: 'full_payload', eventTypes: 'resource.revoked connection.revoked' },
    { ...place, fields: 'description' },
  ]);
});

test('another URL has to be proven, and events wait for that; another mode, types or description do not', async () => {
  const client = await world.fixtures.client();
  const endpoint = await world.fixtures.webhookEndpoint(client);
  const before = await stored(endpoint);
  await reviseWebhookEndpoint(world.em(), {
    ...by(client, endpoint),
    payloadMode: 'full_payload',
    eventTypes: ['connection.created'],
    description: 'Other',
  });
  expect(await stored(endpoint)).toMatchObject({ status: 'active', provenAt: before.provenAt, payloadMode: 'full_payload' });

  await world.fixtures.sql`update webhook_endpoint set last_success_at = ${now} where number = ${endpoint.number}`;
  await reviseWebhookEndpoint(world.em(), { ...by(client, endpoint), url });
  expect(await stored(endpoint)).toMatchObject({
    status: 'registered',
    url,
    provenAt: null,
    firstProvenAt: before.firstProvenAt,
    // Of the former URL.
    lastSuccessAt: null,
  });
  await happens(client);
  expect(await deliveriesTo(endpoint)).toMatchObject([{ state: 'pending' }]);
});

test('in another environment, nothing of the former one is delivered, and nothing is stored before the next proof', async () => {
  const sandbox = await world.fixtures.client({ status: 'approved' });
  const [production] = await world.fixtures.sql<{ number: number }[]>`
    insert into client (id, integration_id, environment, scopes, created_at)
    values (${newId('cli')}, ${sandbox.integrationId}, 'production', '{orders.read}', ${now}) returning number`;
  const endpoint = await world.fixtures.webhookEndpoint(sandbox);
  await happens(sandbox);
  await reviseWebhookEndpoint(world.em(), { ...by(sandbox, endpoint), environment: 'production' });
  await happens({ ...sandbox, number: production!.number });
  await happens(sandbox);
  expect(await deliveriesTo(endpoint)).toEqual([{ type: 'connection.created', state: 'discarded', reason: 'endpoint_gone' }]);
  expect(await stored(endpoint)).toMatchObject({ status: 'registered', clientNumber: production!.number, firstProvenAt: null });
});

test('dead letters of the former environment stay on record as its own, but neither wait nor can be replayed', async () => {
  const sandbox = await world.fixtures.client({ status: 'approved' });
  await world.fixtures.sql`insert into client (id, integration_id, environment, scopes, created_at)
    values (${newId('cli')}, ${sandbox.integrationId}, 'production', '{orders.read}', ${now})`;
  const endpoint = await world.fixtures.webhookEndpoint(sandbox);
  const at = new Date(now.getTime() - 60_000);
  const { id } = await storedDelivery(world, { endpoint, clientNumber: sandbox.number, state: 'dead', at });
  const { actor, endpointId } = by(sandbox, endpoint);
  const asked = { operatorId: sandbox.operatorId, endpointId, filter: {}, now };
  expect(await replayCount(world.em(), asked)).toMatchObject({ count: 1 });
  const bodies = async () => {
    const { number } = await ownDelivery(world.em(), sandbox.operatorId, id);
    return deliveryBodies(world.em(), { number, source: 'https://api.test' });
  };
  const former = await bodies();
  expect(former.notification?.text).toContain('"sandbox"');

  await reviseWebhookEndpoint(world.em(), { ...by(sandbox, endpoint), environment: 'production' });
  await world.fixtures
    .sql`update webhook_endpoint set status = 'active', proven_at = ${now}, first_proven_at = ${now} where number = ${endpoint.number}`;
  expect(await ownDelivery(world.em(), sandbox.operatorId, id)).toMatchObject({ state: 'dead', event: { environment: 'sandbox' } });
  expect(await bodies()).toEqual(former);
  expect((await endpointHealths(world.em(), [endpoint.number]))[0]).toMatchObject({ dead: 0 });
  expect(await failureGroups(world.em(), endpoint.number)).toEqual([]);
  await warnOfDeadLetters(world.em(), { now });
  expect(await world.fixtures.sql`select id from mail where operator_id = ${sandbox.operatorId}`).toEqual([]);
  expect(await replayCount(world.em(), asked)).toMatchObject({ count: 0 });
  await expect(replayDelivery(world.em(), { actor, deliveryId: id, now })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('sandbox'),
  });
});

test('the health of an endpoint names why the last attempt failed, at the newest dead letter or at what is tried again', async () => {
  const client = await world.fixtures.client();
  const endpoint = await world.fixtures.webhookEndpoint(client);
  const store = (state: 'delivered' | 'dead' | 'pending', status: number, ago: number) =>
    storedDelivery(world, {
      endpoint,
      clientNumber: client.number,
      state,
      at: new Date(now.getTime() - ago * 60_000),
      attempts: 1,
      answer: { status, response: null },
    });
  const health = async () => (await endpointHealths(world.em(), [endpoint.number]))[0];
  const lastFailure = async () => (await health())?.lastFailure;
  await store('delivered', 204, 1);
  expect(await lastFailure()).toBeNull();
  await store('dead', 410, 90);
  await store('dead', 404, 60);
  expect(await lastFailure()).toEqual({ status: 404, error: null, reason: 'terminal_status' });
  await store('pending', 503, 30);
  expect(await lastFailure()).toEqual({ status: 503, error: null, reason: null });
  expect((await health())?.deadLetter?.failure).toEqual({ status: 404, error: null, reason: 'terminal_status' });
});

test('an owner neither ends an administrator’s pause nor gets around it with another URL or a new endpoint, but may change the rest', async () => {
  const client = await world.fixtures.client();
  const endpoint = await world.fixtures.webhookEndpoint(client, { status: 'paused' });
  await world.fixtures
    .sql`update webhook_endpoint set paused_by = 'administrator', pause_reason = 'It fails.' where number = ${endpoint.number}`;
  const paused = { code: 'conflict', message: expect.stringContaining('An administrator has paused this endpoint') };
  await expect(resumeWebhookEndpoint(world.em(), by(client, endpoint))).rejects.toMatchObject(paused);
  await expect(reviseWebhookEndpoint(world.em(), { ...by(client, endpoint), url })).rejects.toMatchObject(paused);
  await reviseWebhookEndpoint(world.em(), { ...by(client, endpoint), description: 'Other' });
  expect(await stored(endpoint)).toMatchObject({ status: 'paused', pausedBy: 'administrator', description: 'Other' });
  await expect(removeWebhookEndpoint(world.em(), by(client, endpoint))).rejects.toMatchObject(paused);

  const there = { code: 'conflict', message: expect.stringContaining('An administrator has paused your endpoint at one.hooks.test') };
  const others = [endpoint.url, 'https://one.hooks.test:443/events', 'https://one.hooks.test/%65vents?again', 'https://one.hooks.test'];
  for (const same of others) await expect(register(client, { url: same })).rejects.toMatchObject(there);
  const second = await register(client, { url: 'https://two.hooks.test/events' });
  await expect(reviseWebhookEndpoint(world.em(), { ...by(client, second), url: endpoint.url })).rejects.toMatchObject(there);
  expect(await stored(second)).toMatchObject({ url: 'https://two.hooks.test/events' });
  const other = { ...(await world.fixtures.client()), operatorId: client.operatorId };
  await world.fixtures.sql`update integration set operator_id = ${client.operatorId} where id = ${other.integrationId}`;
  await expect(register(other, { url: endpoint.url })).rejects.toMatchObject(there);

  expect(await register(await world.fixtures.client(), { url: endpoint.url })).toMatchObject({ status: 'registered' });
  await world.fixtures
    .sql`update webhook_endpoint set status = 'active', paused_by = null, pause_reason = null where number = ${endpoint.number}`;
  expect(await register(client, { url: endpoint.url })).toMatchObject({ status: 'registered' });
});

test('a removed endpoint gets nothing more, what waited for it is discarded, and no command finds it', async () => {
  const client = await world.fixtures.client();
  const endpoint = await world.fixtures.webhookEndpoint(client);
  await happens(client);
  await removeWebhookEndpoint(world.em(), by(client, endpoint));
  await happens(client);
  expect(await deliveriesTo(endpoint)).toEqual([{ type: 'connection.created', state: 'discarded', reason: 'endpoint_gone' }]);
  for (const command of [pauseWebhookEndpoint, resumeWebhookEndpoint, removeWebhookEndpoint, reviseWebhookEndpoint]) {
    await expect(command(world.em(), by(client, endpoint))).rejects.toMatchObject({ code: 'not_found' });
  }
});

test('a retired integration’s endpoints are removed with it, and its revocations tell nobody any more', async () => {
  const client = await world.fixtures.client();
  const endpoint = await world.fixtures.webhookEndpoint(client);
  await world.fixtures.connection(client);
  await happens(client);
  const { operatorId, integrationId } = client;
  await retireIntegration(world.em(), { actor: operatorOf(operatorId), integrationId, reason: null, now });
  expect(await stored(endpoint)).toMatchObject({ status: 'removed', slot: null });
  expect(await deliveriesTo(endpoint)).toEqual([{ type: 'connection.created', state: 'discarded', reason: 'endpoint_gone' }]);
  const trail = await world.fixtures.sql`select action from audit_entry where subject_id = ${endpoint.id}`;
  expect(trail).toEqual([{ action: 'webhook_endpoint.removed' }]);
});
