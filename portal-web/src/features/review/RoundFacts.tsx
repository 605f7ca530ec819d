import { Anchor } from '@mantine/core';
import { Facts } from '../../ui/values/Facts.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { ScopeList } from '../integration/ScopeList.tsx';
import type { Round } from './reviewQueries.ts';

type RoundFactsProps = {
  round: Round;
  /** The version of the terms that is current now, where the reader should know that it is another. */
  currentTerms?: number;
};

/** What was handed in, and when. */
export function RoundFacts({ round, currentTerms = round.termsVersion }: RoundFactsProps) {
  return (
    <Facts
      facts={[
        [
          'Review address',
          <Anchor key="url" href={round.reviewUrl} inherit target="_blank" rel="noopener noreferrer">
            {round.reviewUrl}
          </Anchor>,
        ],
        ['Profile version', round.profileVersion],
        ['Scopes', <ScopeList key="scopes" scopes={round.scopes} />],
        [
          'Terms version',
          currentTerms === round.termsVersion
            ? round.termsVersion
            : `${round.termsVersion}; version ${currentTerms} has been published since. The owner must accept it before activating.`,
        ],
        ['Submitted', <RelativeTime key="submitted" value={round.submittedAt} />],
        ...(round.decidedAt ? [['Decided', <RelativeTime key="decided" value={round.decidedAt} />] as const] : []),
      ]}
    />
  );
}
