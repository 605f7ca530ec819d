import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codesOf, fieldsOf, type PortalClient } from '../support/clients/portalClient.ts';
import { administrator } from '../support/clients/toolingClient.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';

let application: PortalWorld;
let operator: PortalClient;
let staff: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  [operator, staff] = [await application.operator(), await administrator(application)];
  await operator.acceptTerms();
  for (const browser of [operator, staff]) await browser.confirmFreshly();
});
afterAll(() => application.close());

const unseen = ['\u3164', '\u2800\u2800', '\u115f\u1160', '\uffa0', `Z${'\u0300'.repeat(50)}`];

describe.each(unseen)('a name or text of %j is refused', (text) => {
  test('as the names of an integration', async () => {
    expect(
      Object.keys(fieldsOf(await operator.tryCreateIntegration({ publicName: text, legalOperatorName: text, purpose: text }))),
    ).toEqual(['input.publicName', 'input.purpose', 'input.legalOperatorName']);
  });

  test('as the name of a passkey or of a service token, and as a reason', async () => {
    const account = await operator.must<{ passkeys: { id: string }[] }>('account');
    expect(fieldsOf(await operator.call('renamePasskey', { input: { passkeyId: account.passkeys[0]?.id, name: text } }))).toHaveProperty([
      'input.name',
    ]);
    const token = { name: text, environment: 'sandbox', permissions: ['shares.read'], expiresInDays: 30 };
    expect(fieldsOf(await staff.call('createServiceToken', { input: token }))).toHaveProperty(['input.name']);
    expect(fieldsOf(await staff.call('closeProductionGate', { input: { reason: text } }))).toHaveProperty(['input.reason']);
  });
});

test.each([
  ['Café Orders', 'Cafe\u0301'],
  ['Cafe\u0301 Board', 'CAFÉ b'],
  ['Ölprinz', 'öl'],
  ['O\u0308lmühle', 'ölMÜ'],
])('an integration named %j is found by %j, by its owner and by administrators', async (publicName, text) => {
  const { slug } = await operator.createIntegration({ publicName });
  const { edges } = await operator.must<{ edges: { node: { slug: string } }[] }>('integrations', { search: text, first: 20 });
  expect(edges.map(({ node }) => node.slug)).toContain(slug);
  for (const reader of [operator, staff]) {
    const { found } = await reader.must<{ found: { integration: { slug: string } | null }[] }>('find', { text });
    expect(found.map(({ integration }) => integration?.slug)).toContain(slug);
  }
  expect(codesOf(await staff.call('allIntegrations', { search: text, first: 20 }))).toEqual([]);
});
