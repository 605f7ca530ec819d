import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf } from '../../support/clients/portalClient.ts';
import { webhookEndpoint } from '../../support/webhooks/endpointRows.ts';
import { SandboxClient, type ChangeData } from '../../support/clients/sandboxClient.ts';

const minute = 60_000;
let application: PortalWorld;
let sandbox: SandboxClient;
let stranger: SandboxClient;

beforeAll(async () => {
  application = await openWorld({ portal: true });
  sandbox = await SandboxClient.open(application, allScopes);
  stranger = await SandboxClient.open(application, ['orders.read']);
});
afterAll(() => application.close());

const redeem = (owner: SandboxClient, code: string) => owner.redeem(code);

const audited = (action: string, owner = sandbox) =>
  application.rows<{ subject_id: string; details: Record<string, unknown> }>(
    `select e.subject_id, e.details from audit_entry e join client c on c.integration_id = e.integration_id where e.action = $1 and c.id = $2 order by e.occurred_at desc`,
    [action, owner.clientId],
  );

describe('the simulator', () => {
  test('takes an order through its whole life, with what belongs to each step', async () => {
    const order = await sandbox.one('placed');
    const lives: string[] = [];
    for (;;) {
      const before = await sandbox.stored(order.id);
      const answer = await sandbox.call<ChangeData[]>('advanceSandboxResource', { resourceId: order.id });
      if (!answer.data) {
        expect(codesOf(answer)).toEqual(['CONFLICT']);
        expect(answer.errors[0]?.message).toContain('delivered, which is its final status');
        break;
      }
      const change = answer.data.find(({ resourceId }) => resourceId === order.id);
      const after = await sandbox.stored(order.id);
      expect(change).toMatchObject({ from: before.core['status'], to: after.core['status'], shown: true });
      expect(after.sequences.length).toBeGreaterThan(before.sequences.length);
      expect((await sandbox.resources({ id: order.id }))[0]).toMatchObject({ status: change?.to, revision: change?.revision });
      lives.push(change?.to ?? '');
    }
    expect(lives.filter((status) => status !== 'at_port')).toEqual([
      'confirmed',
      'scheduled',
      'in_production',
      'built',
      'in_transit',
      'at_delivery_centre',
      'delivered',
    ]);
    const today = application.clock.now().toISOString().slice(0, 10);
    const { core, shipping } = await sandbox.stored(order.id);
    expect(core).toMatchObject({
      production: { started_on: today, completed_on: today, scheduled_week: expect.stringMatching(/^\d{4}-W\d\d$/) },
      delivery_estimate: { from: today, to: today },
    });
    if (lives.includes('at_port')) {
      const kinds = ((shipping ?? {})['events'] as { kind: string; estimated: boolean }[]).map(
        ({ kind, estimated }) => `${kind}${estimated ? '?' : ''}`,
      );
      expect(kinds).toEqual(['loaded', 'departed', 'arrived', 'discharged']);
    }
    expect(await audited('sandbox_resource.advanced')).toHaveLength(lives.length);
  });

  test('raises the revision by one for each step, and emits one event for each share', async () => {
    const order = await sandbox.one('confirmed');
    const [client] = await application.rows<{ number: number }>('select number from client where id = $1', [sandbox.clientId]);
    await webhookEndpoint(application, client!.number);
    const [change] = await sandbox.must<ChangeData[]>('advanceSandboxResource', { resourceId: order.id });
    expect(change?.revision).toBe(order.revision + 1);
    const events = await application.rows(`select 1 from webhook_event where type = 'resource.updated' and resource_id = $1`, [order.id]);
    expect(events).toHaveLength(1);
  });

  test('cancels an order before production and no other, sells and withdraws stock vehicles', async () => {
    const placed = await sandbox.one('placed');
    expect(await sandbox.must('advanceSandboxResource', { resourceId: placed.id, ending: true })).toMatchObject([
      { from: 'placed', to: 'cancelled' },
    ]);
    expect((await sandbox.stored(placed.id)).core).not.toHaveProperty('delivery_estimate');
    const built = await sandbox.one('built');
    const refused = await sandbox.call('advanceSandboxResource', { resourceId: built.id, ending: true });
    expect(refused.errors[0]?.message).toContain('before production');
    const vehicle = await sandbox.one('available');
    for (const to of ['reserved', 'sold']) {
      expect((await sandbox.must<ChangeData[]>('advanceSandboxResource', { resourceId: vehicle.id })).map((change) => change.to)).toContain(
        to,
      );
    }
    expect(codesOf(await sandbox.call('advanceSandboxResource', { resourceId: vehicle.id }))).toEqual(['CONFLICT']);
    const other = await sandbox.one('available');
    expect((await sandbox.must<ChangeData[]>('advanceSandboxResource', { resourceId: other.id, ending: true }))[0]).toMatchObject({
      to: 'withdrawn',
    });
  });

  test('moves as many as asked for, at most fifty', async () => {
    const changes = await sandbox.must<ChangeData[]>('advanceSandboxResource', { count: 50, type: 'order' });
    expect(changes.length).toBeGreaterThanOrEqual(50);
    expect(new Set(changes.map(({ type }) => type))).toEqual(new Set(['order']));
    for (const count of [0, 51]) {
      expect(Object.keys(fieldsOf(await sandbox.call('advanceSandboxResource', { count })))).toEqual(['input.count']);
    }
  });

  test('a change that the consent hides moves nothing there and says so', async () => {
    const { code } = await sandbox.must<{ code: string }>('generateSandboxLinkCode', { orders: 500, scopes: ['orders.read'] });
    const redeemed = await sandbox.redeem(code);
    const [order] = await sandbox.resources({ connectionId: redeemed?.connectionId, status: 'at_port' });
    const changes = await sandbox.must<ChangeData[]>('addSandboxShippingEvent', {
      resourceId: order?.id,
      kind: 'transshipped',
      port: 'SGSIN',
    });
    const told = changes.filter(({ resourceId }) => resourceId === order?.id);
    expect(told).toMatchObject([{ from: 'at_port', to: 'at_port', shown: false, revision: order?.revision }]);
    expect(changes.filter(({ shown }) => shown)).toHaveLength(changes.length - 1);
  });

  test('without shipping.read no order gets a voyage, neither by its next step nor by an event', async () => {
    const order = await stranger.one('built');
    await stranger.must('advanceSandboxResource', { resourceId: order.id });
    expect((await stranger.resources({ id: order.id }))[0]?.status).toBe('in_transit');
    expect((await stranger.stored(order.id)).shipping).toBeNull();
    const refused = await stranger.call('addSandboxShippingEvent', { resourceId: order.id, kind: 'arrived', port: 'DEBRV' });
    expect(codesOf(refused)).toEqual(['CONFLICT']);
    expect(refused.text).toContain('shipping.read');
  });

  test('without orders.history.read no history is kept of what changes', async () => {
    const order = await stranger.one('placed');
    await stranger.must('advanceSandboxResource', { resourceId: order.id });
    expect((await stranger.stored(order.id)).sequences).toEqual([]);
  });

  test('adds a shipping event in the sequence of time, in the place of its estimate', async () => {
    const order = await sandbox.one('at_port');
    const { shipping } = await sandbox.stored(order.id);
    const before = shipping?.['events'] as { kind: string; at: string }[];
    const at = new Date(Date.parse(before.at(-1)!.at) - 1).toISOString();
    const changes = await sandbox.must<ChangeData[]>('addSandboxShippingEvent', {
      resourceId: order.id,
      kind: 'transshipped',
      port: 'EGPSD',
      at,
    });
    // The same order may be shared elsewhere without its voyage.
    expect(changes).toContainEqual(expect.objectContaining({ from: 'at_port', to: 'at_port', shown: true }));
    const after = (await sandbox.stored(order.id)).shipping?.['events'] as { kind: string; at: string }[];
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-2)).toEqual({ kind: 'transshipped', port: 'EGPSD', at, estimated: false });
    const inTransit = (await sandbox.resources({ status: 'in_transit' })).map(({ id }) => id);
    for (const id of inTransit) {
      const voyage = (await sandbox.stored(id)).shipping as {
        destination_port: string;
        events: { kind: string; estimated: boolean }[];
      } | null;
      if (!voyage?.events.some(({ kind, estimated }) => kind === 'arrived' && estimated)) continue;
      await sandbox.must('addSandboxShippingEvent', { resourceId: id, kind: 'arrived', port: voyage.destination_port });
      const { events } = (await sandbox.stored(id)).shipping as typeof voyage;
      expect(events.filter(({ kind }) => kind === 'arrived')).toMatchObject([{ estimated: false }]);
      return;
    }
    throw new Error('No order has an estimated arrival.');
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a port that is none', { port: 'Hamburg' }, 'input.port'],
    ['a time to come that is not estimated', { at: '2199-01-01T00:00:00.000Z' }, 'input.at'],
  ])('refuses a shipping event with %s', async (_, input, path) => {
    const order = await sandbox.one('at_port');
    const before = await sandbox.stored(order.id);
    const answer = await sandbox.call('addSandboxShippingEvent', { resourceId: order.id, kind: 'arrived', port: 'DEBRV', ...input });
    expect(Object.keys(fieldsOf(answer))).toEqual([path]);
    expect(await sandbox.stored(order.id)).toEqual(before);
  });

  test('offers a shipping event to exactly the orders that are under way by ship', async () => {
    const offered = new Set<string>();
    for (const { id, status, onVoyage } of await sandbox.resources({ type: 'order' })) {
      const { shipping } = await sandbox.stored(id);
      expect([id, onVoyage]).toEqual([id, ['in_transit', 'at_port'].includes(status ?? '') && shipping !== null]);
      if (status === 'in_transit') offered.add(String(onVoyage));
    }
    expect(offered).toEqual(new Set(['true', 'false']));
  });

  test('refuses a shipping event of what is not on a ship', async () => {
    for (const status of ['placed', 'delivered', 'reserved']) {
      const { id } = await sandbox.one(status);
      expect(codesOf(await sandbox.call('addSandboxShippingEvent', { resourceId: id, kind: 'arrived', port: 'DEBRV' }))).toEqual([
        'CONFLICT',
      ]);
    }
  });

  test('revokes a resource, and a connection with the rest, once', async () => {
    const { code } = await sandbox.must<{ code: string }>('generateSandboxLinkCode', { orders: 2 });
    const redeemed = await redeem(sandbox, code);
    const [first] = redeemed?.resources ?? [];
    const revocation = await sandbox.must<{ revocationId: string; deletionDeadlineAt: string }>('revokeSandboxShare', {
      resourceId: first?.id,
    });
    expect(Date.parse(revocation.deletionDeadlineAt) - application.clock.now().getTime()).toBeGreaterThan(6.99 * 24 * 60 * minute);
    expect((await sandbox.resources({ id: first?.id }))[0]).toMatchObject({ revoked: true, status: null });
    const again = await sandbox.call('revokeSandboxShare', { resourceId: first?.id });
    expect([codesOf(again), again.errors[0]?.message]).toEqual([['CONFLICT'], expect.stringContaining(revocation.revocationId)]);
    const advanced = await sandbox.call('advanceSandboxResource', { resourceId: first?.id });
    expect(advanced.errors[0]?.message).toContain('has been revoked');

    await sandbox.must('revokeSandboxShare', { connectionId: redeemed?.connectionId });
    const left = await sandbox.resources({ connectionId: redeemed?.connectionId });
    expect(left.map(({ revoked }) => revoked)).toEqual([true, true]);
    expect(codesOf(await sandbox.call('revokeSandboxShare', { connectionId: redeemed?.connectionId }))).toEqual(['CONFLICT']);
    expect(await audited('sandbox_share.revoked')).toHaveLength(2);
    for (const input of [{}, { resourceId: 'ord_x', connectionId: 'con_x' }]) {
      expect(Object.keys(fieldsOf(await sandbox.call('revokeSandboxShare', input)))).toEqual(['input.resourceId']);
    }
  });

  test('publishes statistics by the rule of twenty', async () => {
    const one = await sandbox.must<{ generationId: string; groupCount: number }>('publishSandboxStatistics');
    const order = await sandbox.one('at_delivery_centre');
    await sandbox.must('advanceSandboxResource', { resourceId: order.id });
    const other = await sandbox.must<{ generationId: string; alteredCount: number }>('publishSandboxStatistics');
    expect(other).toMatchObject({ groupCount: one.groupCount, alteredCount: 0 });
    expect(other.generationId).not.toBe(one.generationId);
    const refused = await stranger.call('publishSandboxStatistics');
    expect([codesOf(refused), refused.errors[0]?.message]).toEqual([['CONFLICT'], expect.stringContaining('statistics.orders.read')]);
  });
});
