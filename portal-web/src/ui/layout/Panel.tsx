import { Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './Panel.module.css';

type PanelProps = {
  title: string;
  /** Its name for assistive technology, if a page has several panels with this title. */
  name?: string;
  lead?: ReactNode;
  marks?: ReactNode;
  /** Whether it has no frame, because its parts have frames of their own. */
  bare?: boolean;
  children: ReactNode;
};

/** A titled part of a page. */
export function Panel({ title, name, lead, marks, bare = false, children }: PanelProps) {
  const id = useId();
  return (
    <section {...(name ? { 'aria-label': name } : { 'aria-labelledby': id })} className={bare ? classes.bare : classes.panel}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {marks}
      </div>
      {lead && (
        <Text c="dimmed" size="sm" mb="md" maw={640} component="div">
          {lead}
        </Text>
      )}
      {children}
    </section>
  );
}
