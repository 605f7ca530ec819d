import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { confirmPasskey } from './account.ts';
import { DemoReceiver } from './DemoReceiver.ts';
import type { DemoIntegration } from './integration.ts';
import type { PortalClient } from './PortalClient.ts';
import { advanceSandboxResource } from './simulator.ts';
import type { SoftwarePasskey } from './SoftwarePasskey.ts';
import { type Steps, waitFor } from './Steps.ts';
import { expectThat, Surprise } from './Surprise.ts';
import type { Resource } from './syncedCopy.ts';

/** Where the demo's receiver listens. `npm start` leads its workers there (DEVELOPMENT_WEBHOOK_HOSTS) and leaves the certificate. */
export type WebhookOptions = {
  readonly tlsFolder: string;
  readonly port: number;
  /** Lets the service's clock go on by so many milliseconds, where it is not the real one. */
  readonly passTime?: (milliseconds: number) => void;
};

type Story = WebhookOptions & {
  readonly portal: PortalClient;
  readonly steps: Steps;
  readonly passkey: SoftwarePasskey;
  readonly integration: DemoIntegration;
  readonly machineApiUrl: string;
  readonly folder: string;
  /** What the client sees. Some of it is advanced. */
  readonly resources: readonly Resource[];
};

const url = 'https://receiver.test/svc';
/** Those from which an order or a stock vehicle can still advance. */
const early = new Set(['placed', 'confirmed', 'scheduled', 'available', 'reserved']);

/**
 * An endpoint's life: proven, an event received and verified, the same once more, a receiver that is down until the retry, and one with the
 * wrong settings, whose dead letter is replayed.
 */
export async function receiveWebhooks(story: Story): Promise<void> {
  const { portal, steps, passkey, integration, machineApiUrl, folder, tlsFolder, port } = story;
  if (!(await exists(join(tlsFolder, 'receiver.key')))) {
    steps.note(`The webhooks are left out, because there is no certificate for the receiver in ${tlsFolder} (--receiver-tls DIR).`);
    return;
  }
  const resources = story.resources.filter(({ status }) => early.has(status));
  expectThat(resources.length >= 3, 'The test data has too few resources that can still advance.');
  const jwksUrl = `${portal.origin}/.well-known/svc-integration-webhook-jwks.json`;
  const database = join(folder, 'receiver.db');
  const receiver = new DemoReceiver({ url, port, tlsFolder, jwksUrl, source: new URL(machineApiUrl).origin, database });
  try {
    await steps.run(
      'Start a receiver',
      () => receiver.start('sandbox'),
      () => `${url}, made of the kit's`,
    );
    await confirmPasskey(portal, passkey);
    const endpointId = await steps.run(
      'Register its URL',
      () => registerEndpoint(portal, integration.id),
      (id) => id,
    );
    await steps.run(
      'Prove it',
      () => proveEndpoint(portal, endpointId),
      (passed) => `passed: ${passed.join(', ')}`,
    );
    const [first, second, third] = resources.map(({ id, type }) => ({ id, type }));
    if (first && second && third) {
      await receiveTwice(story, receiver, endpointId, first);
      await failAndRetry(story, receiver, endpointId, second);
      await failAndReplay(story, receiver, endpointId, third);
    }
    // Otherwise it would fail from now on.
    await steps.run(
      'Remove the endpoint',
      () => removeEndpoint(portal, endpointId),
      (status) => status,
    );
  } finally {
    await receiver.stop();
  }
}

type Advanced = Pick<Resource, 'id' | 'type'>;

async function receiveTwice(
  { portal, steps, integration }: Story,
  receiver: DemoReceiver,
  endpointId: string,
  resource: Advanced,
): Promise<void> {
  const delivered = await steps.run(
    `Advance one ${resource.type}, and receive it`,
    async () => {
      await advanceSandboxResource(portal, { clientId: integration.clientId, resourceId: resource.id });
      return deliveryOf(portal, endpointId, resource, ({ state }) => state === 'delivered');
    },
    ({ event }) => `${event.id}: digest and signature verified`,
  );
  const eventId = delivered.event.id;
  await waitFor('The receiver’s work', 10, async () => (receiver.applied.includes(eventId) ? true : null));
  await steps.run(
    'Deliver it once more',
    async () => {
      const id = await replayDelivery(portal, delivered.id);
      await deliveryOf(portal, endpointId, resource, (each) => each.id === id && each.state === 'delivered');
      const applied = receiver.applied.filter((each) => each === eventId).length;
      expectThat(applied === 1, `The receiver applied the event ${applied} times.`);
    },
    () => 'answered 2xx, and not applied again',
  );
}

async function failAndRetry(
  { portal, steps, integration, passTime }: Story,
  receiver: DemoReceiver,
  endpointId: string,
  resource: Advanced,
): Promise<void> {
  const failed = await steps.run(
    `Stop it, and advance one ${resource.type}`,
    async () => {
      await receiver.stop();
      await advanceSandboxResource(portal, { clientId: integration.clientId, resourceId: resource.id });
      return deliveryOf(portal, endpointId, resource, ({ state, attempts }) => state === 'pending' && attempts.length > 0);
    },
    ({ attempts }) => `${attempts[0]?.error}; it is tried again in about 30 s`,
  );
  await steps.run(
    'Start it, and wait for the retry',
    async () => {
      await receiver.start('sandbox');
      passTime?.(31_000);
      return deliveryOf(portal, endpointId, resource, ({ state }) => state === 'delivered');
    },
    ({ event, attempts }) => `${event.id} with attempt ${attempts.length}`,
  );
  expectThat(failed.event.id === receiver.applied.at(-1), 'The receiver applied another event than the one that had failed.');
}

