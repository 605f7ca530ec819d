import { type ReactNode, useState } from 'react';
import classes from './Fold.module.css';

type FoldProps = {
  /** The line that opens and closes it, as in "Ended (31)". */
  summary: ReactNode;
  /** Whether it is open at first. */
  open?: boolean;
  /** Whether what is inside is made only once it is opened, because it is much, or read only then. */
  lazily?: boolean;
  /** Told when it is opened. */
  onOpen?: () => void;
  children: ReactNode;
};

/** What few readers need at once: one line, which opens. */
export function Fold({ summary, open = false, lazily = false, onOpen, children }: FoldProps) {
  const [opened, setOpened] = useState(open);
  return (
    <details
      className={classes.fold}
      open={open}
      onToggle={({ currentTarget }) => {
        if (!currentTarget.open) return;
        setOpened(true);
        onOpen?.();
      }}
    >
      <summary>{summary}</summary>
      <div className={classes.inside}>{(opened || !lazily) && children}</div>
    </details>
  );
}
