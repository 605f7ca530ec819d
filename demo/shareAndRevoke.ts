import { AccessEnded, type OperatorClient } from '../kit/src/index.ts';
import type { DemoIntegration } from './integration.ts';
import type { PortalClient } from './PortalClient.ts';
import { expectRefusal, readOne, type Resource, type SyncedCopy } from './syncedCopy.ts';
import { acknowledgedAt, advanceSandboxResource, generateSandboxLinkCode, revokeSandboxShare } from './simulator.ts';
import type { SandboxChange, SandboxRevocation } from './simulator.ts';
import type { Steps } from './Steps.ts';
import { expectThat } from './Surprise.ts';

type Story = {
  readonly portal: PortalClient;
  readonly client: OperatorClient;
  readonly copy: SyncedCopy;
  readonly steps: Steps;
  readonly scopes: readonly string[];
  readonly integration: DemoIntegration;
};

/** Enough of each that one of them still has a next step. */
const sharedOfEach = 12;
const atTheirEnd = new Set(['delivered', 'cancelled', 'sold', 'withdrawn']);

/** A test user's share, from its link code to the acknowledged deletion. */
export async function shareAndRevoke(story: Story): Promise<void> {
  const { portal, client, copy, steps, scopes, integration } = story;
  const shared = await linkAndSync(story);
  // An order's stages tell more.
  const inTurn = shared.toSorted((a, b) => a.type.localeCompare(b.type));
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
  await steps.run(
    'See it in the sync',
    () => seeUpdate(copy, advanced),
    (revision) => `revision ${resource.revision} → ${revision}`,
  );
  if (scopes.includes(`${resource.type}s.history.read`)) {
    await steps.run(
      'Find it in the history',
      () => findInHistory(client, resource, advanced.change),
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
    () => expectEnded(client, resource, revoked),
    () => '410 access_ended',
  );
  await steps.run(
    'See the tombstone in the sync',
    () => seeTombstone(copy, resource, revoked),
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
async function linkAndSync({ portal, client, copy, steps, scopes, integration: { clientId } }: Story): Promise<readonly Resource[]> {
  const orders = scopes.includes('orders.read') ? sharedOfEach : 0;
  const vehicles = scopes.includes('vehicles.read') ? sharedOfEach : 0;
  const { code } = await steps.run(
    'Create a sandbox link code',
    () => generateSandboxLinkCode(portal, { clientId, orders, vehicles }),
    () => `for ${orders} orders and ${vehicles} vehicles; not printed here`,
  );
  const { connection_id: connectionId, resources } = await steps.run(
    'Redeem it',
    () => client.redeemLinkCode(code),
    (answer) => `${answer.connection_id}, ${answer.resources.length} resources`,
  );
  await steps.run(
    'Redeem it again',
    () => expectRefusal(client.redeemLinkCode(code), { status: 404, code: 'link_code_not_redeemable' }),
    () => '404 link_code_not_redeemable',
  );
  expectThat(resources.length === orders + vehicles, 'The redemption does not name as many resources as the code was created for.');
  return steps.run(
    'Sync what is new',
    async () => {
      const { brought } = await copy.sync();
      const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).sort();
      expectThat(
        ids(brought).join() === ids(resources).join() && brought.every((each) => each.connection_id === connectionId),
        'The sync did not bring the resources that the redemption named.',
      );
      return brought;
    },
    (brought) => `${brought.length} new resources, all from this connection`,
  );
}

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

async function seeUpdate(copy: SyncedCopy, { change, changes }: Advanced): Promise<number> {
  const { brought } = await copy.sync();
  const expected = changes.filter(({ shown }) => shown).map(({ resourceId }) => resourceId);
  expectThat(
    brought
      .map(({ id }) => id)
      .sort()
      .join() === expected.sort().join(),
    'The sync did not bring exactly the resources that changed.',
  );
  const found = brought.find(({ id }) => id === change.resourceId);
  expectThat(
    found?.status === change.to && found.revision === change.revision,
    'The sync brought the resource with the wrong status or revision.',
  );
  return found.revision;
}

async function findInHistory(client: OperatorClient, { id }: Resource, { from, to }: SandboxChange): Promise<number> {
  const items = [];
  for await (const item of client.history(id)) items.push(item);
  const last = items.flatMap(({ changes }) => changes).findLast(({ path }) => path === 'status');
  expectThat(last?.from === from && last.to === to, 'The last change of status in the history is not the expected one.');
  return items.length;
}

async function expectEnded(client: OperatorClient, resource: Resource, revoked: SandboxRevocation): Promise<void> {
  const ended = await expectRefusal(readOne(client, resource), { status: 410, code: 'access_ended' });
  expectThat(
    ended instanceof AccessEnded && ended.revocationId === revoked.revocationId && ended.deletionDeadlineAt === revoked.deletionDeadlineAt,
    'The 410 names the wrong revocation or deadline.',
  );
}

async function seeTombstone(copy: SyncedCopy, { id }: Resource, { revocationId }: SandboxRevocation): Promise<void> {
  const { brought, gone } = await copy.sync();
  const due = await copy.feed.dueDeletions();
  expectThat(
    brought.length === 0 && gone.join() === id && due.some((each) => each.revocationId === revocationId && each.ids.join() === id),
    'The sync did not bring exactly the tombstone of the revoked resource.',
  );
}

async function acknowledgeTwice({ portal, client, copy, integration }: Story, { revocationId }: SandboxRevocation): Promise<void> {
  expectThat(
    (await acknowledgedAt(portal, integration.slug, revocationId)) === null,
    'The portal already shows the deletion as acknowledged.',
  );
  await copy.feed.markDeleted({ revocationId });
  const [first] = await client.acknowledgeDeletions(copy.feed);
  const second = await client.acknowledge(revocationId, `deleted-${revocationId}`);
  expectThat(
    first?.revocationId === revocationId && first.acknowledgedAt === second.acknowledged_at,
    'The second, identical acknowledgement got a different response.',
  );
  expectThat(
    (await acknowledgedAt(portal, integration.slug, revocationId)) === first.acknowledgedAt,
    'The portal shows the wrong time of acknowledgement.',
  );
}
