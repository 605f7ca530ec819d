import type { ReactNode } from 'react';
import classes from './Columns.module.css';

type ColumnsProps = {
  /** Null where the main column has the whole width for now; it stays the same column. */
  side: ReactNode;
  /** Whether the narrower column goes with the page, as where it may be as long as the main one. */
  still?: boolean;
  children: ReactNode;
};

/** A main column, and beside it a narrower one that stays in view while the main one is read. Below 900 pixels it follows the main one. */
export function Columns({ side, still = false, children }: ColumnsProps) {
  return (
    <div className={classes.columns}>
      <div className={classes.main}>{children}</div>
      {side !== null && (
        <div className={classes.side} data-still={still || undefined}>
          {side}
        </div>
      )}
    </div>
  );
}
