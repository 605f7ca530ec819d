import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { failedJobsQuery, jobStateWords, retryJobMutation, type FailedJob } from '../../features/administration/jobQueries.ts';
import { useFreshPasskey } from '../../features/passkey/useFreshPasskey.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Empty } from '../../ui/states/Empty.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { InlineCode } from '../../ui/values/InlineCode.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { Pager } from '../../ui/lists/Pager.tsx';
import { RecordList, RecordRow } from '../../ui/lists/RecordList.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';

/** Jobs that have failed and are not done, with the way to let them run again. */
export function Component() {
  const [filters, change] = useUrlFilters(['search', 'state', 'order']);
  const { after } = filters;
  const [search, setSearch] = useSearch();
  const state = filters.state in jobStateWords ? (filters.state as FailedJob['state']) : null;
  const order = filters.order === 'oldest' ? 'oldest' : 'newest';
  const [result, read] = usePolledQuery({
    query: failedJobsQuery,
    variables: { filter: { search: search || null, state }, order, after: after || null },
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
      <PageHeading
        title="Failed jobs"
        lead="Jobs are retried automatically, with growing delays. Retrying one here runs it now and restores all its attempts. The log has each reason under the job’s number."
      />
      <Group gap="md" align="flex-start">
        <SearchField
          label="Search"
          description="A job’s complete name or number, part of an integration’s name or slug, an address with its @, or a complete identifier"
          value={search}
          onChange={setSearch}
        />
        <NativeSelect
          label="State"
          value={state ?? ''}
          onChange={(event) => change({ state: event.currentTarget.value })}
          data={[{ value: '', label: 'Any' }, ...Object.entries(jobStateWords).map(([value, { word }]) => ({ value, label: word }))]}
          flex="0 1 16rem"
        />
        <NativeSelect
          label="Order"
          value={order}
          onChange={(event) => change({ order: event.currentTarget.value === 'newest' ? '' : event.currentTarget.value })}
          data={[
            { value: 'newest', label: 'Newest first' },
            { value: 'oldest', label: 'Oldest first' },
          ]}
          flex="0 1 11rem"
        />
      </Group>
      {problem && <ErrorMessage message={problem} />}
      <Loaded result={result} onRetry={reread}>
        {({ failedJobs: { edges, pageInfo } }) =>
          edges.length === 0 ? (
            <Empty>
              {search || state
                ? 'No failed jobs match. Search for something else, or choose another state.'
                : 'No jobs have failed. Failures appear here automatically.'}
            </Empty>
          ) : (
            <div>
              <RecordList label="Failed jobs">
                {edges.map(({ node }) => (
                  <JobRow key={node.id} job={node} busy={busy === node.id} onRetry={() => void retry(node.id)} />
                ))}
              </RecordList>
              <Pager page={pageInfo} after={after} onAfter={(cursor) => change({ after: cursor })} />
            </div>
          )
        }
      </Loaded>
    </Stack>
  );
}

const fresh = { requestPolicy: 'cache-and-network' } as const;

function JobRow({ job, busy, onRetry }: { job: FailedJob; busy: boolean; onRetry: () => void }) {
  const { id, name, payload, attempts, maxAttempts, state, lastError, createdAt, nextRunAt } = job;
  const badge = jobStateWords[state];
  return (
    <RecordRow
      title={
        <Text fw={600}>
          {name} <InlineCode value={id} />
        </Text>
      }
      facts={
        <>
          <div>{lastError}</div>
          <div>
            {attempts} of {maxAttempts} attempts; queued <RelativeTime value={createdAt} />
            {nextRunAt && (
              <>
                ; next attempt <RelativeTime value={nextRunAt} />
              </>
            )}
          </div>
          <code>{JSON.stringify(payload)}</code>
        </>
      }
      marks={<StatusBadge tone={badge.tone}>{badge.word}</StatusBadge>}
      actions={
        state !== 'running' && (
          <Button variant="default" size="xs" loading={busy} onClick={onRetry} aria-label={`Retry ${name} ${id}`}>
            Retry now
          </Button>
        )
      }
    />
  );
}
