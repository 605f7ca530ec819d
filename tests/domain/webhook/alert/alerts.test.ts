import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '../../../../server/domain/shared/ids.ts';
import { warnOfDeadLetters } from '../../../../server/domain/webhook/alert/warnOfDeadLetters.ts';
import { warnOfFailingEndpoints } from '../../../../server/domain/webhook/alert/warnOfFailingEndpoints.ts';
import type { Query } from '../../../../server/domain/shared/query.ts';
import { countWaiting } from '../../../../server/domain/webhook/delivery/storeResults.ts';
import { crontab } from '../../../../workers/crontab.ts';
import { storedDelivery } from '../../../support/webhooks/deliveryRows.ts';
import type { TestEndpoint } from '../../../support/webhooks/endpointRows.ts';
import type { TestClient } from '../../../support/world/Fixtures.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const start = new Date('2026-11-20T12:00:00.000Z');
const after = (milliseconds: number) => new Date(start.getTime() + milliseconds);

let world: World;
beforeAll(async () => {
  world = await openWorld({ poolMax: 4 });
});
afterAll(() => world.close());

let client: TestClient;
let endpoint: TestEndpoint;
beforeEach(async () => {
  client = await world.fixtures.client();
  endpoint = await world.fixtures.webhookEndpoint(client, { url: 'https://one.hooks.test/secret-path' });
});

type Told = { details: Record<string, string | number>; integration_id: string };
const told = (kind: string) =>
  world.rows<Told>('select details, integration_id from mail where kind = $1 and operator_id = $2 order by created_at, subject_id', [
    kind,
    client.operatorId,
  ]);
const failing = (since: Date | null) =>
  world.rows('update webhook_endpoint set failing_since = $2 where number = $1', [endpoint.number, since]);
const checkFailing = (now: Date) => warnOfFailingEndpoints(world.em(), { now });
const hoursTold = async () => (await told('webhook_failing')).map(({ details }) => details['hours']);

test('an owner is told that an endpoint has only failed for an hour, a day and five days, each once in one period of failures', async () => {
  await failing(start);
  for (const time of [hour - 1, hour, hour + 1, 2 * hour, day, day + 1, 5 * day - 1, 5 * day, 20 * day]) {
    await checkFailing(after(time));
    await checkFailing(after(time));
  }
  expect(await hoursTold()).toEqual([1, 24, 120]);
  // The host only, because paths may hold secrets.
  expect((await told('webhook_failing'))[0]?.details).toEqual({
    environment: 'sandbox',
    host: 'one.hooks.test',
    since: start.toISOString(),
    hours: 1,
  });
  // However long it goes on: by then, the mails themselves have been removed.
  await world.rows('delete from mail where operator_id = $1 and created_at <= $2', [client.operatorId, after(day)]);
  await checkFailing(after(90 * day));
  await world.rows('delete from mail where operator_id = $1', [client.operatorId]);
  for (const days of [95, 96, 200, 400]) await checkFailing(after(days * day));
  expect(await hoursTold()).toEqual([]);
  // It recovered and fails again: another period.
  await failing(null);
  await checkFailing(after(401 * day));
  await failing(after(402 * day));
  await checkFailing(after(402 * day + hour));
  expect(await hoursTold()).toEqual([1]);
});

test('after a time without workers only the longest is told, and endpoints that are not active are not', async () => {
  await failing(start);
  await checkFailing(after(2 * day));
  expect(await hoursTold()).toEqual([24]);
  await world.rows(`update webhook_endpoint set status = 'paused', paused_by = 'owner' where number = $1`, [endpoint.number]);
  await checkFailing(after(6 * day));
  expect(await hoursTold()).toEqual([24]);
});

test('what a suspension or a closed gate holds is not mailed as failing until it ends', async () => {
  await failing(start);
  const integration = (status: string) => world.rows('update integration set status = $2 where id = $1', [client.integrationId, status]);
  await integration('suspended');
  await checkFailing(after(hour));
  expect(await hoursTold()).toEqual([]);
  await integration('active');
  await world.rows(`update client set environment = 'production' where number = $1`, [client.number]);
  await checkFailing(after(hour));
  expect(await hoursTold()).toEqual([]);
  await world.rows(`update client set environment = 'sandbox' where number = $1`, [client.number]);
  await checkFailing(after(hour));
  expect(await hoursTold()).toEqual([1]);
});

test('what no suspension and no closed gate holds is mailed as failing meanwhile', async () => {
  await failing(start);
  await world.rows(`update client set environment = 'production' where number = $1`, [client.number]);
  await storedDelivery(world, {
    endpoint,
    clientNumber: client.number,
    state: 'pending',
    type: 'resource.updated',
    attempts: 5,
    at: start,
  });
  await checkFailing(after(hour));
  expect(await hoursTold()).toEqual([]);
  await storedDelivery(world, {
    endpoint,
    clientNumber: client.number,
    state: 'pending',
    type: 'resource.revoked',
    attempts: 5,
    at: start,
  });
  await checkFailing(after(hour));
  expect(await hoursTold()).toEqual([1]);
  await world.rows(`update integration set status = 'suspended' where id = $1`, [client.integrationId]);
  await checkFailing(after(day));
  expect(await hoursTold()).toEqual([1, 24]);
});

