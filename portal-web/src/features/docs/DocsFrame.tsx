import type { ReactNode } from 'react';
import classes from './docs.module.css';
import { DocsNav } from './DocsNav.tsx';

/** A page of the documentation beside the search and the links to all others. */
export function DocsFrame({ children }: { children: ReactNode }) {
  return (
    <div className={classes.page}>
      <DocsNav />
      <div className={classes.content}>{children}</div>
    </div>
  );
}
