import { Anchor } from '@mantine/core';
import { Facts } from '../../ui/Facts.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { ScopeList } from '../integration/ScopeList.tsx';
import type { Round } from './reviewQueries.ts';

/** What was handed in, and when. */
export function RoundFacts({ round }: { round: Round }) {
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
        ['Terms version', round.termsVersion],
        ['Submitted', <RelativeTime key="submitted" value={round.submittedAt} />],
        ...(round.decidedAt ? [['Decided', <RelativeTime key="decided" value={round.decidedAt} />] as const] : []),
      ]}
    />
  );
}
