import { Text } from '@mantine/core';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import classes from './RequestsChart.module.css';
import { hoursOf, hourWords, scaleEnd, type HourOfUse } from './hoursOf.ts';
import { sumOf, statusClasses, statusClassNames, totalsOf, type ClassTotals } from './statusClasses.ts';
import type { Usage } from './usageQueries.ts';

/** The library that draws the bars is loaded only where a chart is shown. If it does not load, the page works without it. */
const StackedBars = lazy(() => import('../../ui/charts/StackedBars.tsx').catch(() => ({ default: NoBars })));

/** Requests per hour, stacked by class of response. The table below the chart has the same figures. */
export function RequestsChart({ usage }: { usage: Usage }) {
  const hours = useMemo(() => hoursOf(usage), [usage]);
  const totals = totalsOf(usage.counts);
  const end = scaleEnd(Math.max(...hours.map(({ sum }) => sum)));
  const layers = useMemo(
    () => statusClassNames.map((name) => ({ colour: `--${name}`, values: hours.map((hour) => hour.totals[name]) })),
    [hours],
  );
  const words = useCallback((bar: number) => hourOfUseWords(hours[bar]), [hours]);
  return (
    <figure className={classes.figure}>
      <Legend totals={totals} />
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden>
          <span>{end}</span>
          <span>{end / 2}</span>
          <span>0</span>
        </div>
        <div className={classes.bars} role="img" aria-label={summary(usage, totals)}>
          <Suspense>
            <StackedBars {...{ layers, end, words }} />
          </Suspense>
        </div>
        <div className={classes.times} aria-hidden>
          {[0, Math.floor(hours.length / 2), hours.length - 1].map((index) => (
            <span key={index}>{hours[index] && hourWords(hours[index].from)}</span>
          ))}
        </div>
      </div>
      <Text size="xs" c="dimmed" component="figcaption">
        Requests per hour. Each hour begins at the time shown, in UTC; the last one is not over yet.
      </Text>
    </figure>
  );
}

function NoBars() {
  return <Text size="sm">The chart could not be loaded. The table below has the same figures.</Text>;
}

function hourOfUseWords(hour: HourOfUse | undefined): string {
  return hour ? `${hourWords(hour.from)} UTC: ${classWords(hour.totals) || 'no requests'}` : '';
}

function Legend({ totals }: { totals: ClassTotals }) {
  return (
    <ul className={classes.legend}>
      {statusClassNames.map((name) => (
        <li key={name}>
          <span className={`${classes.swatch} ${classes[name]}`} aria-hidden />
          {statusClasses[name].word} ({statusClasses[name].range}) <strong>{totals[name]}</strong>
        </li>
      ))}
    </ul>
  );
}

function summary({ hours }: Usage, totals: ClassTotals): string {
  const period = hours === 24 ? 'the last 24 hours' : 'the last 7 days';
  return `${sumOf(totals)} requests in ${period}${sumOf(totals) > 0 ? `: ${classWords(totals)}` : ''}. The table below lists every hour.`;
}

function classWords(totals: ClassTotals): string {
  return statusClassNames
    .filter((name) => totals[name] > 0)
    .map((name) => `${totals[name]} ${statusClasses[name].word.toLowerCase()}`)
    .join(', ');
}
