import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { productionStatuses } from '../../../server/domain/integration/integrationFacts.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { approve, reviewer, submit } from '../../support/world/reviewPath.ts';

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());

test('the client in use is the sandbox’s until production has been called, and again once production has ended for good', async () => {
  const owner = await application.operator();
  const staff = await reviewer(application);
  for (const client of [owner, staff]) await client.confirmFreshly();
  const integration = await owner.createIntegration();
  const text = 'query ($slug: String!) { integration(slug: $slug) { clientInUse { environment } } }';
  const inUse = async (status?: string) => {
    if (status) await application.rows('update integration set status = $2 where slug = $1', [integration.slug, status]);
    const { data } = await owner.graphql<{ integration: { clientInUse: { environment: string } } }>(text, { slug: integration.slug });
    return data?.integration.clientInUse.environment;
  };
  expect(await inUse()).toBe('sandbox');
  await approve(application, staff, await submit(application, owner, integration));
  expect(await inUse('active')).toBe('sandbox');
  await application.rows(
    `insert into client_activity (client_number, last_request_at)
     select k.number, now() from client k join integration i on i.id = k.integration_id where i.slug = $1 and k.environment = 'production'`,
    [integration.slug],
  );
  const found = [];
  for (const status of [...productionStatuses, 'retired']) found.push([status, await inUse(status)]);
  expect(found).toEqual([
    ['approved', 'sandbox'],
    ['active', 'production'],
    ['suspended', 'production'],
    ['retired', 'sandbox'],
  ]);
});
