/** The profile as an operator fills it in (docs/specification.md, “Integration profile”), without slug and acceptances. */
export type ProfileInput = {
  publicName: string;
  publicDescription: string;
  purpose: string;
  legalOperatorName: string;
  country: string;
  supportEmail: string;
  websiteUrl: string;
  privacyPolicyUrl: string;
  termsOfServiceUrl: string;
  orderLinkingUrl: string;
  donationUrl?: string | null;
  requestedScopes: readonly string[];
  pollingCadenceMinutes: number;
  webhookModel: string;
};
