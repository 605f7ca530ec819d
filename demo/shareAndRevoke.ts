import { z } from 'zod';
import type { DemoIntegration } from './integration.ts';
import type { MachineApiClient } from './MachineApiClient.ts';
import type { PortalClient } from './PortalClient.ts';
import { syncChanges, type Resource } from './syncedCopy.ts';
import { acknowledgedAt, advanceSandboxResource, generateSandboxLinkCode, revokeSandboxShare } from './simulator.ts';
import type { SandboxChange, SandboxRevocation } from './simulator.ts';
import type { Steps } from './Steps.ts';
import { expectThat } from './Surprise.ts';

type Story = {
  readonly portal: PortalClient;
  readonly api: MachineApiClient;
  readonly steps: Steps;
  readonly scopes: readonly string[];
  readonly integration: DemoIntegration;
  /** Where the previous sync ended. */
  readonly cursor: string;
};

/** Enough of each that one of them still has a next step. */
const shared = 12;
const atTheirEnd = new Set(['delivered', 'cancelled', 'sold', 'withdrawn']);

/** A test user's share, from its link code to the acknowledged deletion. */
export async function shareAndRevoke(story: Story): Promise<void> {
  const { portal, api, steps, scopes, integration } = story;
  const redeemed = await linkAndSync(story);
  // An order's stages tell more.
  const inTurn = redeemed.resources.toSorted((a, b) => a.type.localeCompare(b.type));
  const resource = inTurn.find(({ status }) => !atTheirEnd.has(status));
  expectThat(
    resource !== undefined,
    'Every shared resource is already in its final status, although the test data should contain a mixture.',
  );
  const advanced = await steps.run(
    `Advance one ${resource.type}`,
    () => advance(portal, integration.clientId, resource),
    ({ change }) => `${change.from} → ${change.to}`,
  );
  const updated = await steps.run(
    'See it in the sync',
    () => seeUpdate(api, redeemed.cursor, advanced),
    ({ revision }) => `revision ${resource.revision} → ${revision}`,
  );
  if (scopes.includes(`${resource.type}s.history.read`)) {
    await steps.run(
      'Find it in the history',
      () => findInHistory(api, resource, advanced.change),
      (items) => `${items} entries; the new status is among the last`,
    );
  }
  const revoked = await steps.run(
    'The user revokes it',
    () => revokeSandboxShare(portal, { clientId: integration.clientId, resourceId: resource.id }),
    ({ deletionDeadlineAt }) => `delete by ${deletionDeadlineAt.slice(0, 10)}`,
  );
  await steps.run(
    'Read it once more',
    () => expectEnded(api, resource, revoked),
    () => '410 access_ended',
  );
  await steps.run(
    'See the tombstone in the sync',
    () => seeTombstone(api, updated.cursor, resource, revoked),
    () => revoked.revocationId,
  );
  if (scopes.includes('revocations.ack')) {
    await steps.run(
      'Acknowledge the deletion, twice',
      () => acknowledgeTwice(story, revoked),
      () => 'same key, same response; the portal shows it',
    );
  }
}

/** Gets a code from the portal and redeems it with the certificate. Its resources arrive with the next sync. */
async function linkAndSync({ portal, api, steps, scopes, integration: { clientId }, cursor }: Story) {
  const orders = scopes.includes('orders.read') ? shared : 0;
  const vehicles = scopes.includes('vehicles.read') ? shared : 0;
  const { code } = await steps.run(
    'Create a sandbox link code',
    () => generateSandboxLinkCode(portal, { clientId, orders, vehicles }),
    () => `for ${orders} orders and ${vehicles} vehicles; not printed here`,
  );
  const { connection_id: connectionId, resources } = await steps.run(
    'Redeem it',
    () => api.send('/link-codes/redeem', redemption, { body: { code } }),
    (answer) => `${answer.connection_id}, ${answer.resources.length} resources`,
  );
  await steps.run(
    'Redeem it again',
    () =>
      api.expectRefusal('/link-codes/redeem', { status: 404, code: 'link_code_not_redeemable' }, z.unknown(), {
        method: 'POST',
        body: { code },
      }),
    () => '404 link_code_not_redeemable',
  );
  expectThat(resources.length === orders + vehicles, 'The redemption does not name as many resources as the code was created for.');
  return steps.run(
    'Sync what is new',
    async () => {
      const changes = await syncChanges(api, cursor);
      const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).sort();
      expectThat(
        ids(changes.upserts).join() === ids(resources).join() && changes.upserts.every((upsert) => upsert.connection_id === connectionId),
        'The sync did not bring the resources that the redemption named.',
      );
      return { resources: changes.upserts, cursor: changes.next_cursor };
    },
    (synced) => `${synced.resources.length} new resources, all from this connection`,
  );
}

