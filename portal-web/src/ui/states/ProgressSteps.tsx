import { IconAlertTriangle, IconCheck, IconLoader2, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './ProgressSteps.module.css';

/** A step that is done, under way, or at which everything ended. Steps to come are not listed. */
export type Step = { readonly key: string; readonly state: 'done' | 'working' | 'failed'; readonly words: ReactNode };

const icons: Record<Step['state'], TablerIcon> = { done: IconCheck, working: IconLoader2, failed: IconAlertTriangle };

/** What has happened so far, one step after the other. The words alone say whether a step is done. */
export function ProgressSteps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={classes.steps}>
      {steps.map(({ key, state, words }) => {
        const Icon = icons[state];
        return (
          <li key={key} className={classes.step} data-state={state} aria-current={state === 'working' ? 'step' : undefined}>
            <Icon size={18} aria-hidden />
            <div>{words}</div>
          </li>
        );
      })}
    </ol>
  );
}
