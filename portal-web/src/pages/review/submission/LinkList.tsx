import { Anchor } from '@mantine/core';
import { IconCheck, IconExternalLink } from '@tabler/icons-react';
import type { SubmissionInReview } from '../../../features/review/reviewQueries.ts';
import classes from './sitting.module.css';
import type { ReviewedLink, Visit } from './useVisit.ts';

type LinkListProps = { submission: SubmissionInReview; visit: Visit; only?: readonly ReviewedLink[] };

/** The links of a submission, all or `only` some, with a mark on those that the reviewer has opened. */
export function LinkList({ submission, visit, only }: LinkListProps) {
  const links = linksOf(submission).filter(({ link }) => only?.includes(link) ?? true);
  return (
    <ul className={classes.links}>
      {links.map(({ link, name, url }) => (
        <li key={link}>
          <Anchor href={url} inherit target="_blank" rel="noopener noreferrer" onClick={() => visit.follow(link)}>
            {name} <IconExternalLink size={14} aria-hidden />
          </Anchor>
          {visit.followed.includes(link) && (
            <span className={classes.opened}>
              <IconCheck size={14} aria-hidden /> Opened
            </span>
          )}
          <span className={classes.url}>{url}</span>
        </li>
      ))}
    </ul>
  );
}

const words: Record<ReviewedLink, string> = {
  reviewUrl: 'Review address',
  orderLinkingUrl: 'Linking page',
  privacyPolicyUrl: 'Privacy policy',
  termsOfServiceUrl: 'Terms of service',
  websiteUrl: 'Website',
  donationUrl: 'Donations',
};

/** The links of a submission, each with its name, in the order in which a reviewer follows them. */
function linksOf({ reviewUrl, profile }: Pick<SubmissionInReview, 'reviewUrl' | 'profile'>) {
  const urls = { ...profile, reviewUrl };
  return (Object.keys(words) as ReviewedLink[]).flatMap((link) => {
    const url = urls[link];
    return url ? [{ link, name: words[link], url }] : [];
  });
}
