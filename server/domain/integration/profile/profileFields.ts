import type { IntegrationStatus } from '../integrationStatus.ts';
import type { ProfileInput } from './ProfileInput.ts';

/** What a change of a field means (docs/specification.md, “Integration profile”). */
type FieldFacts = {
  /** A noun, since sentences list it in lower case. */
  readonly label: string;
  /** A change is a new consent boundary: it never widens what users have granted. */
  readonly consentRelevant: boolean;
  /** May change after approval, without another review. */
  readonly minor: boolean;
  /** What is typed into it, of at most so many characters; null where it is chosen. */
  readonly typed: { readonly as: 'line' | 'paragraphs' | 'email' | 'url'; readonly longest: number } | null;
};

const reviewed = { consentRelevant: false, minor: false } as const;
const consentRelevant = { consentRelevant: true, minor: false } as const;
const minor = { consentRelevant: false, minor: true } as const;

/** Characters of an address. */
export const longestUrl = 2_048;

const chosen = { typed: null } as const;
const email = { typed: { as: 'email', longest: 254 } } as const;
const url = { typed: { as: 'url', longest: longestUrl } } as const;

/** Every field of a profile version that its operator decides, in the order of the page. */
export const profileFields = {
  publicName: { label: 'Public name', ...consentRelevant, typed: { as: 'line', longest: 60 } },
  publicDescription: { label: 'Public description', ...minor, typed: { as: 'paragraphs', longest: 500 } },
  purpose: { label: 'Purpose', ...consentRelevant, typed: { as: 'paragraphs', longest: 1_000 } },
  legalOperatorName: { label: 'Legal operator name', ...reviewed, typed: { as: 'line', longest: 120 } },
  country: { label: 'Country', ...reviewed, ...chosen },
  supportEmail: { label: 'Support email', ...minor, ...email },
  websiteUrl: { label: 'Website', ...reviewed, ...url },
  privacyPolicyUrl: { label: 'Privacy policy', ...consentRelevant, ...url },
  termsOfServiceUrl: { label: 'Terms of service', ...reviewed, ...url },
  orderLinkingUrl: { label: 'Order-linking page', ...reviewed, ...url },
  donationUrl: { label: 'Support or donation page', ...minor, ...url },
  requestedScopes: { label: 'Scopes', ...consentRelevant, ...chosen },
  pollingCadenceMinutes: { label: 'Polling plan (minutes)', ...minor, ...chosen },
  webhookModel: { label: 'Webhook plan', ...minor, ...chosen },
  logoId: { label: 'Logo', ...reviewed, ...chosen },
} as const satisfies Readonly<Record<keyof ProfileInput | 'logoId', FieldFacts>>;

export type ProfileField = keyof typeof profileFields;
/** Those that nothing is typed into: each has a control of its own, and words for what is chosen. */
export type ChosenField = {
  [Field in ProfileField]: (typeof profileFields)[Field]['typed'] extends null ? Field : never;
}[ProfileField];

export const allProfileFields = Object.keys(profileFields) as readonly ProfileField[];
export const minorFields = allProfileFields.filter((field) => profileFields[field].minor);

/** What is typed into a field by this name; null where it is chosen. */
export function typedInto(name: string): FieldFacts['typed'] {
  const fields: Readonly<Record<string, FieldFacts>> = profileFields;
  return fields[name]?.typed ?? null;
}

const listed = new Intl.ListFormat('en', { type: 'conjunction' });
const nounOf = (field: ProfileField) => profileFields[field].label.replace(/ \(.*\)$/, '').toLowerCase();
/** What may change after approval, in words: “the public description, support email, … and webhook plan”. */
export const minorFieldWords = `the ${listed.format(minorFields.map(nounOf))}`;

/** Which fields may change in a status: none under review, the minor ones after approval, and none after retirement. */
export const revisableFields: Readonly<Record<IntegrationStatus | 'unknown', readonly ProfileField[]>> = {
  sandbox: allProfileFields,
  rejected: allProfileFields,
  submitted: [],
  approved: minorFields,
  active: minorFields,
  suspended: minorFields,
  retired: [],
  unknown: [],
};
