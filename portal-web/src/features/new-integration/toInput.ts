import type { VariablesOf } from '../../graphql/graphql.ts';
import type { createIntegrationMutation } from './mutations.ts';
import type { DraftValues } from './draft.ts';

type Input = VariablesOf<typeof createIntegrationMutation>['input'];

/** The input that is sent for a complete draft. */
export function toInput(values: DraftValues, termsVersion: number): Input {
  const { nonCommercial, attribution, donationUrl, pollingCadenceMinutes, ...rest } = values;
  return {
    ...rest,
    publicName: rest.publicName.trim(),
    slug: rest.slug.trim(),
    publicDescription: rest.publicDescription.trim(),
    purpose: rest.purpose.trim(),
    legalOperatorName: rest.legalOperatorName.trim(),
    supportEmail: rest.supportEmail.trim(),
    websiteUrl: rest.websiteUrl.trim(),
    privacyPolicyUrl: rest.privacyPolicyUrl.trim(),
    termsOfServiceUrl: rest.termsOfServiceUrl.trim(),
    orderLinkingUrl: rest.orderLinkingUrl.trim(),
    donationUrl: donationUrl.trim() || null,
    pollingCadenceMinutes: Number(pollingCadenceMinutes),
    termsVersion,
    attributionRulesAccepted: attribution,
    nonCommercialUseAccepted: nonCommercial,
  };
}
