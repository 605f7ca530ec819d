import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconCircleDot,
  IconCircleHalf2,
  IconClockHour4,
  IconLoader2,
  IconPointFilled,
  IconUserCheck,
  type TablerIcon,
} from '@tabler/icons-react';
import classes from './StatusBadge.module.css';
import type { StatusTone } from './statusTone.ts';

const icons: Record<StatusTone, TablerIcon> = {
  good: IconCircleCheck,
  on: IconCircleDot,
  underWay: IconCircleHalf2,
  waiting: IconClockHour4,
  working: IconLoader2,
  bad: IconAlertTriangle,
  stopped: IconBan,
  neutral: IconPointFilled,
  role: IconUserCheck,
};

/** The icon of a status alone, in its colour. Its word stands beside it. */
export function StatusIcon({ tone }: { tone: StatusTone }) {
  const Icon = icons[tone];
  return <Icon size={16} stroke={2} aria-hidden className={classes.lone} data-tone={tone} />;
}

/** A status is always the same badge: word, icon and colour. */
export function StatusBadge({ tone, children }: { tone: StatusTone; children: string }) {
  const Icon = icons[tone];
  return (
    <span className={classes.badge} data-tone={tone}>
      <Icon size={14} stroke={2} aria-hidden className={classes.icon} />
      <span>{children}</span>
    </span>
  );
}
