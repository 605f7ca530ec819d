import { SegmentedControl, Stack } from '@mantine/core';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { durationWords, hourWords } from '../../ui/time/timeWords.ts';
import { AttemptChart } from './AttemptChart.tsx';
import { attemptOutcomeNames, attemptOutcomes, sumOf } from './attemptOutcomes.ts';
import { useAttemptPeriod } from './useAttemptPeriod.ts';
import { ResponseTimeChart } from './ResponseTimeChart.tsx';
import { historyQuery, type AttemptBucket } from '../webhooks/webhookQueries.ts';

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** How deliveries to an endpoint went over a day or a week: what came of the attempts, and how fast it answered. */
export function HistoryPanel({ endpointId }: { endpointId: string }) {
  const [period, changePeriod] = useAttemptPeriod();
  const [result, read] = usePolledQuery({
    query: historyQuery,
    variables: { endpointId, period },
    whileTrue: () => true,
    every: 15_000,
    context: fresh,
  });
  return (
    <Panel
      title="Attempts and response times"
      marks={
        <SegmentedControl
          aria-label="Period"
          size="xs"
          data={[
            { value: 'day', label: '24 hours' },
            { value: 'week', label: '7 days' },
          ]}
          value={period}
          onChange={(value) => changePeriod(value === 'week' ? 'week' : 'day')}
        />
      }
    >
      <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ webhookEndpoint: { attemptHistory } }) =>
          attemptHistory.some((bucket) => sumOf(bucket) > 0) ? (
            <Stack gap="lg">
              <AttemptChart buckets={attemptHistory} period={period} />
              <ResponseTimeChart buckets={attemptHistory} />
              <details>
                <summary>Read the charts as a table</summary>
                <DataTable
                  caption="Attempts and response times"
                  columns={columns}
                  rows={attemptHistory.filter((bucket) => sumOf(bucket) > 0).toReversed()}
                  rowKey={({ from }) => from}
                />
              </details>
            </Stack>
          ) : (
            <EmptyState kind="nothingFits" title="No attempts in this period." />
          )
        }
      </Loaded>
    </Panel>
  );
}

const columns: readonly Column<AttemptBucket>[] = [
  { header: 'From (UTC)', cell: ({ from }) => hourWords(new Date(from)), sortBy: ({ from }) => from },
  ...attemptOutcomeNames.map((name) => ({
    header: attemptOutcomes[name],
    figures: true,
    cell: (bucket: AttemptBucket) => bucket[name],
    sortBy: (bucket: AttemptBucket) => bucket[name],
  })),
  ...(['p50Ms', 'p95Ms'] as const).map((name) => ({
    header: name === 'p50Ms' ? 'p50' : 'p95',
    figures: true,
    cell: (bucket: AttemptBucket) => (bucket[name] === null ? '–' : durationWords(bucket[name])),
    sortBy: (bucket: AttemptBucket) => bucket[name] ?? -1,
  })),
];
