import { IconArrowNarrowRight, IconLockAccess, IconServer, IconTrash, IconUserCheck } from '@tabler/icons-react';
import classes from './landing.module.css';

const steps = [
  {
    Icon: IconUserCheck,
    title: 'A user decides',
    text: 'They choose individual orders or stock vehicles and give your site a ten-digit link code. Statistics are a separate choice.',
  },
  {
    Icon: IconLockAccess,
    title: 'The service checks',
    text: 'Your back end calls with its client certificate. It sees only what both your reviewed scopes and the user allow.',
  },
  {
    Icon: IconServer,
    title: 'Your back end pulls',
    text: 'It follows a cursor, page by page. Signed webhooks can prompt it to pull, but pulling is always enough.',
  },
  {
    Icon: IconTrash,
    title: 'The user revokes access',
    text: 'Access ends at once. Within 7 days you delete every copy and everything derived from it, and acknowledge the deletion.',
  },
] as const;

/** How data flows, in four steps. */
export function DataFlow() {
  return (
    <ol className={classes.flow}>
      {steps.map(({ Icon, title, text }, index) => (
        <li key={title} className={classes.step}>
          <div className={classes.mark}>
            <Icon size={24} stroke={1.75} aria-hidden />
            {index < steps.length - 1 && <IconArrowNarrowRight size={20} stroke={1.5} aria-hidden className={classes.arrow} />}
          </div>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}
