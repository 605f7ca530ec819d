import { IconCircle, IconCircleCheckFilled, IconCircleDot, IconCircleX, IconClockHour4, type TablerIcon } from '@tabler/icons-react';
import { Time } from '../../ui/time/Time.tsx';
import classes from './ProductionStepper.module.css';
import type { ProductionStep } from './productionSteps.ts';

const icons: Readonly<Record<ProductionStep['state'], TablerIcon>> = {
  done: IconCircleCheckFilled,
  yours: IconCircleDot,
  theirs: IconClockHour4,
  later: IconCircle,
  stopped: IconCircleX,
};

/** The steps to production in a row, each with its state and its date. */
export function ProductionStepper({ steps }: { steps: readonly ProductionStep[] }) {
  return (
    <ol className={classes.steps} aria-label="Steps to production">
      {steps.map(({ name, title, state, word, at }) => {
        const Icon = icons[state];
        const current = state === 'yours' || state === 'theirs';
        return (
          <li key={name} className={classes.step} data-state={state} {...(current && { 'aria-current': 'step' as const })}>
            <Icon size={20} stroke={1.75} aria-hidden className={classes.icon} />
            <span className={classes.title}>{title}</span>
            <span className={classes.word}>
              {word}
              {at !== null && (
                <>
                  {', '}
                  <Time value={at} />
                </>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
