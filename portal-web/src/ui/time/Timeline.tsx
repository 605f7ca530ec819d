import type { ReactNode } from 'react';
import { Time } from './Time.tsx';
import { StatusIcon } from '../values/StatusBadge.tsx';
import type { StatusTone } from '../values/statusTone.ts';
import classes from './Timeline.module.css';

/** Something that happened. */
export type TimelineEntry = {
  readonly key: string | number;
  readonly tone: StatusTone;
  /** What happened, in a few words. The colour and the icon say nothing that these do not. */
  readonly what: ReactNode;
  /** When it happened; null for what has not come to its end. */
  readonly at: string | null;
  /** Times to the millisecond, for what happens within seconds. */
  readonly exact?: boolean;
  /** Who did it, or whatever else belongs beside the time. */
  readonly by?: ReactNode;
  /** The reason, what it came to, or what can be read about it. */
  readonly more?: ReactNode;
};

type TimelineProps = {
  /** What it is the course of, as in "Attempts". */
  label: string;
  /** The latest first. */
  entries: readonly TimelineEntry[];
};

/** What has happened to one thing, the latest first. */
export function Timeline({ label, entries }: TimelineProps) {
  return (
    <ol className={classes.list} reversed aria-label={label}>
      {entries.map(({ key, tone, what, at, exact = false, by, more }) => (
        <li key={key} className={classes.entry}>
          <StatusIcon tone={tone} />
          <div>
            <div className={classes.what}>{what}</div>
            {(at !== null || by) && (
              <div className={classes.when}>
                {at !== null && <Time value={at} {...(exact && { form: 'exact' })} />}
                {at !== null && by && ', '}
                {by}
              </div>
            )}
            {more && <div className={classes.more}>{more}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