const redemption = z.object({
  connection_id: z.string().startsWith('con_'),
  resources: z.array(z.object({ id: z.string(), type: z.enum(['order', 'vehicle']) })),
});

type Advanced = { readonly change: SandboxChange; readonly changes: readonly SandboxChange[] };

async function advance(portal: PortalClient, clientId: string, { id, status }: Resource): Promise<Advanced> {
  const changes = await advanceSandboxResource(portal, { clientId, resourceId: id });
  const change = changes.find(({ resourceId }) => resourceId === id);
  expectThat(
    change !== undefined && change.from === status && change.to !== status,
    'The resource did not advance from its previous status.',
  );
  return { change, changes };
}

async function seeUpdate(api: MachineApiClient, since: string, { change, changes }: Advanced) {
  const { upserts, next_cursor: cursor } = await syncChanges(api, since);
  const expected = changes.filter(({ shown }) => shown).map(({ resourceId }) => resourceId);
  expectThat(
    upserts
      .map(({ id }) => id)
      .sort()
      .join() === expected.sort().join(),
    'The sync did not bring exactly the resources that changed.',
  );
  const found = upserts.find(({ id }) => id === change.resourceId);
  expectThat(
    found?.status === change.to && found.revision === change.revision,
    'The sync brought the resource with the wrong status or revision.',
  );
  return { cursor, revision: found.revision };
}

const history = z.object({
  items: z.array(z.object({ sequence: z.int(), changes: z.array(z.looseObject({ path: z.string() })) })),
});

async function findInHistory(api: MachineApiClient, { id, type }: Resource, { from, to }: SandboxChange): Promise<number> {
  const { body } = await api.read(`/${type}s/${id}/history?limit=500`, history, { conditional: false });
  const changes = body.items.flatMap((item) => item.changes);
  const last = changes.findLast(({ path }) => path === 'status');
  expectThat(last?.['from'] === from && last['to'] === to, 'The last change of status in the history is not the expected one.');
  return body.items.length;
}

const ended = z.object({ revocation_id: z.string(), deletion_deadline_at: z.string() });

async function expectEnded(api: MachineApiClient, { id, type }: Resource, revoked: SandboxRevocation): Promise<void> {
  const problem = await api.expectRefusal(`/${type}s/${id}`, { status: 410, code: 'access_ended' }, ended);
  expectThat(
    problem.revocation_id === revoked.revocationId && problem.deletion_deadline_at === revoked.deletionDeadlineAt,
    'The 410 names the wrong revocation or deadline.',
  );
}

async function seeTombstone(api: MachineApiClient, since: string, { id }: Resource, { revocationId }: SandboxRevocation): Promise<void> {
  const { upserts, tombstones } = await syncChanges(api, since);
  const [tombstone] = tombstones;
  expectThat(
    upserts.length === 0 && tombstones.length === 1 && tombstone?.revocation_id === revocationId && tombstone.resource?.id === id,
    'The sync did not bring exactly the tombstone of the revoked resource.',
  );
}

const acknowledged = z.object({ revocation_id: z.string(), status: z.literal('acknowledged'), acknowledged_at: z.string() });

async function acknowledgeTwice({ portal, api, integration }: Story, { revocationId }: SandboxRevocation): Promise<void> {
  expectThat(
    (await acknowledgedAt(portal, integration.slug, revocationId)) === null,
    'The portal already shows the deletion as acknowledged.',
  );
  const send = () =>
    api.send(`/revocations/${revocationId}/ack`, acknowledged, {
      body: { deletion_completed: true },
      headers: { 'idempotency-key': `deleted-${revocationId}` },
    });
  const [first, second] = [await send(), await send()];
  expectThat(JSON.stringify(first) === JSON.stringify(second), 'The second, identical acknowledgement got a different response.');
  expectThat(
    (await acknowledgedAt(portal, integration.slug, revocationId)) === first.acknowledged_at,
    'The portal shows the wrong time of acknowledgement.',
  );
}
