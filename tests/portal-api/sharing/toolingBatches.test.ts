import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tablesHolding } from '../../support/database/everyTable.ts';
import { codesOf, fieldsOf } from '../../support/clients/portalClient.ts';
import { documents } from '../../support/clients/portalDocuments.ts';
import { toolingClient, type ToolingClient } from '../../support/clients/toolingClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { sampleOrder, sampleShipping, sampleVehicle } from '../../support/world/samples.ts';

let world: PortalWorld;
let program: ToolingClient;
beforeAll(async () => {
  world = await openWorld({ portal: true });
  program = await toolingClient(world, { permissions: ['resources.write'] });
});
afterAll(() => world.close());

const order = (key: string, overrides: Record<string, unknown> = {}) => ({
  type: 'order',
  key,
  user: 'batch-user',
  version: '1',
  historyComplete: true,
  data: sampleOrder,
  ...overrides,
});
const vehicle = (key: string, data: unknown = sampleVehicle) => ({ type: 'vehicle', key, version: '1', historyComplete: true, data });
const upsert = (resources: unknown[]) => program.call('upsertTrackedResources', { input: { resources } });
const stored = async () => (await world.rows<{ count: number }>('select count(*)::int as count from tracked_resource'))[0]?.count;

describe('a batch', () => {
  test('of 1,000 snapshots of 16,000 bytes is taken in, and ignored when it is sent again', async () => {
    const resources = Array.from({ length: 1_000 }, (_, index) =>
      order(`batch-${index}`, { data: { ...sampleOrder, shipping: sampleShipping } }),
    );
    const [before = '', after = ''] = JSON.stringify({
      query: documents.upsertTrackedResources,
      variables: { input: { resources: ['#'] } },
    }).split('"#"');
    // White space between the fields brings each resource to its full size.
    const texts = resources.map((resource) =>
      JSON.stringify(resource).replace('{', `{${' '.repeat(16_000 - JSON.stringify(resource.data).length)}`),
    );
    const send = async () => {
      const body = `${before}${texts.join(',')}${after}`;
      expect(body.length).toBeGreaterThan(16_000_000);
      const response = await program.fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return ((await response.json()) as { data: { upsertTrackedResources: unknown } }).data.upsertTrackedResources;
    };
    expect(await send()).toEqual({ created: 1_000, updated: 0, unchanged: 0, ignored: 0 });
    expect(await send()).toEqual({ created: 0, updated: 0, unchanged: 0, ignored: 1_000 });
    expect(await stored()).toBe(1_000);
  });

  test('of none or more than 1,000 is refused', async () => {
    for (const count of [0, 1_001]) {
      const answer = await upsert(Array.from({ length: count }, (_, index) => order(`many-${index}`)));
      expect(fieldsOf(answer)).toEqual({ 'input.resources': expect.stringContaining('1 to 1000') });
    }
  });

  test('cannot be repeated a hundred times in one document', async () => {
    const many = (count: number) => {
      const fields = Array.from({ length: count }, (_, index) => `a${index}: upsertTrackedResources(input: $input) { ignored }`);
      return program.graphql(`mutation ($input: UpsertTrackedResourcesInput!) { ${fields.join(' ')} }`, {
        input: { resources: [order('batch-0')] },
      });
    };
    expect(codesOf(await many(3))).toEqual([]);
    const refused = await many(100);
    expect(codesOf(refused)).toEqual(['BAD_USER_INPUT']);
    expect(refused.errors[0]?.message).toMatch(/^The operation costs \d+; at most 3000 is allowed/);
  });
});

