import { SegmentedControl, Stack } from '@mantine/core';
import { lazy, useCallback, useMemo } from 'react';
import { attemptOutcomeNames, attemptOutcomes, countsWords, sumOf, totalsOf } from '../../../features/webhooks/attemptOutcomes.ts';
import { type AttemptBucket, historyQuery } from '../../../features/webhooks/webhookQueries.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { ChartFrame, NoPicture, scaleEnd } from '../../../ui/charts/ChartFrame.tsx';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import type { MomentWords } from '../../../ui/time/momentWords.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { durationWords } from '../../../ui/time/timeWords.ts';
import { useMomentWords } from '../../../ui/time/useZone.ts';
import classes from './AttemptCharts.module.css';

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
      <Loaded shape="text" result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ webhookEndpoint: { attemptHistory } }) =>
          attemptHistory.some((bucket) => sumOf(bucket) > 0) ? (
            <Stack gap="lg">
              <AttemptChart buckets={attemptHistory} period={period} />
              <ResponseTimeChart buckets={attemptHistory} />
              <Fold summary="Read the charts as a table">
                <DataTable
                  caption="Attempts and response times"
                  columns={columns}
                  rows={attemptHistory.filter((bucket) => sumOf(bucket) > 0).toReversed()}
                  rowKey={({ from }) => from}
                />
              </Fold>
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
  { header: 'From', cell: ({ from }) => <Time value={from} form="hour" />, sortBy: ({ from }) => from },
  ...attemptOutcomeNames.map((name) => ({
    header: attemptOutcomes[name],
    figures: true,
    cell: (bucket: AttemptBucket) => bucket[name],
    sortBy: (bucket: AttemptBucket) => bucket[name],
  })),
  ...(['p50Ms', 'p95Ms'] as const).map((name) => ({
    header: name === 'p50Ms' ? 'p50' : 'p95',
    figures: true,
    wide: name === 'p50Ms',
    cell: (bucket: AttemptBucket) => (bucket[name] === null ? '–' : durationWords(bucket[name])),
    sortBy: (bucket: AttemptBucket) => bucket[name] ?? -1,
  })),
];

/** How far back an endpoint’s history goes, kept in its page’s address. */
function useAttemptPeriod(): [AttemptPeriod, (period: AttemptPeriod) => void] {
  const [{ period }, change] = useUrlFilters(['period'], null);
  return [period === 'week' ? 'week' : 'day', (wanted) => change({ period: wanted === 'week' ? 'week' : '' })];
}

/** The library that draws the bars is loaded only where a chart is shown. If it does not load, the page works without it. */
const StackedBars = lazy(() => import('../../../ui/charts/StackedBars.tsx').catch(() => ({ default: NoPicture })));

/** An endpoint’s attempts over time, stacked by what came of them. The table below has the same figures. */
function AttemptChart({ buckets, period }: { buckets: readonly AttemptBucket[]; period: AttemptPeriod }) {
  const totals = totalsOf(buckets);
  const end = scaleEnd(Math.max(0, ...buckets.map(sumOf)));
  const layers = useMemo(
    () => attemptOutcomeNames.map((name) => ({ colour: `--${name}`, values: buckets.map((bucket) => bucket[name]) })),
    [buckets],
  );
  const moments = useMomentWords();
  const words = useCallback((bar: number) => bucketWords(buckets[bar], moments), [buckets, moments]);
  return (
    <ChartFrame
      className={classes.figure}
      legend={attemptOutcomeNames.map((name) => ({
        key: name,
        swatch: classes[name],
        words: (
          <>
            {attemptOutcomes[name]} <strong>{totals[name].toLocaleString('en')}</strong>
          </>
        ),
      }))}
      scale={[end, end / 2, 0].map((figure) => figure.toLocaleString('en'))}
      times={timesBelow(buckets, moments)}
      summary={`${countsWords(totals, period === 'day' ? 'in the last 24 hours' : 'in the last 7 days')}. The table below has every figure.`}
      caption={`Attempts by outcome. Times are in ${moments.zone}.`}
    >
      <StackedBars {...{ layers, end, words }} />
    </ChartFrame>
  );
}

function bucketWords(bucket: AttemptBucket | undefined, { hourInZone }: MomentWords): string {
  return bucket ? countsWords(bucket, `in the hour from ${hourInZone(new Date(bucket.from))}`) : '';
}

const Lines = lazy(() => import('../../../ui/charts/Lines.tsx').catch(() => ({ default: NoPicture })));

const lines = {
  p50: { word: 'Half of all answers take this or less (p50)', read: ({ p50Ms }: AttemptBucket) => p50Ms },
  p95: { word: '95% of all answers take this or less (p95)', read: ({ p95Ms }: AttemptBucket) => p95Ms },
} as const;
const lineNames = Object.keys(lines) as (keyof typeof lines)[];

/** How fast an endpoint answers, over time. The table below has the same figures. */
function ResponseTimeChart({ buckets }: { buckets: readonly AttemptBucket[] }) {
  const shown = useMemo(() => lineNames.map((name) => ({ colour: `--${name}`, values: buckets.map(lines[name].read) })), [buckets]);
  const highest = Math.max(0, ...shown.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const end = scaleEnd(highest);
  const moments = useMomentWords();
  const words = useCallback((place: number) => timesOf(buckets[place], moments), [buckets, moments]);
  return (
    <ChartFrame
      className={classes.figure}
      legend={lineNames.map((name) => ({ key: name, swatch: classes[name], words: lines[name].word }))}
      scale={[end, end / 2, 0].map(durationWords)}
      times={timesBelow(buckets, moments)}
      summary={
        highest === 0
          ? 'No answers in this period.'
          : `Response times in this period, at most ${durationWords(highest)} at p95. The table below has every figure.`
      }
      caption={`From sending the request to the end of the answer, estimated from a histogram. Times are in ${moments.zone}.`}
    >
      <Lines lines={shown} {...{ end, words }} />
    </ChartFrame>
  );
}

function timesOf(bucket: AttemptBucket | undefined, { hourInZone }: MomentWords): string {
  if (!bucket) return '';
  const { from, p50Ms, p95Ms } = bucket;
  const times = p50Ms === null || p95Ms === null ? 'no answers' : `p50 ${durationWords(p50Ms)}, p95 ${durationWords(p95Ms)}`;
  return `${hourInZone(new Date(from))}: ${times}`;
}

type AttemptPeriod = 'day' | 'week';

/** The times below a chart: of its first bucket, the middle one and the last. */
function timesBelow(buckets: readonly { readonly from: string }[], { hour }: MomentWords): string[] {
  return [0, Math.floor(buckets.length / 2), buckets.length - 1].map((index) =>
    buckets[index] ? hour(new Date(buckets[index].from)) : '',
  );
}
