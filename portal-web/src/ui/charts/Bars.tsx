import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import classes from './Bars.module.css';
import { heightOf } from './heightOf.ts';

type Bar = {
  readonly name: string;
  readonly total: number;
  /** Those that were refused or failed. */
  readonly failed: number;
  /** Those of these that failed. */
  readonly broken: number;
};

type BarsProps = {
  /** What is counted, as in "Requests in the last 24 hours". */
  label: string;
  bars: readonly Bar[];
  /** In pixels. */
  height?: number;
};

/** From this height on, the bars have scales, and say their values to the pointer and the keyboard. */
const tall = 48;

/** Counts of the last hours, one bar each, without a library: what failed stands at the bottom, what was refused above it, each with its key. Screen readers get the sums, and a table with every bar. */
export function Bars({ label, bars, height = 72 }: BarsProps) {
  const [at, setAt] = useState<number | null>(null);
  const highest = Math.max(1, ...bars.map(({ total }) => total));
  const sum = (of: 'total' | 'failed' | 'broken') => bars.reduce((all, bar) => all + bar[of], 0);
  const whole = { total: sum('total'), failed: sum('failed'), broken: sum('broken') };
  const scaled = height >= tall;
  const pointedAt = at === null ? undefined : bars[at];
  const last = bars.length - 1;

  function step(event: KeyboardEvent) {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: (at ?? last) - 1, ArrowRight: (at ?? last) + 1, Home: 0, End: last };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.min(last, Math.max(0, next)));
  }

  return (
    <figure className={classes.figure} data-scaled={scaled || undefined}>
      {scaled && (
        <div className={classes.axis} aria-hidden>
          <span>{highest.toLocaleString('en')}</span>
          <span>0</span>
        </div>
      )}
      <div
        className={classes.bars}
        style={{ height }}
        role="img"
        aria-label={`${label}: ${countWords(whole)}`}
        {...(scaled && {
          tabIndex: 0,
          onFocus: () => setAt((now) => now ?? last),
          onBlur: () => setAt(null),
          onPointerLeave: () => setAt(null),
          onKeyDown: step,
        })}
      >
        {bars.map((bar, place) => (
          <div
            key={bar.name}
            className={classes.bar}
            data-pointed-at={bar === pointedAt || undefined}
            {...(scaled ? { onPointerEnter: () => setAt(place) } : { title: `${bar.name}: ${countWords(bar)}` })}
          >
            <div className={classes.broken} style={{ height: heightOf(bar.broken, highest) }} />
            <div className={classes.failed} style={{ height: heightOf(bar.failed - bar.broken, highest) }} />
            <div className={classes.rest} style={{ height: heightOf(bar.total - bar.failed, highest) }} />
          </div>
        ))}
      </div>
      {scaled && (
        <div className={classes.scale}>
          <span aria-hidden>{bars.length} h ago</span>
          <span className={classes.value} aria-live="polite" data-pointed-at={pointedAt && true}>
            {pointedAt ? `${pointedAt.name}: ${countWords(pointedAt)}` : `peak: ${highest.toLocaleString('en')} per hour`}
          </span>
          <span aria-hidden>now</span>
        </div>
      )}
      {scaled && whole.failed > 0 && (
        <div className={classes.key} aria-hidden>
          {whole.total > whole.failed && (
            <span>
              <i className={classes.rest} /> others
            </span>
          )}
          {whole.failed > whole.broken && (
            <span>
              <i className={classes.failed} /> refused (not 404, 410)
            </span>
          )}
          {whole.broken > 0 && (
            <span>
              <i className={classes.broken} /> failed (5xx)
            </span>
          )}
        </div>
      )}
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">All</th>
              <th scope="col">Refused</th>
              <th scope="col">Failed</th>
            </tr>
          </thead>
          <tbody>
            {bars
              .filter(({ total }) => total > 0)
              .map(({ name, total, failed, broken }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{total}</td>
                  <td>{failed - broken}</td>
                  <td>{broken}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}

/** As in "31, 2 refused, 1 failed". */
function countWords({ total, failed, broken }: Omit<Bar, 'name'>): string {
  const parts = [[failed - broken, 'refused'] as const, [broken, 'failed'] as const].filter(([count]) => count > 0);
  return [total.toLocaleString('en'), ...parts.map(([count, word]) => `${count.toLocaleString('en')} ${word}`)].join(', ');
}