describe('what must not be known is refused by name, and nothing of the batch is stored', () => {
  const secret = 'WVWZZZ1JZXW000001';
  const cases: [string, unknown, string][] = [
    ['a VIN', { ...sampleOrder, vin: secret }, 'vin'],
    ['an order number', { ...sampleOrder, order_number: secret }, 'order_number'],
    ['an address', { ...sampleOrder, delivery_address: { street: secret } }, 'delivery_address'],
    ['a name', { ...sampleOrder, customer: secret }, 'customer'],
    ['an email address', { ...sampleOrder, email: `${secret}@example.com` }, 'email'],
    ['something nested', { ...sampleOrder, production: { started_on: '2026-05-02', vin: secret } }, 'production.vin'],
    [
      'something in a list',
      { ...sampleOrder, shipping: { ...sampleShipping, events: [{ ...sampleShipping.events[0], gps: secret }] } },
      'shipping.events[0].gps',
    ],
    ['a VIN in a field for something else', { ...sampleOrder, trim: secret }, 'trim'],
    ['a field name in another case', { ...sampleOrder, Model: secret }, 'Model'],
    ['__proto__ is no way in', JSON.parse(`{"status":"placed","model":"Kestrel","market":"DE","constructor":"${secret}"}`), 'constructor'],
  ];
  test.each(cases)('%s', async (_what, data, path) => {
    const before = await stored();
    const answer = await upsert([order('clean-before'), order('dirty', { data }), order('clean-after')]);
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(Object.keys(fieldsOf(answer))).toEqual([`input.resources[1].data.${path}`]);
    expect(answer.text).not.toContain(secret);
    expect(await stored()).toBe(before);
    expect(await tablesHolding(world, secret)).toEqual([]);
    expect(world.log()).not.toContain(secret);
  });

  test('in a vehicle, beside what is right', async () => {
    const answer = await upsert([vehicle('dirty-vehicle', { ...sampleVehicle, dealer_phone: secret, ordered_on: '2026-05-01' })]);
    expect(Object.keys(fieldsOf(answer)).sort()).toEqual(['input.resources[0].data.dealer_phone', 'input.resources[0].data.ordered_on']);
  });

  test('__proto__ in the body is refused before anything looks at it', async () => {
    const body = `{"query":${JSON.stringify(documents.upsertTrackedResources)},"variables":{"input":{"resources":[{"type":"order","key":"p","version":"1","user":"u","historyComplete":true,"data":{"__proto__":{"vin":"${secret}"},"status":"placed","model":"Kestrel","market":"DE"}}]}}}`;
    const response = await program.fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { fields: [{ path: 'input.resources[0].data.__proto__', message: 'is not an accepted field' }] } }],
    });
    expect(await tablesHolding(world, secret)).toEqual([]);
  });
});

describe('each member of a batch is judged where it stands', () => {
  test.each([
    ['no key', { key: '' }, 'key'],
    ['a version that is no number', { version: '1.5' }, 'version'],
    ['a version beyond 64 bits', { version: '9223372036854775808' }, 'version'],
    ['an order without user', { user: null }, 'user'],
    ['a time in the future', { occurredAt: '2126-01-01T00:00:00.000Z' }, 'occurredAt'],
  ])('%s', async (_what, wrong, path) => {
    expect(Object.keys(fieldsOf(await upsert([order('fine'), order('wrong', wrong)])))).toEqual([`input.resources[1].${path}`]);
  });

  test('the same resource twice', async () => {
    expect(Object.keys(fieldsOf(await upsert([order('twice'), order('twice')])))).toEqual(['input.resources[1].key']);
  });

  test('a withdrawal without key', async () => {
    const answer = await program.call('withdrawTrackedResources', {
      input: {
        resources: [
          { type: 'order', key: 'x' },
          { type: 'order', key: '' },
        ],
      },
    });
    expect(Object.keys(fieldsOf(answer))).toEqual(['input.resources[1].key']);
  });

  test('a variable of the wrong type is named by its place, never quoted', async () => {
    const answer = await upsert([order('typed', { historyComplete: 'secret-text' })]);
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(answer.errors[0]?.message).toContain('input.resources[0].historyComplete');
    expect(answer.text).not.toContain('secret-text');
  });
});
