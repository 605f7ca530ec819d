import { Anchor, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { paths } from '../../paths.ts';
import { useNow } from '../../ui/time/useNow.ts';
import classes from './OutstandingDeletions.module.css';
import { outstandingQuery } from './outstandingQuery.ts';
import { timeLeft } from './timeLeft.ts';

/** A line on the overview while deletions are due. Revocations that came with the test data do not count. */
export function OutstandingDeletions({ slug }: { slug: string }) {
  const [{ data }] = useQuery({ query: outstandingQuery, variables: { slug }, requestPolicy: 'cache-and-network' });
  const now = useNow();
  const nearest = data?.revocations.edges[0]?.node;
  if (!data || !nearest) return null;
  const { dueCount: due, overdueCount: overdue } = data.revocations;
  const { words } = timeLeft(new Date(nearest.deletionDeadlineAt), now);
  return (
    <div className={classes.root} data-overdue={overdue > 0 || undefined} role="status">
      <IconTrash size={20} aria-hidden />
      <Text component="p">
        <strong>{dueWords(due, overdue)}.</strong> {due === 1 ? 'It' : 'The nearest'} is in{' '}
        {nearest.environment === 'sandbox' ? 'the sandbox' : 'production'}: {words}.{' '}
        <Anchor component={Link} to={paths.deletions(slug)} inherit>
          Go to deletions
        </Anchor>
      </Text>
    </div>
  );
}

function dueWords(due: number, overdue: number): string {
  const deletions = due === 1 ? '1 deletion is' : `${due} deletions are`;
  if (overdue === due) return `${deletions} overdue`;
  return overdue === 0 ? `${deletions} due` : `${deletions} due, ${overdue} of them overdue`;
}
