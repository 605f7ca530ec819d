import { Text } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import classes from './ChartFrame.module.css';

type LegendEntry = {
  readonly key: string;
  /** The class that gives the swatch its colour. */
  readonly swatch: string | undefined;
  readonly words: ReactNode;
};

type ChartFrameProps = {
  legend: readonly LegendEntry[];
  /** The figures of the vertical scale, from the top to the bottom. */
  scale: readonly string[];
  /** The times below the chart, from the first to the last. */
  times: readonly string[];
  /** The chart in words, for assistive technology. */
  summary: string;
  caption: ReactNode;
  /** The class that defines the colours. */
  className?: string | undefined;
  /** The picture, loaded lazily. */
  children: ReactNode;
};

/** What every chart has around its picture: what the colours mean, the figures of its scales and a sentence about it. */
export function ChartFrame({ legend, scale, times, summary, caption, className, children }: ChartFrameProps) {
  return (
    <figure className={className} style={{ margin: 0 }}>
      <ul className={classes.legend}>
        {legend.map(({ key, swatch, words }) => (
          <li key={key}>
            <span className={`${classes.swatch} ${swatch ?? ''}`} aria-hidden />
            <span>{words}</span>
          </li>
        ))}
      </ul>
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden>
          {scale.map((figure) => (
            <span key={figure}>{figure}</span>
          ))}
        </div>
        <div className={classes.picture} role="img" aria-label={summary}>
          <Suspense>{children}</Suspense>
        </div>
        <div className={classes.times} aria-hidden>
          {times.map((time) => (
            <span key={time}>{time}</span>
          ))}
        </div>
      </div>
      <Text size="xs" c="dimmed" component="figcaption">
        {caption}
      </Text>
    </figure>
  );
}

/** In place of a picture whose library did not load. */
export function NoPicture() {
  return <Text size="sm">The chart could not be loaded. The table below has the same figures.</Text>;
}

/** The end of a chart's scale: a round number whose half is a whole number. */
export function scaleEnd(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)));
  return Math.max([1, 2, 4, 6, 8, 10].map((step) => step * power).find((end) => end >= highest) ?? highest, 4);
}
