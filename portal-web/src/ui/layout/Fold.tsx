import type { ReactNode } from 'react';
import classes from './Fold.module.css';

type FoldProps = {
  /** The line that opens and closes it, as in "Ended (31)". */
  summary: ReactNode;
  /** Whether it is open at first. */
  open?: boolean;
  /** Told when it is opened, for what is read only then. */
  onOpen?: () => void;
  children: ReactNode;
};

/** What few readers need at once: one line, which opens. */
export function Fold({ summary, open = false, onOpen, children }: FoldProps) {
  return (
    <details className={classes.fold} open={open} onToggle={(event) => event.currentTarget.open && onOpen?.()}>
      <summary>{summary}</summary>
      <div className={classes.inside}>{children}</div>
    </details>
  );
}
