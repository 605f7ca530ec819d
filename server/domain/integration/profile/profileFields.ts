import type { IntegrationStatus } from '../integrationStatus.ts';
import type { ProfileInput } from './ProfileInput.ts';

/** What a change of a field means (docs/specification.md, “Integration profile”). */
type FieldFacts = {
  readonly label: string;
  /** A change is a new consent boundary: it never widens what users have granted. */
  readonly consentRelevant: boolean;
  /** May change after approval, without another review. */
  readonly minor: boolean;
};

const reviewed = { consentRelevant: false, minor: false } as const;
const consentRelevant = { consentRelevant: true, minor: false } as const;
const minor = { consentRelevant: false, minor: true } as const;

/** Every field of a profile version that its operator decides, in the order of the page. */
export const profileFields = {
  publicName: { label: 'Public name', ...consentRelevant },
  publicDescription: { label: 'Public description', ...minor },
  purpose: { label: 'Purpose', ...consentRelevant },
  legalOperatorName: { label: 'Legal operator name', ...reviewed },
  country: { label: 'Country', ...reviewed },
  supportEmail: { label: 'Support email', ...minor },
  websiteUrl: { label: 'Website', ...reviewed },
  privacyPolicyUrl: { label: 'Privacy policy', ...consentRelevant },
  termsOfServiceUrl: { label: 'Terms of service', ...reviewed },
  orderLinkingUrl: { label: 'Order-linking page', ...reviewed },
  donationUrl: { label: 'Support or donation page', ...minor },
  requestedScopes: { label: 'Scopes', ...consentRelevant },
  pollingCadenceMinutes: { label: 'Polling plan (minutes)', ...minor },
  webhookModel: { label: 'Webhook plan', ...minor },
  logoId: { label: 'Logo', ...reviewed },
} as const satisfies Readonly<Record<keyof ProfileInput | 'logoId', FieldFacts>>;

export type ProfileField = keyof typeof profileFields;

export const allProfileFields = Object.keys(profileFields) as readonly ProfileField[];
export const minorFields = allProfileFields.filter((field) => profileFields[field].minor);

const listed = new Intl.ListFormat('en', { type: 'conjunction' });
const nounOf = (field: ProfileField) => profileFields[field].label.replace(/ \(.*\)$/, '').toLowerCase();
/** What may change after approval, in words: “the public description, support email, … and webhook plan”. */
export const minorFieldWords = `the ${listed.format(minorFields.map(nounOf))}`;

/** Which fields may change in a status: none under review, the minor ones after approval, and none after retirement. */
export const revisableFields: Readonly<Record<IntegrationStatus, readonly ProfileField[]>> = {
  sandbox: allProfileFields,
  rejected: allProfileFields,
  submitted: [],
  approved: minorFields,
  active: minorFields,
  suspended: minorFields,
  retired: [],
};
