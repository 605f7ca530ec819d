import { Time } from '../../../ui/time/Time.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { checkBadge } from '../../../features/review/checkWords.ts';
import type { Check } from '../../../features/review/checkFragment.ts';
import classes from './sitting.module.css';

/** What the service has found out by itself, and when: what has failed first, what has passed last. */
export function CheckList({ checks, label }: { checks: readonly Check[]; label: string }) {
  return (
    <ul className={classes.checks} aria-label={label}>
      {checks
        .toSorted((one, other) => outcomes.indexOf(one.outcome) - outcomes.indexOf(other.outcome))
        .map((check) => (
          <li key={check.check}>
            <StatusBadge tone={checkBadge(check).tone}>{checkBadge(check).word}</StatusBadge>
            <div>
              <strong>{check.title}</strong> {check.found}
              {check.checkedAt !== null && (
                <span className={classes.when}>
                  {' '}
                  Checked <Time value={check.checkedAt} />.
                </span>
              )}
            </div>
          </li>
        ))}
    </ul>
  );
}

const outcomes = ['failed', 'unknown', 'passed'] as const;
