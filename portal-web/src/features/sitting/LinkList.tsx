import { Anchor } from '@mantine/core';
import { IconCheck, IconExternalLink } from '@tabler/icons-react';
import classes from './sitting.module.css';
import { linksOf } from './reviewedLinks.ts';
import type { SubmissionInReview } from '../review/reviewQueries.ts';
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
