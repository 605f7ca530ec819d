import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { deletionFacts } from '../../../../server/domain/sharing/deletionFacts.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { absoluteWords } from '../../ui/time/timeWords.ts';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import type { DeletionFilters, RevocationPage } from './revocationsQuery.ts';

type NoDeletionsProps = Pick<DeletionFilters, 'state'> & { page: Pick<RevocationPage, 'lastDoneAt'>; retired: boolean };

/** Shown if the list is empty: since when, or how deletions come about. */
export function NoDeletions({ state, page: { lastDoneAt }, retired }: NoDeletionsProps) {
  const to = useIntegrationPaths();
  const over = retired && 'The integration is retired, so no more follow.';
  if (deletionFacts[state].isLate) {
    return (
      <EmptyState kind="allClear" title="Nothing is overdue.">
        No deadline has passed.
      </EmptyState>
    );
  }
  if (lastDoneAt || retired) {
    return (
      <EmptyState kind="allClear" title="None is outstanding.">
        {lastDoneAt && `The last one was done on ${absoluteWords(new Date(lastDoneAt))}.`} {over}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      kind="nothingYet"
      title="There are no deletions yet."
      action={
        <Anchor component={Link} to={to.sandbox()}>
          Try it: revoke something in your sandbox
        </Anchor>
      }
    >
      When a user revokes an order, a stock vehicle or a whole connection, it appears here at once and as a tombstone in your next sync. You
      then have 7 days to delete it.
    </EmptyState>
  );
}
