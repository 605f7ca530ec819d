import { expect, test } from '@jest/globals';
import { searchHitKinds } from '../../../server/domain/search/searchHit.ts';
import { hitPath } from '../../../portal-web/src/features/search/searchHits.ts';
import { administrationTabs } from '../../../portal-web/src/features/administration/administrationTabs.ts';
import { destinationsFrom } from '../../../portal-web/src/features/search/destinations.ts';
import { pagePatterns } from '../../../portal-web/src/paths.ts';

const isPage = (address: string): boolean => {
  const path = new URL(address, 'https://portal.example').pathname;
  return pagePatterns.some((pattern) => new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path));
};

const found = {
  name: null,
  state: null,
  integration: { slug: 'nordlys', publicName: 'Nordlys' },
  endpointId: 'whk_1',
  submissionId: 'sub_1',
};

test('whatever is found leads its owner, administrators and reviewers to a page that exists', () => {
  for (const kind of searchHitKinds)
    for (const environment of ['sandbox', 'production', null] as const) {
      for (const view of ['owner', 'administrator'] as const) {
        const path = hitPath({ ...found, kind, id: 'x_1', environment, view });
        expect([kind, path, isPage(path)]).toEqual([kind, path, true]);
      }
    }
  for (const kind of ['integration', 'submission', 'report'] as const)
    expect(isPage(hitPath({ ...found, kind, id: 'x_1', environment: null, view: 'reviewer' }))).toBe(true);
});

test('an ID opens the row or panel that shows it, in its environment', () => {
  const of = (kind: 'request' | 'certificate' | 'order' | 'delivery', environment: 'sandbox' | 'production') =>
    hitPath({ ...found, kind, id: 'x_1', environment, view: 'owner' });
  expect(of('request', 'production')).toBe('/integrations/nordlys/requests?environment=production&request=x_1');
  expect(of('certificate', 'sandbox')).toBe('/integrations/nordlys/certificates?environment=sandbox&certificate=x_1');
  expect(of('order', 'sandbox')).toBe('/integrations/nordlys/sandbox?environment=sandbox&resource=x_1');
  expect(of('order', 'production')).toBe('/integrations/nordlys?environment=production');
  expect(of('delivery', 'sandbox')).toBe('/integrations/nordlys/webhooks/whk_1/deliveries/x_1?environment=sandbox');
});

test('the palette offers an administrator every tab of the administration, the service’s own among them', () => {
  const offered = destinationsFrom('/integrations', ['administrator']).map(({ to }) => to);
  expect(offered.filter((to) => to.startsWith('/admin'))).toEqual(administrationTabs.map(({ path }) => path));
  expect(offered).toContain('/admin');
  expect(destinationsFrom('/integrations', ['reviewer']).filter(({ to }) => to.startsWith('/admin'))).toEqual([]);
});

test('every page that the palette offers exists, and up leads to the page above', () => {
  for (const { to } of destinationsFrom('/integrations/nordlys/requests', ['reviewer', 'administrator']))
    expect([to, isPage(to)]).toEqual([to, true]);
  const up = (from: string) => destinationsFrom(from, []).find(({ label }) => label === 'Go up')?.to;
  expect(up('/integrations/nordlys/webhooks/whk_1/deliveries/dlv_1')).toBe('/integrations/nordlys/webhooks/whk_1');
  expect(up('/integrations')).toBeUndefined();
});
