import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { IntegrationStatus } from '../../../server/domain/integration/integrationStatus.ts';
import type { Environment } from '../../../server/domain/shared/environment.ts';
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
  const expected: Readonly<Record<IntegrationStatus, Environment>> = {
    sandbox: 'sandbox',
    submitted: 'sandbox',
    rejected: 'sandbox',
    approved: 'sandbox',
    active: 'production',
    suspended: 'production',
    retired: 'sandbox',
  };
  for (const [status, environment] of Object.entries(expected)) expect([status, await inUse(status)]).toEqual([status, environment]);
});
