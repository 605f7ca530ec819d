import type { SubmissionInReview } from '../review/reviewQueries.ts';
import type { ReviewedLink } from './useVisit.ts';

const words: Record<ReviewedLink, string> = {
  reviewUrl: 'Review address',
  orderLinkingUrl: 'Linking page',
  privacyPolicyUrl: 'Privacy policy',
  termsOfServiceUrl: 'Terms of service',
  websiteUrl: 'Website',
  donationUrl: 'Donations',
};

/** The links of a submission, each with its name, in the order in which a reviewer follows them. */
export function linksOf({ reviewUrl, profile }: Pick<SubmissionInReview, 'reviewUrl' | 'profile'>) {
  const urls = { ...profile, reviewUrl };
  return (Object.keys(words) as ReviewedLink[]).flatMap((link) => {
    const url = urls[link];
    return url ? [{ link, name: words[link], url }] : [];
  });
}