const checkLetters = (now: Date) => warnOfDeadLetters(world.em(), { now });
const letter = (at: Date, of: { number: number } = endpoint) =>
  storedDelivery(world, { endpoint: of, clientNumber: client.number, state: 'dead', at });
const lettersTold = async () =>
  (await told('webhook_dead_letters')).map(({ details }) => [details['letters'], String(details['hosts']).split(', ').length]);

test('an owner is told of new dead letters at most once in 24 hours, with one mail for the integration and all that wait', async () => {
  const other = await world.fixtures.webhookEndpoint(client, { url: 'https://two.hooks.test/' });
  await letter(start);
  await letter(after(1000), other);
  await Promise.all([checkLetters(after(2000)), checkLetters(after(2000))]);
  expect(await lettersTold()).toEqual([[2, 2]]);
  await letter(after(hour));
  await checkLetters(after(day));
  expect(await lettersTold()).toEqual([[2, 2]]);
  await checkLetters(after(day + 2000));
  expect(await lettersTold()).toEqual([
    [2, 2],
    [3, 2],
  ]);
  // Nothing new has died since.
  await checkLetters(after(5 * day));
  expect(await lettersTold()).toHaveLength(2);
});

test('an endpoint that is added after a mail does not bring another one on the same day', async () => {
  await letter(start);
  await checkLetters(start);
  const added = await world.fixtures.webhookEndpoint(client, { url: 'https://added.hooks.test/' });
  await letter(after(hour), added);
  await checkLetters(after(2 * hour));
  expect(await lettersTold()).toEqual([[1, 1]]);
  await checkLetters(after(day));
  expect(await lettersTold()).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test('dead letters that were replayed do not wait any more', async () => {
  const { id } = await letter(start);
  await world.rows('update webhook_delivery set replayed_at = $2 where id = $1', [id, after(1000)]);
  await checkLetters(after(2000));
  expect(await lettersTold()).toEqual([]);
});

test('the mail says in which environment dead letters wait, and each environment has a mail of its own', async () => {
  const [production] = await world.rows<{ number: number }>(
    `insert into client (id, integration_id, environment, scopes, created_at) select $2, integration_id, 'production', scopes, created_at from client where number = $1 returning number`,
    [client.number, newId('cli')],
  );
  if (!production) throw new Error('There is no production client.');
  const inProduction = await world.fixtures.webhookEndpoint(production, { url: 'https://production.hooks.test/' });
  await letter(start);
  await checkLetters(after(1000));
  expect((await told('webhook_dead_letters')).map(({ details }) => details)).toEqual([
    { environment: 'sandbox', letters: 1, more: 0, hosts: 'one.hooks.test' },
  ]);
  await storedDelivery(world, { endpoint: inProduction, clientNumber: production.number, state: 'dead', at: after(2000) });
  await letter(after(2000));
  await checkLetters(after(3000));
  expect((await told('webhook_dead_letters')).map(({ details }) => details)).toEqual([
    { environment: 'sandbox', letters: 1, more: 0, hosts: 'one.hooks.test' },
    { environment: 'production', letters: 1, more: 0, hosts: 'production.hooks.test' },
  ]);
});

test('dead letters of test events are mailed to nobody, and do not count beside others', async () => {
  await storedDelivery(world, { endpoint, clientNumber: client.number, state: 'dead', at: start, test: true });
  await checkLetters(after(1000));
  expect(await lettersTold()).toEqual([]);
  await letter(after(1000));
  await checkLetters(after(2000));
  expect(await lettersTold()).toEqual([[1, 1]]);
});

test('the clock looks for both every ten minutes', () => {
  expect(crontab).toMatch(/^\*\/10 \* \* \* \* warnOfWebhooks\b/m);
});

test('operators count no dead letters of endpoints that were removed, or moved to the other environment since', async () => {
  const query: Query = (text, values) => world.rows(text, values);
  const dead = async () => (await countWaiting(query, 100)).dead;
  const before = await dead();
  await storedDelivery(world, { endpoint, clientNumber: client.number, state: 'dead' });
  expect(await dead()).toBe(before + 1);
  const other = await world.fixtures.client();
  await world.rows('update webhook_endpoint set client_number = $2 where number = $1', [endpoint.number, other.number]);
  expect(await dead()).toBe(before);
  await world.rows('update webhook_endpoint set client_number = $2 where number = $1', [endpoint.number, client.number]);
  await world.rows("update webhook_endpoint set status = 'removed', slot = null, removed_at = now() where number = $1", [endpoint.number]);
  expect(await dead()).toBe(before);
});
