import { parseEmail } from '../../account/emailAddress.ts';
import { allScopes } from '../../shared/scopes.ts';
import type { ProfileContent } from './profileDiff.ts';
import type { ProfileInput } from './ProfileInput.ts';
import type { webhookModels } from './ProfileVersion.ts';
import { keptUrl } from './publicUrl.ts';

/**
 * A profile as it is stored: values trimmed, addresses in ASCII, scopes in the order of `allScopes`. The input must have passed
 * `profileErrors`.
 */
export function profileContent(input: ProfileInput): Omit<ProfileContent, 'logoId'> {
  return {
    publicName: input.publicName.trim(),
    publicDescription: input.publicDescription.trim(),
    purpose: input.purpose.trim(),
    legalOperatorName: input.legalOperatorName.trim(),
    country: input.country,
    supportEmail: parseEmail(input.supportEmail) ?? input.supportEmail.trim(),
    websiteUrl: keptUrl(input.websiteUrl.trim()),
    privacyPolicyUrl: keptUrl(input.privacyPolicyUrl.trim()),
    termsOfServiceUrl: keptUrl(input.termsOfServiceUrl.trim()),
    orderLinkingUrl: keptUrl(input.orderLinkingUrl.trim()),
    donationUrl: input.donationUrl?.trim() ? keptUrl(input.donationUrl.trim()) : null,
    requestedScopes: allScopes.filter((scope) => input.requestedScopes.includes(scope)),
    pollingCadenceMinutes: input.pollingCadenceMinutes,
    webhookModel: input.webhookModel as (typeof webhookModels)[number],
  };
}
