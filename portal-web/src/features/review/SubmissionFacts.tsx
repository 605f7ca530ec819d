import { Anchor } from '@mantine/core';
import { Address } from '../../ui/values/Address.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { ScopeList } from '../scopes/ScopeList.tsx';
import type { Submission } from './reviewQueries.ts';

type SubmissionFactsProps = {
  submission: Pick<Submission, 'reviewUrl' | 'profileVersion' | 'scopes' | 'termsVersion' | 'submittedAt' | 'decidedAt'>;
  /** The current version of the terms, if the reader should know that it differs. */
  currentTerms?: number;
};

/** What was submitted, and when. */
export function SubmissionFacts({ submission, currentTerms = submission.termsVersion }: SubmissionFactsProps) {
  return (
    <Facts
      facts={[
        [
          'Review address',
          <Anchor key="url" href={submission.reviewUrl} inherit target="_blank" rel="noopener noreferrer">
            <Address value={submission.reviewUrl} />
          </Anchor>,
        ],
        ['Profile version', submission.profileVersion],
        ['Scopes', <ScopeList key="scopes" scopes={submission.scopes} />],
        [
          'Terms version',
          currentTerms === submission.termsVersion
            ? submission.termsVersion
            : `${submission.termsVersion}; version ${currentTerms} has been published since. The owner must accept it before activating.`,
        ],
        ['Submitted', <Time key="submitted" value={submission.submittedAt} />],
        ...(submission.decidedAt ? [['Decided', <Time key="decided" value={submission.decidedAt} />] as const] : []),
      ]}
    />
  );
}
