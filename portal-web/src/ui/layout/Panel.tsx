import { Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import type { StatusTone } from '../values/statusTone.ts';
import classes from './Panel.module.css';

type PanelProps = {
  title: string;
  /** Its name for assistive technology, if a page has several panels with this title, or says elsewhere what belongs to it. */
  name?: string;
  lead?: ReactNode;
  marks?: ReactNode;
  /** Whether it has no frame, because its parts have frames of their own. */
  bare?: boolean;
  /** How what it says is, if that is what the page is opened for. */
  tone?: StatusTone;
  children: ReactNode;
};

/** A titled part of a page. */
export function Panel({ title, name, lead, marks, bare = false, tone, children }: PanelProps) {
  const id = useId();
  return (
    <section
      {...(name ? { 'aria-label': name } : { 'aria-labelledby': id })}
      className={bare ? classes.bare : classes.panel}
      data-tone={tone}
    >
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
