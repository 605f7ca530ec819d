import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { type FailedJob, failedJobsQuery, jobStateWords, retryJobMutation } from './jobQueries.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { FilterChips } from '../../../ui/lists/FilterChips.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { SearchField } from '../../../ui/lists/SearchField.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { useSearch } from '../../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';

const states = [
  { value: '', label: 'any' },
  ...Object.entries(jobStateWords).map(([value, { word }]) => ({ value, label: word.toLowerCase() })),
];
const orders = [
  { value: '', label: 'newest first' },
  { value: 'oldest', label: 'oldest first' },
];

/** Jobs that have failed and are not done, with a button that runs each again. */
export function Component() {
  const [filters, change] = useUrlFilters(['state', 'order']);
  const pagination = usePagination();
  const [search, setSearch] = useSearch();
  const state = filters.state in jobStateWords ? (filters.state as FailedJob['state']) : null;
  const order = filters.order === 'oldest' ? 'oldest' : 'newest';
  const [result, read] = usePolledQuery({
    query: failedJobsQuery,
    variables: { filter: { search: search || null, state }, order, after: pagination.after },
    whileTrue: () => true,
    every: 5000,
    context: fresh,
  });
  const [, retryJob] = useMutation(retryJobMutation);
  const confirmed = useFreshPasskey();
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const reread = () => read({ requestPolicy: 'network-only' });

  async function retry(jobId: string) {
    setBusy(jobId);
    const { error } = await confirmed(() => retryJob({ input: { jobId } }));
    setBusy(null);
    setProblem(error?.message ?? null);
    reread();
  }

  return (
    <Stack gap="md">
      <PageHeader
        title="Failed jobs"
        lead="Jobs are retried automatically, with growing delays. Retrying one here runs it now and restores all its attempts. The log has each reason under the job’s number."
      />
      <SearchField
        label="Search"
        description="A job’s complete name or number, part of an integration’s name or slug, an address with its @, or a complete identifier"
        value={search}
        onChange={setSearch}
      />
      <FilterChips
        label="Filter the jobs"
        choices={[
          { label: 'State', value: state ?? '', options: states, onChange: (value) => change({ state: value }) },
          { label: 'Order', value: order === 'newest' ? '' : order, options: orders, onChange: (value) => change({ order: value }) },
        ]}
        onClear={state || order === 'oldest' ? () => change({ state: '', order: '' }) : null}
      />
      {problem && <ErrorMessage message={problem} />}
      <LoadedList pagination={pagination} result={result} onRetry={reread}>
        {({ failedJobs }) => (
          <PagedList
            label="Failed jobs"
            pagination={pagination}
            page={failedJobs}
            none={
              <EmptyState
                kind={search || state ? 'nothingFits' : 'allClear'}
                title={search || state ? 'No failed jobs match.' : 'No jobs have failed.'}
              >
                {search || state ? 'Search for something else, or choose another state.' : 'Failures appear here automatically.'}
              </EmptyState>
            }
          >
            {(jobs) => <JobTable jobs={jobs} busy={busy} onRetry={(id) => void retry(id)} />}
          </PagedList>
        )}
      </LoadedList>
    </Stack>
  );
}

const fresh = { requestPolicy: 'cache-and-network' } as const;

type JobTableProps = {
  jobs: readonly FailedJob[];
  /** The ID of the job that is being retried. */
  busy: string | null;
  onRetry: (jobId: string) => void;
};

/** Failed jobs, each with its payload, the reason for its failure, and a button that runs it now. */
function JobTable({ jobs, busy, onRetry }: JobTableProps) {
  const retry: Column<FailedJob> = {
    header: 'Retry',
    actions: true,
    cell: ({ id, name, state }) =>
      state !== 'running' && (
        <Button variant="default" size="xs" loading={busy === id} onClick={() => onRetry(id)} aria-label={`Retry ${name} ${id}`}>
          Retry now
        </Button>
      ),
  };
  return <DataTable caption="Failed jobs" columns={[...columns, retry]} rows={jobs} rowKey={({ id }) => id} />;
}

const columns: readonly Column<FailedJob>[] = [
  {
    header: 'Job',
    cell: ({ id, name }) => (
      <>
        {name} <Identifier value={id} />
      </>
    ),
  },
  {
    header: 'Why it failed',
    breaks: true,
    cell: ({ lastError, payload }) => (
      <>
        {lastError}
        <Text size="xs" c="dimmed" component="code" display="block">
          {JSON.stringify(payload)}
        </Text>
      </>
    ),
  },
  {
    header: 'State',
    cell: ({ state }) => <StatusBadge tone={jobStateWords[state].tone}>{jobStateWords[state].word}</StatusBadge>,
  },
  {
    header: 'Attempts',
    cell: ({ attempts, maxAttempts, nextRunAt }) => (
      <>
        {attempts} of {maxAttempts} attempts
        {nextRunAt && (
          <Text size="xs" c="dimmed">
            next <Time value={nextRunAt} form="coming" />
          </Text>
        )}
      </>
    ),
  },
  { header: 'Queued', wide: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
];
