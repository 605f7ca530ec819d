import { describe, expect, test } from '@jest/globals';
import { productionStatuses } from '../../../../server/domain/integration/integrationFacts.ts';
import { profileDiff, type ProfileContent } from '../../../../server/domain/integration/profile/profileDiff.ts';
import { allProfileFields, profileFields, revisableFields } from '../../../../server/domain/integration/profile/profileFields.ts';

const profile: ProfileContent = {
  publicName: 'Order Board',
  publicDescription: 'Shows when your order is built.',
  purpose: 'Shows the owner of an order its own progress.',
  legalOperatorName: 'Order Board Ltd',
  country: 'DE',
  supportEmail: 'help@example.com',
  websiteUrl: 'https://example.com',
  privacyPolicyUrl: 'https://example.com/privacy',
  termsOfServiceUrl: 'https://example.com/terms',
  orderLinkingUrl: 'https://example.com/link',
  donationUrl: null,
  requestedScopes: ['orders.read', 'shipping.read'],
  pollingCadenceMinutes: 15,
  webhookModel: 'none',
  logoId: null,
};

test('equal profiles do not differ', () => {
  expect(profileDiff(profile, { ...profile, requestedScopes: ['orders.read', 'shipping.read'] })).toEqual([]);
});

test('a difference names the field with its words, what it was and what it is, and what that means', () => {
  const changes = profileDiff(profile, { ...profile, purpose: 'Counts orders.', supportEmail: 'hello@example.com' });
  expect(changes).toEqual([
    {
      field: 'purpose',
      label: 'Purpose',
      before: ['Shows the owner of an order its own progress.'],
      after: ['Counts orders.'],
      consentRelevant: true,
      minor: false,
    },
    {
      field: 'supportEmail',
      label: 'Support email',
      before: ['help@example.com'],
      after: ['hello@example.com'],
      consentRelevant: false,
      minor: true,
    },
  ]);
});

test('scopes are listed one by one, and what has no value has none', () => {
  const changes = profileDiff(profile, { ...profile, requestedScopes: ['orders.read'], donationUrl: 'https://example.com/tip' });
  expect(changes).toMatchObject([
    { field: 'donationUrl', before: [], after: ['https://example.com/tip'] },
    { field: 'requestedScopes', before: ['orders.read', 'shipping.read'], after: ['orders.read'] },
  ]);
});

describe('the fields', () => {
  test('that are consent-relevant are those that users consent to', () => {
    expect(allProfileFields.filter((field) => profileFields[field].consentRelevant)).toEqual([
      'publicName',
      'purpose',
      'privacyPolicyUrl',
      'requestedScopes',
    ]);
  });

  test('that may change after approval are description, support, donations and the two plans', () => {
    const minor = ['publicDescription', 'supportEmail', 'donationUrl', 'pollingCadenceMinutes', 'webhookModel'];
    for (const status of productionStatuses) expect(revisableFields[status]).toEqual(minor);
  });

  test('may all change before a review and after a rejection, none under review or after retirement', () => {
    expect([revisableFields.sandbox, revisableFields.rejected]).toEqual([allProfileFields, allProfileFields]);
    expect([revisableFields.submitted, revisableFields.retired]).toEqual([[], []]);
  });

  test('no consent-relevant field is minor', () => {
    for (const field of allProfileFields) expect(profileFields[field].consentRelevant && profileFields[field].minor).toBe(false);
  });
});
