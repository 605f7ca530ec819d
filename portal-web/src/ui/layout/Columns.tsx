import type { ReactNode } from 'react';
import classes from './Columns.module.css';

/** A main column, and beside it a narrower one that stays in view while the main one is read. Below 900 pixels it follows the main one. */
export function Columns({ side, children }: { side: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div className={classes.main}>{children}</div>
      <div className={classes.side}>{side}</div>
    </div>
  );
}
