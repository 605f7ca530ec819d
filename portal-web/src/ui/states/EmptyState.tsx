import { IconCircleCheck, IconFilterOff, IconInbox, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

/** Nothing has come about yet (an empty tray), nothing fits what the reader has asked for, or nothing needs anybody: three different things. */
type Kind = 'nothingYet' | 'nothingFits' | 'allClear';

const icons: Record<Kind, TablerIcon> = { nothingYet: IconInbox, nothingFits: IconFilterOff, allClear: IconCircleCheck };

type EmptyStateProps = {
  kind: Kind;
  /** One sentence. */
  title: ReactNode;
  /** How something comes to be here, or what to look for instead. */
  children?: ReactNode;
  /** The one thing that the reader can do about it. */
  action?: ReactNode;
};

/** In place of what is not there. */
export function EmptyState({ kind, title, children, action }: EmptyStateProps) {
  const Icon = icons[kind];
  return (
    <div className={classes.root} data-kind={kind}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <div className={classes.words}>
        <p className={classes.title}>{title}</p>
        {children && <div className={classes.text}>{children}</div>}
        {action && <div className={classes.action}>{action}</div>}
      </div>
    </div>
  );
}
