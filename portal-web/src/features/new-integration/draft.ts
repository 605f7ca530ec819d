/** The fields of the form, as the reader types them. */
export type DraftValues = {
  nonCommercial: boolean;
  attribution: boolean;
  publicName: string;
  slug: string;
  publicDescription: string;
  purpose: string;
  legalOperatorName: string;
  country: string;
  supportEmail: string;
  websiteUrl: string;
  privacyPolicyUrl: string;
  termsOfServiceUrl: string;
  orderLinkingUrl: string;
  donationUrl: string;
  requestedScopes: string[];
  pollingCadenceMinutes: number | string;
  webhookModel: 'none' | 'notification' | 'full_payload';
};

export type FieldName = keyof DraftValues;

export const emptyDraft: DraftValues = {
  nonCommercial: false,
  attribution: false,
  publicName: '',
  slug: '',
  publicDescription: '',
  purpose: '',
  legalOperatorName: '',
  country: '',
  supportEmail: '',
  websiteUrl: '',
  privacyPolicyUrl: '',
  termsOfServiceUrl: '',
  orderLinkingUrl: '',
  donationUrl: '',
  requestedScopes: [],
  pollingCadenceMinutes: 15,
  webhookModel: 'none',
};

/** The steps in order, each with its name in the address and the fields that it asks for. */
export const steps = [
  { key: 'terms', name: 'Terms', fields: ['nonCommercial', 'attribution'] },
  {
    key: 'about',
    name: 'About',
    fields: ['publicName', 'slug', 'publicDescription', 'purpose', 'legalOperatorName', 'country', 'supportEmail'],
  },
  { key: 'links', name: 'Links', fields: ['websiteUrl', 'privacyPolicyUrl', 'termsOfServiceUrl', 'orderLinkingUrl', 'donationUrl'] },
  { key: 'scopes', name: 'Scopes', fields: ['requestedScopes'] },
  { key: 'planning', name: 'Planning', fields: ['pollingCadenceMinutes', 'webhookModel'] },
  { key: 'check', name: 'Review and create', fields: [] },
] as const satisfies readonly { key: string; name: string; fields: readonly FieldName[] }[];

/** The step that asks for `field`, or the last step if none does. */
export function stepOf(field: string): number {
  const index = steps.findIndex(({ fields }) => (fields as readonly string[]).includes(field));
  return index === -1 ? steps.length - 1 : index;
}

/** A slug made from a name: "Ørder Watch 2!" gives "order-watch-2". Slugs start with a letter. */
export function suggestSlug(name: string): string {
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
