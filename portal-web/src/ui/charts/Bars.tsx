import { VisuallyHidden } from '@mantine/core';
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

/** From this height on, the bars have a scale below them. */
const tall = 72;

/** Counts of the last hours, one bar each, without a library: the failed part stands at the bottom. Screen readers get the sums, and a table with every bar. */
export function Bars({ label, bars, failedWord = 'failed', height = tall }: BarsProps) {
  const highest = Math.max(1, ...bars.map(({ total }) => total));
  const sum = (of: 'total' | 'failed') => bars.reduce((all, bar) => all + bar[of], 0);
  const words = ({ total, failed }: Pick<Bar, 'total' | 'failed'>) =>
    `${total.toLocaleString('en')}${failed > 0 ? `, ${failed.toLocaleString('en')} ${failedWord}` : ''}`;
  return (
    <figure className={classes.figure}>
      <div
        className={classes.bars}
        style={{ height }}
        role="img"
        aria-label={`${label}: ${words({ total: sum('total'), failed: sum('failed') })}`}
      >
        {bars.map((bar) => (
          <div key={bar.name} className={classes.bar} title={`${bar.name}: ${words(bar)}`}>
            <div className={classes.failed} style={{ height: heightOf(bar.failed, highest) }} />
            <div className={classes.rest} style={{ height: heightOf(bar.total - bar.failed, highest) }} />
          </div>
        ))}
      </div>
      {height >= tall && (
        <div className={classes.scale} aria-hidden>
          <span>{bars.length} hours ago</span>
          <span>at most {highest.toLocaleString('en')} an hour</span>
          <span>now</span>
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
