import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { QueueTable } from '../../features/review/QueueTable.tsx';
import { submissionsQuery } from '../../features/review/reviewQueries.ts';
import { ReviewSearch } from '../../features/review/ReviewSearch.tsx';
import { ReviewTimes } from '../../features/review/ReviewTimes.tsx';
import { paths } from '../../paths.ts';
import { Empty } from '../../ui/states/Empty.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';

const statuses = { submitted: 'Submitted', rejected: 'Rejected', approved: 'Approved', withdrawn: 'Withdrawn' } as const;
const turns = { anybody: 'Waiting for anyone', reviewer: 'Waiting for a reviewer', operator: 'Waiting for the owner' } as const;
const assignees = { anyone: 'Any reviewer', mine: 'Assigned to me', untaken: 'Unassigned' } as const;
const orders = { longest: 'Longest waiting first', newest: 'Newest first' } as const;

/** The reviewers' queue. */
export function Component() {
  const [filters, change] = useUrlFilters(['status', 'turn', 'assignee', 'order']);
  const [search, setSearch] = useSearch();
  const place = usePlace();
  const status = known(statuses, filters.status) ?? 'submitted';
  const turn = (status === 'submitted' && known(turns, filters.turn)) || 'anybody';
  const assignee = known(assignees, filters.assignee) ?? 'anyone';
  const order = known(orders, filters.order) ?? (status === 'submitted' ? 'longest' : 'newest');
  const [result, read] = useQuery({
    query: submissionsQuery,
    variables: {
      status,
      waitingFor: turn === 'anybody' ? null : turn,
      assignee,
      order,
      search: search || null,
      after: place.after,
    },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Stack gap="lg">
      <PageHeading
        title="Review"
        lead={<ReviewTimes />}
        actions={
          <Group gap="sm">
            <Button component={Link} to={paths.minorRevisions} variant="default">
              Minor revisions
            </Button>
            <Button component={Link} to={paths.businessModels} variant="default">
              Business models
            </Button>
          </Group>
        }
      />
      <ReviewSearch value={search} onChange={setSearch} />
      <Group gap="sm" align="flex-end">
        <NativeSelect
          label="Status"
          value={status}
          onChange={({ currentTarget: { value } }) => change({ status: value === 'submitted' ? '' : value, turn: '', order: '' })}
          data={optionsOf(statuses)}
        />
        {status === 'submitted' && (
          <NativeSelect
            label="Turn"
            value={turn}
            onChange={({ currentTarget: { value } }) => change({ turn: value === 'anybody' ? '' : value })}
            data={optionsOf(turns)}
          />
        )}
        <NativeSelect
          label="Reviewer"
          value={assignee}
          onChange={({ currentTarget: { value } }) => change({ assignee: value === 'anyone' ? '' : value })}
          data={optionsOf(assignees)}
        />
        <NativeSelect
          label="Order"
          value={order}
          onChange={({ currentTarget: { value } }) => change({ order: value })}
          data={optionsOf(orders)}
        />
      </Group>
      <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ submissions }) => (
          <PagedList
            label="Submissions"
            place={place}
            page={submissions}
            none={
              <Empty>
                {status === 'submitted' && assignee === 'anyone' && turn === 'anybody' && !search
                  ? 'Nothing is waiting for review. Submissions appear here, longest waiting first. Your own integrations are not listed.'
                  : 'No submissions match these filters. Your own integrations are not listed.'}
              </Empty>
            }
          >
            {(items) => <QueueTable submissions={items} />}
          </PagedList>
        )}
      </LoadedList>
    </Stack>
  );
}

function known<Words extends Record<string, string>>(words: Words, value: string): (keyof Words & string) | null {
  return Object.hasOwn(words, value) ? value : null;
}

function optionsOf(words: Record<string, string>) {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}
