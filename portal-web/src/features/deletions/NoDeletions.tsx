import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { Panel } from '../../ui/Panel.tsx';
import type { DeletionFilters } from './useDeletionFilters.ts';

const titles = {
  outstanding: 'Nothing to delete',
  overdue: 'Nothing is overdue',
  acknowledged: 'Nothing acknowledged yet',
} as const;

/** What stands in place of an empty list, and how it comes to be filled. */
export function NoDeletions({ slug, state }: { slug: string } & Pick<DeletionFilters, 'state'>) {
  return (
    <Panel title={titles[state]}>
      <Text maw={640}>
        {state === 'acknowledged'
          ? 'A deletion that your back end acknowledges leaves the queue and is kept here.'
          : 'When a user takes an order, a stock vehicle or a whole connection back, it appears here at once, and as a tombstone in your next sync. You then have 7 days.'}{' '}
        To see it happen, revoke something{' '}
        <Anchor component={Link} to={paths.sandbox(slug)} inherit>
          in your sandbox
        </Anchor>
        .
      </Text>
    </Panel>
  );
}
