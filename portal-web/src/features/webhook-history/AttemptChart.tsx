import { lazy, useCallback, useMemo } from 'react';
import { ChartFrame, NoPicture } from '../../ui/charts/ChartFrame.tsx';
import { scaleEnd } from '../../ui/charts/scaleEnd.ts';
import { hourWords } from '../../ui/time/timeWords.ts';
import classes from './AttemptCharts.module.css';
import { attemptOutcomeNames, attemptOutcomes, countsWords, sumOf, totalsOf } from './attemptOutcomes.ts';
import { timesBelow, type AttemptPeriod } from './attemptPeriod.ts';
import type { AttemptBucket } from '../webhooks/webhookQueries.ts';

/** The library that draws the bars is loaded only where a chart is shown. If it does not load, the page works without it. */
const StackedBars = lazy(() => import('../../ui/charts/StackedBars.tsx').catch(() => ({ default: NoPicture })));

/** An endpoint’s attempts over time, stacked by what came of them. The table below has the same figures. */
export function AttemptChart({ buckets, period }: { buckets: readonly AttemptBucket[]; period: AttemptPeriod }) {
  const totals = totalsOf(buckets);
  const end = scaleEnd(Math.max(0, ...buckets.map(sumOf)));
  const layers = useMemo(
    () => attemptOutcomeNames.map((name) => ({ colour: `--${name}`, values: buckets.map((bucket) => bucket[name]) })),
    [buckets],
  );
  const words = useCallback((bar: number) => bucketWords(buckets[bar]), [buckets]);
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
      times={timesBelow(buckets)}
      summary={`${countsWords(totals, period === 'day' ? 'in the last 24 hours' : 'in the last 7 days')}. The table below has every figure.`}
      caption="Attempts by what came of them. Times are in UTC."
    >
      <StackedBars {...{ layers, end, words }} />
    </ChartFrame>
  );
}

function bucketWords(bucket: AttemptBucket | undefined): string {
  return bucket ? countsWords(bucket, `in the hour from ${hourWords(new Date(bucket.from))} UTC`) : '';
}
