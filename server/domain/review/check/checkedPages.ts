import type { ProfileVersion } from '../../integration/profile/ProfileVersion.ts';
import type { SubmissionCheckName } from './submissionChecks.ts';

/** The pages that a submission names, in the order in which they are checked. */
const checkedPages = [
  'website',
  'privacyPolicy',
  'termsOfService',
  'linkingPage',
  'donationPage',
  'reviewAddress',
] as const satisfies readonly SubmissionCheckName[];
export type CheckedPage = (typeof checkedPages)[number];

/** The addresses of a profile, and what its linking page has to name. */
export type ProfilePages = Pick<
  ProfileVersion,
  'websiteUrl' | 'privacyPolicyUrl' | 'termsOfServiceUrl' | 'orderLinkingUrl' | 'donationUrl' | 'supportEmail'
>;

/** The address of each page that there is. */
export function addressesOf(profile: ProfilePages, reviewUrl: string | null): { readonly page: CheckedPage; readonly url: string }[] {
  const addresses: Readonly<Record<CheckedPage, string | null>> = {
    website: profile.websiteUrl,
    privacyPolicy: profile.privacyPolicyUrl,
    termsOfService: profile.termsOfServiceUrl,
    linkingPage: profile.orderLinkingUrl,
    donationPage: profile.donationUrl ?? null,
    reviewAddress: reviewUrl,
  };
  return checkedPages.flatMap((page) => {
    const url = addresses[page];
    return url === null ? [] : [{ page, url }];
  });
}
