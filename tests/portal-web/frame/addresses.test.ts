import { describe, expect, test } from '@jest/globals';
import { environmentsOf } from '../../../portal-web/src/features/integration/environmentsOf.ts';
import { integrationPaths, pageOf, pages } from '../../../portal-web/src/paths.ts';

describe('what counts as another page', () => {
  test('the tabs of an integration are one page for every reader', () => {
    expect(pageOf('/integrations/nordlys/requests')).toBe(pageOf('/integrations/nordlys'));
    expect(pageOf('/integrations/nordlys/webhooks/whe_1/deliveries/dlv_1')).toBe('/integrations/nordlys');
    expect(pageOf('/admin/integrations/nordlys/requests')).toBe('/admin/integrations/nordlys');
  });

  test('other addresses are pages of their own, also those that only look like a tab', () => {
    expect(pageOf('/integrations')).toBe('/integrations');
    expect(pageOf('/integrations/new')).toBe('/integrations/new');
    expect(pageOf('/integrations/new-maps/profile')).toBe('/integrations/new-maps');
    expect(pageOf('/admin/operators/opr_1')).toBe('/admin/operators/opr_1');
  });
});

describe('the environment that an integration’s tabs show at first', () => {
  const both = [{ environment: 'sandbox' }, { environment: 'production' }] as const;
  const at = '2026-11-21T08:00:00Z';
  const created = { step: 'created', at, by: 'owner', reason: null } as const;
  const activated = { step: 'activated', at, by: 'owner', reason: null } as const;

  test.each([
    ['sandbox', [created], both.slice(0, 1), { usual: 'sandbox', several: false }],
    ['approved', [created], both, { usual: 'sandbox', several: true }],
    ['active', [created, activated], both, { usual: 'production', several: true }],
    ['suspended', [created, activated], both, { usual: 'production', several: true }],
    ['suspended', [created], both, { usual: 'sandbox', several: true }],
    ['suspended', [created, { ...activated, step: 'reactivated' }], both, { usual: 'production', several: true }],
    ['retired', [created, activated], both, { usual: 'production', several: true }],
    ['retired', [created], both.slice(0, 1), { usual: 'sandbox', several: false }],
  ] as const)('%s, after %j', (status, latestSteps, clients, expected) => {
    expect(environmentsOf({ status, latestSteps: [...latestSteps], clients: [...clients] })).toEqual(expected);
  });
});

describe('addresses of an integration’s tabs', () => {
  test('keep the environment, unless they are about another one', () => {
    const to = integrationPaths('nordlys', { kept: { environment: 'production' } });
    expect(to.requests({ status: '429' })).toBe('/integrations/nordlys/requests?environment=production&status=429');
    expect(to.certificates({ environment: 'sandbox' })).toBe('/integrations/nordlys/certificates?environment=sandbox');
    expect(to.kit()).toBe('/integrations/nordlys/profile?environment=production#kit');
    expect(integrationPaths('nordlys').requests({ status: '' })).toBe('/integrations/nordlys/requests');
  });

  test('stay with the administrator who looks as the owner', () => {
    const to = integrationPaths('nordlys', { at: pages.adminIntegration });
    expect(to.request('req_1')).toBe('/admin/integrations/nordlys/requests?request=req_1');
  });
});
