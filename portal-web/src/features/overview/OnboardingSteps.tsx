import { Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled, IconCircleDot } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './OnboardingSteps.module.css';

type OnboardingStep = { readonly title: string; readonly done: boolean; readonly content?: ReactNode };

/** The five steps from a profile to the review. The first that is not done is open; the others are one line each. */
export function OnboardingSteps({ steps }: { steps: readonly OnboardingStep[] }) {
  const current = steps.findIndex(({ done }) => !done);
  return (
    <section aria-labelledby="first-steps">
      <Title order={2} id="first-steps" mb="xs">
        First steps
      </Title>
      <ol className={classes.list}>
        {steps.map(({ title, done, content }, at) => {
          const open = at === current;
          const Icon = done ? IconCircleCheckFilled : open ? IconCircleDot : IconCircle;
          return (
            <li key={title} data-done={done || undefined} aria-current={open ? 'step' : undefined}>
              <Icon size={20} aria-hidden />
              <div className={classes.words}>
                <span className={classes.title}>
                  {title}
                  <span className={classes.hidden}>{done ? ': done' : open ? ': now' : ': later'}</span>
                </span>
                {open && content}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
