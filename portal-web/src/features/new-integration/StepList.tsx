import { IconCheck } from '@tabler/icons-react';
import { steps } from './draft.ts';
import classes from './StepList.module.css';

/** Shows where in the form the reader is. Readers can go back to earlier steps. */
export function StepList({ step, onSelect }: { step: number; onSelect: (step: number) => void }) {
  return (
    <nav aria-label="Steps">
      <p className={classes.narrow}>
        Step {step + 1} of {steps.length}
      </p>
      <ol className={classes.list}>
        {steps.map(({ name }, index) => (
          <li key={name} data-state={index < step ? 'done' : index === step ? 'current' : 'ahead'}>
            <button
              type="button"
              disabled={index > step}
              aria-current={index === step ? 'step' : undefined}
              onClick={() => onSelect(index)}
            >
              <span className={classes.mark} aria-hidden>
                {index < step ? <IconCheck size={14} stroke={2.5} /> : index + 1}
              </span>
              <span className={classes.name}>{name}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
