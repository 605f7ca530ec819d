import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeProductionGate } from '../../server/domain/gate/closeProductionGate.ts';
import { openProductionGate } from '../../server/domain/gate/openProductionGate.ts';
import type { integrationFacts } from '../../server/domain/integration/integrationFacts.ts';
import type { IntegrationStatus } from '../../server/domain/integration/integrationStatus.ts';
import { reactivateIntegration } from '../../server/domain/integration/status/reactivateIntegration.ts';
import { suspendIntegration } from '../../server/domain/integration/status/suspendIntegration.ts';
import { retireIntegration } from '../../server/domain/programme/retireIntegration.ts';
import type { Actor } from '../../server/domain/shared/actor.ts';
import { environments, type Environment } from '../../server/domain/shared/environment.ts';
import { emitEvent } from '../../server/domain/outbox/emitEvent.ts';
import { pauseWebhookEndpoint } from '../../server/domain/webhook/endpoint/pauseWebhookEndpoint.ts';
import { resumeWebhookEndpoint } from '../../server/domain/webhook/endpoint/resumeWebhookEndpoint.ts';
import { reviseWebhookEndpoint } from '../../server/domain/webhook/endpoint/reviseWebhookEndpoint.ts';
import { payloadModes, WebhookEndpoint, type PayloadMode } from '../../server/domain/webhook/endpoint/WebhookEndpoint.ts';
import { webhookEventTypes, type WebhookEventType } from '../../server/domain/outbox/eventTypes.ts';
import { WebhookReceiver } from '../support/clients/webhookReceiver.ts';
import type { TestEndpoint } from '../support/webhooks/endpointRows.ts';
import type { TestClient } from '../support/world/Fixtures.ts';
import { openWorld } from '../support/world/openWorld.ts';
import type { World } from '../support/world/World.ts';
import { operatorOf } from '../domain/lifecycles/certificateWalk.ts';

/** The statuses in which deliveries are held, or over. */
type StoppingStatus = {
  [Status in IntegrationStatus]: (typeof integrationFacts)[Status] extends { holds: null; sandbox: 'open' } ? never : Status;
}[IntegrationStatus];
type State = 'active' | StoppingStatus | 'gate closed' | 'endpoint paused' | 'endpoint unproven' | 'of a later release';
type Outcome = 'delivered' | `held: ${string}` | `discarded: ${string}`;

/** What becomes of a delivery that waits when its endpoint, its integration or the gate enters a state. Written by hand. */
const outcomes: Record<State, Record<Environment, { ofData: Outcome; ofTheEnd: Outcome }>> = {
  active: both({ ofData: 'delivered', ofTheEnd: 'delivered' }),
  suspended: both({ ofData: 'held: integration_suspended', ofTheEnd: 'delivered' }),
  'gate closed': {
    sandbox: { ofData: 'delivered', ofTheEnd: 'delivered' },
    production: { ofData: 'held: gate_closed', ofTheEnd: 'delivered' },
  },
  'endpoint paused': both({ ofData: 'held: endpoint_not_active', ofTheEnd: 'held: endpoint_not_active' }),
  'endpoint unproven': both({ ofData: 'held: endpoint_not_active', ofTheEnd: 'held: endpoint_not_active' }),
  'of a later release': both({ ofData: 'held: integration_suspended', ofTheEnd: 'delivered' }),
  retired: both({ ofData: 'discarded: endpoint_gone', ofTheEnd: 'discarded: endpoint_gone' }),
};
const states = Object.keys(outcomes) as State[];
function both<Each>(each: Each): Record<Environment, Each> {
  return { sandbox: each, production: each };
}
/** They tell of the end of access, or of the suspension itself. */
const ofTheEnd = new Set<WebhookEventType>(['resource.revoked', 'connection.revoked', 'integration.suspended']);
const withSnapshot = new Set<WebhookEventType>(['resource.granted', 'resource.updated']);

type Case = { readonly state: State; readonly environment: Environment; readonly mode: PayloadMode };
const cases: Case[] = states.flatMap((state) =>
  environments.flatMap((environment) => payloadModes.map((mode) => ({ state, environment, mode }))),
);
const rows = cases.flatMap((each) =>
  webhookEventTypes.map((type) => {
    const outcome = outcomes[each.state][each.environment][ofTheEnd.has(type) ? 'ofTheEnd' : 'ofData'];
    const sent = outcome !== 'delivered' ? 'nothing' : each.mode === 'full_payload' && withSnapshot.has(type) ? 'a snapshot' : 'references';
    return { ...each, type, outcome, sent };
  }),
);

type Prepared = Case & { readonly name: string; readonly client: TestClient; readonly endpoint: TestEndpoint };
let world: World;
let receiver: WebhookReceiver;
let prepared: Prepared[];
/** What became of each delivery, and what was sent. */
const became = new Map<string, { outcome: string; sent: string }>();
const key = ({ state, environment, mode }: Case, type: string) => [state, environment, mode, type].join(' ');
const terminal: Actor = { type: 'system', name: 'terminal' };

