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

/** The parts of the form in order, each with the fields that it asks for. */
export const parts = [
  { name: 'About', fields: ['publicName', 'slug', 'purpose', 'publicDescription', 'legalOperatorName', 'country', 'supportEmail'] },
  { name: 'Public pages', fields: ['websiteUrl', 'privacyPolicyUrl', 'termsOfServiceUrl', 'orderLinkingUrl', 'donationUrl'] },
  { name: 'Scopes', fields: ['requestedScopes'] },
  { name: 'Plan for the reviewers', fields: ['pollingCadenceMinutes', 'webhookModel'] },
  { name: 'Terms', fields: ['nonCommercial', 'attribution'] },
] as const satisfies readonly { name: string; fields: readonly FieldName[] }[];

/** The values of a stored form: only fields that still exist with the same type, and all others as in `rest`. */
export function sameShape(stored: Partial<Record<string, unknown>> | undefined, rest = emptyDraft): DraftValues {
  const known = Object.entries(rest).map(([name, empty]) => {
    const value = stored?.[name];
    return [name, typeof value === typeof empty && Array.isArray(value) === Array.isArray(empty) ? value : empty];
  });
  return Object.fromEntries(known) as DraftValues;
}
