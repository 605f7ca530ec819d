import { profileFields } from '../../../../server/domain/integration/profile/profileFields.ts';
import { countries } from '../integration/countries.ts';
import { type DraftValues, emptyDraft } from './draft.ts';
import { draftErrors } from './draftRules.ts';

/** What is known of the operator before anything is typed. */
export type Operator = {
  readonly email: string;
  /** A language tag of the browser, such as nb-NO. */
  readonly language: string;
};

type Proposal<Field extends keyof DraftValues> = (values: DraftValues, operator: Operator) => DraftValues[Field];

/** What each of these fields could hold, judging by the others and by the operator; empty where nothing can be told. */
const proposals = {
  slug: ({ publicName }) => suggestSlug(publicName),
  publicDescription: ({ purpose }) => (purpose.length > profileFields.publicDescription.typed.longest ? '' : purpose),
  country: (_, { language }) => countryOf(language),
  supportEmail: (_, { email }) => email,
  websiteUrl: (_, { email }) => websiteOf(email),
  privacyPolicyUrl: (values) => pageOf(values, 'privacy'),
  termsOfServiceUrl: (values) => pageOf(values, 'terms'),
  orderLinkingUrl: (values) => pageOf(values, 'link'),
  pollingCadenceMinutes: () => emptyDraft.pollingCadenceMinutes,
  webhookModel: () => emptyDraft.webhookModel,
} satisfies { readonly [Field in keyof DraftValues]?: Proposal<Field> };

const proposed = Object.keys(proposals) as readonly (keyof typeof proposals)[];

/** Sets of scopes that integrations often need: what they show, and the means to acknowledge a deletion. */
export const scopePresets = [
  { label: 'Orders and deletions', scopes: ['orders.read', 'revocations.ack'] },
  { label: 'Orders, history and deletions', scopes: ['orders.read', 'orders.history.read', 'revocations.ack'] },
  { label: 'Stock vehicles and deletions', scopes: ['vehicles.read', 'revocations.ack'] },
] as const;

/** The form before anything is typed, with all that can be proposed. */
export function beginDraft(operator: Operator): DraftValues {
  const empty: DraftValues = { ...emptyDraft, requestedScopes: [...scopePresets[0].scopes] };
  return proposed.reduce((values, field) => ({ ...values, [field]: proposals[field](values, operator) }), empty);
}

/** What follows from a change: a field that still holds what was proposed for it changes too, one that the reader has changed stays. */
export function followingChanges(before: DraftValues, after: DraftValues, operator: Operator): Partial<DraftValues> {
  const following = proposed.filter((field) => after[field] === before[field] && before[field] === proposals[field](before, operator));
  const changed = following.map((field) => [field, proposals[field](after, operator)] as const);
  return Object.fromEntries(changed.filter(([field, value]) => value !== after[field]));
}

/** Whether a field holds what was proposed for it. */
export function isProposed(field: string, values: DraftValues, operator: Operator): boolean {
  return proposed.some((each) => each === field && values[each] !== '' && values[each] === proposals[each](values, operator));
}

/** A slug made from a name: "Ørder Watch 2!" gives "order-watch-2". Slugs start with a letter. */
function suggestSlug(name: string): string {
  return name
    .replaceAll('ø', 'o')
    .replaceAll('Ø', 'O')
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
}

/** The country where most people with this language live, such as NO for nb. */
function countryOf(language: string): string {
  try {
    const region = new Intl.Locale(language).maximize().region ?? '';
    return countries.some(({ value }) => value === region) ? region : '';
  } catch {
    return '';
  }
}

/** Those at which people have an address and no website. */
const mailProviders =
  /^(126|163|aol|fastmail|free|gmail|gmx|googlemail|hey|hotmail|icloud|live|mac|mail|me|msn|orange|outlook|pm|posteo|proton|protonmail|qq|t-online|tutanota|web|yahoo|yandex|ymail|zoho)\./;

/** The website at which the operator has an address. */
function websiteOf(email: string): string {
  const host = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return !host.includes('.') || mailProviders.test(host) ? '' : `https://${host}/`;
}

/** A page below the website, once that is an address. */
function pageOf(values: DraftValues, name: string): string {
  if ('websiteUrl' in draftErrors(values)) return '';
  return new URL(
    name,
    values.websiteUrl
      .trim()
      .replace(/[?#].*$/, '')
      .replace(/\/?$/, '/'),
  ).href;
}
