import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import classes from './Bars.module.css';
import { heightOf } from './heightOf.ts';

type Bar = { readonly name: string; readonly total: number; readonly failed: number };

type BarsProps = {
  /** What is counted, as in "Requests in the last 24 hours". */
  label: string;
  bars: readonly Bar[];
  /** What a failed one is called, as in "refused or failed". */
  failedWord?: string;
  /** In pixels. */
  height?: number;
};

/** From this height on, the bars have scales, and say their values to the pointer and the keyboard. */
const tall = 48;

/** Counts of the last hours, one bar each, without a library: the failed part stands at the bottom. Screen readers get the sums, and a table with every bar. */
export function Bars({ label, bars, failedWord = 'failed', height = 72 }: BarsProps) {
  const [at, setAt] = useState<number | null>(null);
  const highest = Math.max(1, ...bars.map(({ total }) => total));
  const sum = (of: 'total' | 'failed') => bars.reduce((all, bar) => all + bar[of], 0);
  const words = ({ total, failed }: Pick<Bar, 'total' | 'failed'>) =>
    `${total.toLocaleString('en')}${failed > 0 ? `, ${failed.toLocaleString('en')} ${failedWord}` : ''}`;
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
        aria-label={`${label}: ${words({ total: sum('total'), failed: sum('failed') })}`}
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
            {...(scaled ? { onPointerEnter: () => setAt(place) } : { title: `${bar.name}: ${words(bar)}` })}
          >
            <div className={classes.failed} style={{ height: heightOf(bar.failed, highest) }} />
            <div className={classes.rest} style={{ height: heightOf(bar.total - bar.failed, highest) }} />
          </div>
        ))}
      </div>
      {scaled && (
        <div className={classes.scale}>
          <span aria-hidden>{bars.length} h ago</span>
          <span className={classes.value} aria-live="polite" data-pointed-at={pointedAt && true}>
            {pointedAt ? `${pointedAt.name}: ${words(pointedAt)}` : `peak: ${highest.toLocaleString('en')} per hour`}
          </span>
          <span aria-hidden>now</span>
        </div>
      )}
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">All</th>
              <th scope="col">{failedWord}</th>
            </tr>
          </thead>
          <tbody>
            {bars
              .filter(({ total }) => total > 0)
              .map(({ name, total, failed }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{total}</td>
                  <td>{failed}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}
