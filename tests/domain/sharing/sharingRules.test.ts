import { describe, expect, test } from '@jest/globals';
import { DomainError } from '../../../server/domain/shared/DomainError.ts';
import { integrationStatuses } from '../../../server/domain/integration/integrationStatus.ts';
import type { SharingClient } from '../../../server/domain/sharing/sharingClient.ts';
import {
  consentErrors,
  inSequence,
  keyErrors,
  participationErrors,
  refuseUnlessSharable,
  scopeNameErrors,
  unreadableErrors,
  userErrors,
} from '../../../server/domain/sharing/sharingRules.ts';

const client: SharingClient = {
  number: 1,
  id: 'cli_1',
  environment: 'sandbox',
  integrationId: 'int_1',
  operatorId: 'opr_1',
  integrationStatus: 'sandbox',
  profileVersion: 1,
  scopes: ['orders.read', 'vehicles.read', 'shipping.read'],
  grantableScopes: ['orders.read', 'shipping.read'],
  productionDataEnabled: false,
};
const keys = (count: number) => Array.from({ length: count }, (_, index) => `k-${index}`);

describe('what a user shares', () => {
  test('may be up to 500 orders and vehicles together', () => {
    expect(keyErrors({ orders: keys(300), vehicles: keys(200) })).toEqual([]);
    expect(keyErrors({ orders: keys(300), vehicles: keys(201) })).toEqual([
      { path: 'input.orders', message: expect.stringContaining('at most 500 orders and vehicles together') },
    ]);
  });

  test('is named by keys of 1 to 200 visible characters, as is the user', () => {
    const [longest, tooLong] = ['x'.repeat(200), 'x'.repeat(201)];
    const message = expect.stringContaining('1 to 200 visible characters');
    expect(keyErrors({ orders: [longest, '', 'x'], vehicles: ['x', 'a b', tooLong] })).toEqual([
      { path: 'input.orders[1]', message },
      { path: 'input.vehicles[1]', message },
      { path: 'input.vehicles[2]', message },
    ]);
    expect(userErrors(longest)).toEqual([]);
    for (const user of ['', 'a b', 'ü', tooLong]) {
      expect(userErrors(user)).toEqual([{ path: 'input.user', message: expect.stringContaining('1 to 200 visible characters') }]);
    }
  });

  test('can be read under a scope of the consent, each kind under its own', () => {
    const both = { orders: ['o'], vehicles: ['v'] };
    const orders = { path: 'input.orders', message: 'Orders need the scope orders.read in the consent.' };
    const vehicles = { path: 'input.vehicles', message: 'Vehicles need the scope vehicles.read in the consent.' };
    expect(unreadableErrors(both, ['orders.read', 'vehicles.read'])).toEqual([]);
    expect(unreadableErrors(both, ['orders.read'])).toEqual([vehicles]);
    expect(unreadableErrors(both, ['vehicles.read'])).toEqual([orders]);
    expect(unreadableErrors({ orders: [], vehicles: ['v'] }, ['shipping.read'])).toEqual([vehicles]);
  });
});

describe('what a user consents to', () => {
  test('are scopes that there are, and that this integration may have', () => {
    expect(scopeNameErrors(['orders.read', 'orders.write', 'shipping.read'])).toEqual([
      { path: 'input.scopes[1]', message: expect.stringMatching(/^The scopes are: orders\.read, .+, revocations\.ack\.$/) },
    ]);
    expect(consentErrors(['orders.read', 'vehicles.read', 'shipping.read'], client)).toEqual([
      { path: 'input.scopes[1]', message: 'This integration does not have the scope vehicles.read.' },
    ]);
    expect(inSequence(['shipping.read', 'orders.write', 'orders.read', 'shipping.read'])).toEqual(['orders.read', 'shipping.read']);
  });

  test('is to take part in statistics only where the integration reads them; not to take part is always possible', () => {
    const reading: SharingClient = { ...client, grantableScopes: ['statistics.orders.read'] };
    expect([...participationErrors('input.optedIn', true, reading), ...participationErrors('input.optedIn', false, client)]).toEqual([]);
    expect(participationErrors('input.optedIn', true, client)).toEqual([
      { path: 'input.optedIn', message: 'This integration does not have the scope statistics.orders.read.' },
    ]);
  });
});

describe('a user can share', () => {
  const verdict = (changes: Partial<SharingClient>) => {
    try {
      refuseUnlessSharable({ ...client, ...changes });
      return 'yes';
    } catch (error) {
      return error instanceof DomainError ? error.code : error;
    }
  };
  const production = { environment: 'production', profileVersion: 1 } as const;

  test.each(integrationStatuses)(
    'while the integration is %s: in the sandbox unless it is retired, in production only if it is active',
    (status) => {
      for (const open of [true, false]) {
        const state = { integrationStatus: status, productionDataEnabled: open };
        expect(verdict(state)).toBe(status === 'retired' ? 'conflict' : 'yes');
        const whileActive = open ? 'yes' : 'production_data_disabled';
        expect(verdict({ ...production, ...state })).toBe(status === 'active' ? whileActive : 'conflict');
      }
    },
  );

  test('only under a version of the profile that there is to consent to', () => {
    expect(verdict({ ...production, profileVersion: null, integrationStatus: 'active', productionDataEnabled: true })).toBe('conflict');
    expect(verdict({ profileVersion: null })).toBe('conflict');
  });
});
