import { Button, Text } from '@mantine/core';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { jobStateWords, type FailedJob } from './jobQueries.ts';

type JobTableProps = {
  jobs: readonly FailedJob[];
  /** The ID of the job that is being retried. */
  busy: string | null;
  onRetry: (jobId: string) => void;
};

/** Failed jobs, each with its payload, the reason for its failure, and a button that runs it now. */
export function JobTable({ jobs, busy, onRetry }: JobTableProps) {
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
            next <Time value={nextRunAt} />
          </Text>
        )}
      </>
    ),
  },
  { header: 'Queued', cell: ({ createdAt }) => <Time value={createdAt} /> },
];