beforeAll(async () => {
  world = await openWorld();
  receiver = await WebhookReceiver.start();
  await world.fixtures.sql`update service_gate set production_data_enabled = true`;
  await world.fixtures.sql`alter table integration drop constraint integration_status_check`;
  prepared = await Promise.all(cases.map(prepare));
  for (const each of prepared) await moves[each.state].enter?.(each);
  await world.deliver(receiver);
  for (const each of prepared) await note(each);
});
afterAll(async () => {
  await receiver.close();
  await world.close();
});

/** An integration in which nothing holds anything, with one delivery of each type that is due. */
async function prepare(each: Case, index: number): Promise<Prepared> {
  const { fixtures, clock } = world;
  const client = await fixtures.client({ environment: each.environment, status: 'active' });
  await fixtures.sql`update integration set production_gate_open = true where id = ${client.integrationId}`;
  const name = `case-${index}`;
  const endpoint = await fixtures.webhookEndpoint(client, { url: receiver.url(name), payloadMode: each.mode });
  const connectionId = await fixtures.connection(client);
  const [shared, ended] = await fixtures.share(client, connectionId, 2);
  const revocationId = await fixtures.revoke(client, connectionId, ended!);
  const generationId = await fixtures.generation(client);
  const of = { clientNumber: client.number, connectionId };
  const resource = { id: shared!, type: 'order' } as const;
  await world.em().transactional((tx) =>
    emitEvent(
      tx,
      [
        { ...of, type: 'connection.created' },
        { ...of, type: 'resource.granted', resource },
        { ...of, type: 'resource.updated', resource },
        { ...of, type: 'resource.revoked', resource: { id: ended!, type: 'order' }, revocationId },
        { ...of, type: 'connection.revoked', revocationId },
        { type: 'statistics.updated', clientNumber: client.number, generationId },
        { type: 'integration.suspended', clientNumber: client.number },
      ],
      clock.now(),
    ),
  );
  return { ...each, name, client, endpoint };
}

/** How each state begins, and how it ends, where it can. */
const moves: Readonly<Record<State, Record<'enter' | 'leave', ((each: Prepared) => Promise<unknown>) | null>>> = {
  active: { enter: null, leave: null },
  suspended: {
    enter: (each) => suspendIntegration(world.em(), decisionOn(each)),
    leave: (each) => reactivateIntegration(world.em(), decisionOn(each)),
  },
  'gate closed': {
    enter: (each) => closeProductionGate(world.em(), decisionOn(each)),
    leave: (each) => openProductionGate(world.em(), decisionOn(each)),
  },
  'endpoint paused': {
    enter: (each) => pauseWebhookEndpoint(world.em(), ownerOf(each)),
    leave: (each) => resumeWebhookEndpoint(world.em(), ownerOf(each)),
  },
  'endpoint unproven': {
    enter: (each) => reviseWebhookEndpoint(world.em(), { ...ownerOf(each), url: receiver.url(each.name, '/moved') }),
    leave: ({ endpoint }) =>
      world
        .em()
        .transactional(async (tx) => (await tx.findOneOrFail(WebhookEndpoint, { number: endpoint.number })).prove(world.clock.now())),
  },
  'of a later release': { enter: (each) => become('of_a_later_release', each), leave: (each) => become('active', each) },
  retired: { enter: (each) => retireIntegration(world.em(), { ...decisionOn(each), ...ownerOf(each), reason: null }), leave: null },
};
const become = (status: string, { client }: Prepared) =>
  world.fixtures.sql`update integration set status = ${status} where id = ${client.integrationId}`;
const ownerOf = ({ client, endpoint }: Prepared) => ({
  actor: operatorOf(client.operatorId),
  endpointId: endpoint.id,
  now: world.clock.now(),
});
const decisionOn = ({ client }: Prepared) => ({
  actor: terminal,
  integrationId: client.integrationId,
  reason: 'A reason.',
  now: world.clock.now(),
});

async function note(each: Prepared): Promise<void> {
  const deliveries = await world.fixtures.sql<{ type: string; state: string; reason: string | null }[]>`
    select type, state, reason from webhook_delivery where endpoint_number = ${each.endpoint.number} order by number`;
  for (const { type, state, reason } of deliveries) {
    const bodies = receiver.at(each.name).map(({ body }) => JSON.parse(body.toString()) as { type: string; data: object });
    const mine = bodies.filter((body) => body.type === type);
    const sent = mine.length === 0 ? 'nothing' : mine.some(({ data }) => 'snapshot' in data) ? 'a snapshot' : 'references';
    became.set(key(each, type), { outcome: reason === null ? state : `${state}: ${reason}`, sent });
  }
}

describe('an event that waits to be delivered', () => {
  test.each(rows)('$type, $mode, $environment, $state: $outcome, with $sent', (row) => {
    expect(became.get(key(row, row.type))).toEqual({ outcome: row.outcome, sent: row.sent });
  });
});

const holding = states.filter((state) => environments.some((environment) => outcomes[state][environment].ofData.startsWith('held')));

test.each(holding)('what was held is delivered once its endpoint or integration is no longer %s', async (state) => {
  const left = prepared.filter((each) => each.state === state);
  for (const each of left) await moves[state].leave?.(each);
  await world.deliver(receiver);
  const open = await world.fixtures.sql`
      select type, state, reason from webhook_delivery where state <> 'delivered' and endpoint_number = any(${left.map(({ endpoint }) => endpoint.number)})`;
  expect(open).toEqual([]);
});
