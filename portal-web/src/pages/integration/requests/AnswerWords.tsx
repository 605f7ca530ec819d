import { IconAlertTriangle, IconBan, IconCheck, IconEqual, type TablerIcon } from '@tabler/icons-react';
import { type StatusClass, statusClassOf } from '../../../features/integration/statusClasses.ts';
import classes from './AnswerWords.module.css';

const icons: Record<StatusClass, TablerIcon> = { succeeded: IconCheck, unchanged: IconEqual, refused: IconBan, failed: IconAlertTriangle };

/** How a request was answered: its status, what that means, and how much it matters, which is little for 2xx and 304. */
export function AnswerWords({ status, title }: { status: number; title: string }) {
  const kind = statusClassOf(status);
  const Icon = icons[kind];
  return (
    <span className={classes.answer} data-kind={kind}>
      <Icon size={15} aria-hidden className={classes.icon} />
      <span>
        {status} {title}
      </span>
    </span>
  );
}
