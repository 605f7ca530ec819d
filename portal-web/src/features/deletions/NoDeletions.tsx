import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { DeletionFilters } from './useDeletionFilters.ts';

const titles = {
  outstanding: 'No outstanding deletions',
  overdue: 'No overdue deletions',
  acknowledged: 'No deletions acknowledged yet',
} as const;

const ofRetired = {
  outstanding: 'The integration is retired, and users share nothing with it any more. There is nothing left to delete.',
  overdue: 'No deadline has been missed.',
  acknowledged: 'Deletions appear here once you have recorded them.',
} as const;

/** Shown if the list is empty. It explains how deletions come about. */
export function NoDeletions({ slug, state, retired }: { slug: string; retired: boolean } & Pick<DeletionFilters, 'state'>) {
  if (retired) return <Panel title={titles[state]}>{ofRetired[state]}</Panel>;
  return (
    <Panel title={titles[state]}>
      <Text maw={640}>
        {state === 'acknowledged'
          ? 'Deletions appear here once they are acknowledged or recorded.'
          : 'When a user revokes an order, a stock vehicle or a whole connection, it appears here at once and as a tombstone in your next sync. You then have 7 days to delete it.'}{' '}
        To try it, revoke something{' '}
        <Anchor component={Link} to={paths.sandbox(slug)} inherit>
          in your sandbox
        </Anchor>
        .
      </Text>
    </Panel>
  );
}
