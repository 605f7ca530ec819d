import { Anchor } from '@mantine/core';
import { Address } from '../../ui/values/Address.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { ScopeList } from '../scopes/ScopeList.tsx';
import type { Submission } from './reviewQueries.ts';

type SubmissionFactsProps = {
  submission: Pick<Submission, 'reviewUrl' | 'profileVersion' | 'scopes' | 'termsVersion' | 'submittedAt' | 'decidedAt'>;
  /** The current version of the terms, and whether the owner has accepted it since, if the reader should know that it differs. */
  currentTerms?: { readonly version: number; readonly accepted: boolean };
};

/** What was submitted, and when. */
export function SubmissionFacts({ submission, currentTerms }: SubmissionFactsProps) {
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
        ['Terms version', termsWords(submission.termsVersion, currentTerms)],
        ['Submitted', <Time key="submitted" value={submission.submittedAt} />],
        ...(submission.decidedAt ? [['Decided', <Time key="decided" value={submission.decidedAt} />] as const] : []),
      ]}
    />
  );
}

function termsWords(submitted: number, current: SubmissionFactsProps['currentTerms']): string | number {
  if (!current || current.version === submitted) return submitted;
  const since = current.accepted
    ? `The owner has accepted version ${current.version} since.`
    : `Version ${current.version} has been published since; the owner must accept it before activating.`;
  return `Version ${submitted} when it was submitted. ${since}`;
}
