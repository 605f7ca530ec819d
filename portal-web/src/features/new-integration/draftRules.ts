import { typedInto } from '../../../../server/domain/integration/profile/profileFields.ts';
import { tooLong } from '../../ui/forms/tooLong.ts';
import { emptyDraft, type DraftValues, type FieldName } from './draft.ts';

/** What is wrong with each field. Valid fields are absent. */
export type DraftErrors = Partial<Record<FieldName, string>>;

type Rule = (values: DraftValues) => string | null;

/**
 * The service's rules for a profile, told before anything is sent (docs/specification.md, “Integration profile”). The service checks all of
 * it again, and knows more: whether a slug is taken, whether an address is public.
 */
const rules: Readonly<Record<FieldName, Rule>> = {
  nonCommercial: ({ nonCommercial }) => (nonCommercial ? null : 'Confirm the non-commercial licence to continue.'),
  attribution: ({ attribution }) => (attribution ? null : 'Confirm the attribution rules to continue.'),
  publicName: ({ publicName }) => text(publicName, 'Enter the name that users will see.'),
  slug: ({ slug }) => slugComplaint(slug.trim()),
  publicDescription: ({ publicDescription }) => text(publicDescription, 'Describe the integration to its users.'),
  purpose: ({ purpose }) => text(purpose, 'Say what you use the shared data for.'),
  legalOperatorName: ({ legalOperatorName }) => text(legalOperatorName, 'Enter the legal name of the operator.'),
  country: ({ country }) => (/^[A-Z]{2}$/.test(country) ? null : 'Choose a country.'),
  supportEmail: ({ supportEmail }) =>
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(supportEmail.trim()) ? null : 'Enter an email address like support@example.org.',
  websiteUrl: ({ websiteUrl }) => urlComplaint(websiteUrl),
  privacyPolicyUrl: ({ privacyPolicyUrl }) => urlComplaint(privacyPolicyUrl),
  termsOfServiceUrl: ({ termsOfServiceUrl }) => urlComplaint(termsOfServiceUrl),
  orderLinkingUrl: ({ orderLinkingUrl }) => urlComplaint(orderLinkingUrl),
  donationUrl: ({ donationUrl }) => (donationUrl.trim() ? urlComplaint(donationUrl) : null),
  requestedScopes: ({ requestedScopes }) => (requestedScopes.length > 0 ? null : 'Choose at least one scope.'),
  pollingCadenceMinutes: ({ pollingCadenceMinutes: minutes }) =>
    Number.isInteger(minutes) && Number(minutes) >= 15 && Number(minutes) <= 1440
      ? null
      : 'Enter a whole number of minutes from 15 to 1440 (one day).',
  webhookModel: () => null,
};

/** Whether a field may not stay empty. */
export function isRequired(field: string): boolean {
  return Object.entries(rules).some(([name, rule]) => name === field && rule(emptyDraft) !== null);
}

/** Checks all fields. */
export function draftErrors(values: DraftValues): DraftErrors {
  const names = Object.keys(rules) as FieldName[];
  const checked = names.map((field) => [field, lengthComplaint(field, values[field]) ?? rules[field](values)] as const);
  return Object.fromEntries(checked.filter(([, complaint]) => complaint !== null));
}

/** What is typed has at most as many characters as its field takes. */
function lengthComplaint(field: FieldName, value: DraftValues[FieldName]): string | null {
  const typed = typedInto(field);
  if (typed === null || typeof value !== 'string') return null;
  const { length } = [...value.trim()];
  return length > typed.longest ? tooLong(length, typed.longest) : null;
}

function text(value: string, whenEmpty: string): string | null {
  return value.trim() ? null : whenEmpty;
}

function slugComplaint(slug: string): string | null {
  if (slug.length < 3 || slug.length > 40) return 'Use 3 to 40 characters.';
  if (!/^[a-z0-9-]+$/.test(slug)) return 'Use only lowercase letters a to z, digits and hyphens.';
  if (!/^[a-z](-?[a-z0-9])*$/.test(slug)) return 'Start with a letter, do not end with a hyphen, and do not use two hyphens in a row.';
  return null;
}

function urlComplaint(value: string): string | null {
  const trimmed = value.trim();
  if (!trimmed) return 'Enter a public address that starts with https://.';
  if (!URL.canParse(trimmed)) return 'This is not a complete address. Use the form https://example.org/page.';
  const url = new URL(trimmed);
  if (!/^https:\/\/[^/]/i.test(trimmed)) return 'The address must start with https://.';
  if (url.port !== '') return 'The address must use port 443. Leave out the port.';
  if (url.username || url.password) return 'Leave out the user name and password.';
  if (!url.hostname.includes('.')) return 'The address must be reachable from the public internet.';
  return null;
}
