import { lazy, useCallback, useMemo } from 'react';
import { ChartFrame, NoPicture } from '../../ui/charts/ChartFrame.tsx';
import { scaleEnd } from '../../ui/charts/scaleEnd.ts';
import { hourWords } from '../../ui/time/timeWords.ts';
import { hoursOf, type HourOfUse } from './hoursOf.ts';
import classes from './RequestsChart.module.css';
import { sumOf, statusClasses, statusClassNames, totalsOf, type ClassTotals } from './statusClasses.ts';
import type { Usage } from './usageQueries.ts';

/** The library that draws the bars is loaded only where a chart is shown. If it does not load, the page works without it. */
const StackedBars = lazy(() => import('../../ui/charts/StackedBars.tsx').catch(() => ({ default: NoPicture })));

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
    <ChartFrame
      className={classes.figure}
      legend={statusClassNames.map((name) => ({
        key: name,
        swatch: classes[name],
        words: (
          <>
            {statusClasses[name].word} ({statusClasses[name].range}) <strong>{totals[name]}</strong>
          </>
        ),
      }))}
      scale={[end, end / 2, 0].map(String)}
      times={[0, Math.floor(hours.length / 2), hours.length - 1].map((index) => (hours[index] ? hourWords(hours[index].from) : ''))}
      summary={summary(usage, totals)}
      caption="Requests per hour. Each hour begins at the time shown, in UTC; the last one is not over yet."
    >
      <StackedBars {...{ layers, end, words }} />
    </ChartFrame>
  );
}

function hourOfUseWords(hour: HourOfUse | undefined): string {
  return hour ? `${hourWords(hour.from)} UTC: ${classWords(hour.totals) || 'no requests'}` : '';
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