async function failAndReplay(
  { portal, steps, integration }: Story,
  receiver: DemoReceiver,
  endpointId: string,
  resource: Advanced,
): Promise<void> {
  const dead = await steps.run(
    'Misconfigure it, and advance one',
    async () => {
      await receiver.stop();
      await receiver.start('production');
      await advanceSandboxResource(portal, { clientId: integration.clientId, resourceId: resource.id });
      return deliveryOf(portal, endpointId, resource, ({ state }) => state === 'dead');
    },
    ({ attempts }) => `${receiver.refused.at(-1) ?? attempts[0]?.status}: a dead letter`,
  );
  await steps.run(
    'Mend it, and replay what failed',
    async () => {
      await receiver.stop();
      await receiver.start('sandbox');
      const id = await replayDelivery(portal, dead.id);
      const replayed = await deliveryOf(portal, endpointId, resource, (each) => each.id === id && each.state === 'delivered');
      expectThat(replayed.event.id === dead.event.id, 'The replay delivered another event.');
      return replayed;
    },
    ({ event }) => `${event.id}, delivered`,
  );
}

async function registerEndpoint(portal: PortalClient, integrationId: string): Promise<string> {
  const types =
    'connection_created resource_granted resource_updated resource_revoked connection_revoked statistics_updated integration_suspended';
  const eventTypes = types.split(' ');
  const input = { integrationId, environment: 'sandbox', url, payloadMode: 'full_payload', eventTypes, description: 'Demo' };
  const { registerWebhookEndpoint: endpoint } = await portal.ask(
    'mutation ($input: RegisterWebhookEndpointInput!) { registerWebhookEndpoint(input: $input) { id } }',
    { variables: { input }, answer: z.object({ registerWebhookEndpoint: z.object({ id: z.string().startsWith('whk_') }) }) },
  );
  return endpoint.id;
}

const challenge = z.object({
  status: z.enum(['pending', 'succeeded', 'failed']),
  steps: z.array(z.object({ name: z.string(), outcome: z.string(), detail: z.string() })),
});

/** The names of the challenge's steps, all of which have passed. */
async function proveEndpoint(portal: PortalClient, endpointId: string): Promise<string[]> {
  await portal.ask('mutation ($input: VerifyWebhookEndpointInput!) { verifyWebhookEndpoint(input: $input) { id } }', {
    variables: { input: { endpointId } },
    answer: z.object({ verifyWebhookEndpoint: z.object({ id: z.string() }) }),
  });
  return waitFor('The challenge', 30, async () => {
    const { webhookEndpoint } = await portal.ask(
      'query ($id: ID!) { webhookEndpoint(id: $id) { challenge { status steps { name outcome detail } } } }',
      {
        variables: { id: endpointId },
        answer: z.object({ webhookEndpoint: z.object({ challenge: challenge.nullable() }) }),
        background: true,
      },
    );
    const { status, steps } = webhookEndpoint.challenge ?? { status: 'pending', steps: [] };
    if (status === 'failed') throw new Surprise(`The challenge failed: ${steps.at(-1)?.detail}`);
    return status === 'succeeded' ? steps.map(({ name }) => name) : null;
  });
}

const delivery = z.object({
  id: z.string(),
  state: z.string(),
  event: z.object({ id: z.string().startsWith('evt_'), type: z.string() }),
  attempts: z.array(z.object({ status: z.int().nullable(), error: z.string().nullable() })),
});
type Delivery = z.infer<typeof delivery>;

/** The newest delivery about the resource, as soon as it is as wanted: within a minute, which is longer than the first retry waits. */
function deliveryOf(
  portal: PortalClient,
  endpointId: string,
  { id }: Advanced,
  wanted: (delivery: Delivery) => boolean,
): Promise<Delivery> {
  return waitFor('The delivery', 60, async () => {
    const { webhookEndpoint } = await portal.ask(
      `query ($id: ID!, $resourceId: ID!) {
        webhookEndpoint(id: $id) {
          deliveries(first: 1, resourceId: $resourceId) { edges { node { id state event { id type } attempts { status error } } } }
        }
      }`,
      {
        variables: { id: endpointId, resourceId: id },
        answer: z.object({ webhookEndpoint: z.object({ deliveries: z.object({ edges: z.array(z.object({ node: delivery })) }) }) }),
        background: true,
      },
    );
    const [edge] = webhookEndpoint.deliveries.edges;
    return edge && wanted(edge.node) ? edge.node : null;
  });
}

async function replayDelivery(portal: PortalClient, deliveryId: string): Promise<string> {
  const answer = await portal.ask('mutation ($input: ReplayDeliveryInput!) { replayDelivery(input: $input) { id } }', {
    variables: { input: { deliveryId } },
    answer: z.object({ replayDelivery: z.object({ id: z.string() }) }),
  });
  return answer.replayDelivery.id;
}

async function removeEndpoint(portal: PortalClient, endpointId: string): Promise<string> {
  const answer = await portal.ask('mutation ($input: RemoveWebhookEndpointInput!) { removeWebhookEndpoint(input: $input) { status } }', {
    variables: { input: { endpointId } },
    answer: z.object({ removeWebhookEndpoint: z.object({ status: z.string() }) }),
  });
  return answer.removeWebhookEndpoint.status;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
