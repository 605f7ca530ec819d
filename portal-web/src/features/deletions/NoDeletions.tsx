import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Panel } from '../../ui/layout/Panel.tsx';
import { absoluteWords } from '../../ui/time/timeWords.ts';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import type { RevocationPage } from './revocationsQuery.ts';
import type { DeletionFilters } from './useDeletionFilters.ts';

type NoDeletionsProps = Pick<DeletionFilters, 'state'> & { page: Pick<RevocationPage, 'lastDoneAt'>; retired: boolean };

/** Shown if the list is empty: since when, or how deletions come about. */
export function NoDeletions({ state, page: { lastDoneAt }, retired }: NoDeletionsProps) {
  const to = useIntegrationPaths();
  if (state === 'overdue') return <Panel title="Nothing is overdue">No deadline has passed.</Panel>;
  if (lastDoneAt) {
    const last = `The last one was done on ${absoluteWords(new Date(lastDoneAt))}.`;
    return (
      <Panel title="None is outstanding">
        <Text>{retired ? `${last} The integration is retired, so no more follow.` : last}</Text>
      </Panel>
    );
  }
  if (retired) return <Panel title="None is outstanding">The integration is retired, so no more follow.</Panel>;
  return (
    <Panel title="No deletions yet">
      <Text maw={640}>
        When a user revokes an order, a stock vehicle or a whole connection, it appears here at once and as a tombstone in your next sync.
        You then have 7 days to delete it. To try it, revoke something{' '}
        <Anchor component={Link} to={to.sandbox()} inherit>
          in your sandbox
        </Anchor>
        .
      </Text>
    </Panel>
  );
}
