import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './RecordList.module.css';

/** A list of things of one kind, one below the other. */
export function RecordList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

type RecordRowProps = { title: ReactNode; facts: ReactNode; marks?: ReactNode; actions?: ReactNode };

/** One of them: its name, a line of facts, its badges, and what can be done with it. */
export function RecordRow({ title, facts, marks, actions }: RecordRowProps) {
  return (
    <li className={classes.record}>
      <div className={classes.words}>
        {title}
        <Text size="sm" c="dimmed" component="div">
          {facts}
        </Text>
      </div>
      {marks && <div className={classes.marks}>{marks}</div>}
      {actions}
    </li>
  );
}
