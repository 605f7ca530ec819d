import type { ReactNode } from 'react';
import classes from './DisclosureRow.module.css';

type DisclosureRowProps = {
  /** What is always seen: cells of a grid. */
  line: ReactNode;
  /** A class with the grid's columns; the last one is the arrow's. */
  columns: string | undefined;
  /** Whether it is open at first. */
  open?: boolean;
  children: ReactNode;
};

/** A row of a list that says the most important on one line; opened, everything. */
export function DisclosureRow({ line, columns, open, children }: DisclosureRowProps) {
  return (
    <li>
      <details className={classes.row} open={open}>
        <summary className={`${classes.line} ${columns}`}>{line}</summary>
        <div className={classes.body}>{children}</div>
      </details>
    </li>
  );
}
