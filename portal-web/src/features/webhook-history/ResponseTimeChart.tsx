import { lazy, useCallback, useMemo } from 'react';
import { ChartFrame, NoPicture } from '../../ui/charts/ChartFrame.tsx';
import { scaleEnd } from '../../ui/charts/scaleEnd.ts';
import { durationWords, hourWords } from '../../ui/time/timeWords.ts';
import classes from './AttemptCharts.module.css';
import { timesBelow } from './attemptPeriod.ts';
import type { AttemptBucket } from '../webhooks/webhookQueries.ts';

const Lines = lazy(() => import('../../ui/charts/Lines.tsx').catch(() => ({ default: NoPicture })));

const lines = {
  p50: { word: 'Half of all answers within this (p50)', read: ({ p50Ms }: AttemptBucket) => p50Ms },
  p95: { word: '95% of all answers within this (p95)', read: ({ p95Ms }: AttemptBucket) => p95Ms },
} as const;
const lineNames = Object.keys(lines) as (keyof typeof lines)[];

/** How fast an endpoint answers, over time. The table below has the same figures. */
export function ResponseTimeChart({ buckets }: { buckets: readonly AttemptBucket[] }) {
  const shown = useMemo(() => lineNames.map((name) => ({ colour: `--${name}`, values: buckets.map(lines[name].read) })), [buckets]);
  const highest = Math.max(0, ...shown.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const end = scaleEnd(highest);
  const words = useCallback((place: number) => timesOf(buckets[place]), [buckets]);
  return (
    <ChartFrame
      className={classes.figure}
      legend={lineNames.map((name) => ({ key: name, swatch: classes[name], words: lines[name].word }))}
      scale={[end, end / 2, 0].map(durationWords)}
      times={timesBelow(buckets)}
      summary={
        highest === 0
          ? 'No answers in this period.'
          : `Response times in this period, at most ${durationWords(highest)} at p95. The table below has every figure.`
      }
      caption="From sending a request to the end of the answer, as a histogram estimates it. Times are in UTC."
    >
      <Lines lines={shown} {...{ end, words }} />
    </ChartFrame>
  );
}

function timesOf(bucket: AttemptBucket | undefined): string {
  if (!bucket) return '';
  const { from, p50Ms, p95Ms } = bucket;
  const times = p50Ms === null || p95Ms === null ? 'no answers' : `p50 ${durationWords(p50Ms)}, p95 ${durationWords(p95Ms)}`;
  return `${hourWords(new Date(from))} UTC: ${times}`;
}
