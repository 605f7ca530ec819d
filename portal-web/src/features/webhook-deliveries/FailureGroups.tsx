import { counted } from '../../ui/text/counted.ts';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import classes from './FailureGroups.module.css';
import type { FailureGroup } from '../webhooks/webhookQueries.ts';

/** An endpoint’s dead letters by what went wrong, each cause with what to mend. Shows nothing if there are none. */
export function FailureGroups({ groups }: { groups: readonly FailureGroup[] }) {
  if (groups.length === 0) return null;
  return (
    <ul className={classes.groups} aria-label="Why deliveries failed for good">
      {groups.map(({ cause: { title, what, next }, count, firstAt, lastAt }) => (
        <li key={`${title} ${what}`}>
          <div className={classes.line}>
            <StatusBadge tone="bad">{title}</StatusBadge>
            <strong>{counted(count, 'dead letter')}</strong>
            <span className={classes.when}>
              {count > 1 && (
                <>
                  first <Time value={firstAt} />, last{' '}
                </>
              )}
              <Time value={lastAt} />
            </span>
          </div>
          <div>
            {what} {next && <strong>{next}</strong>}
          </div>
        </li>
      ))}
    </ul>
  );
}
