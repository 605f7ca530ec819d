import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './PageHeader.module.css';
import { useArrival } from './useArrival.ts';

type PageHeaderProps = {
  title: string;
  /** The document's title, if it differs from the heading. */
  documentTitle?: string;
  /** One or two sentences under the heading. */
  lead?: ReactNode;
  /** Badges beside the heading. */
  marks?: ReactNode;
  /** Buttons and switches at the end of the line. */
  actions?: ReactNode;
};

/** The beginning of each page: its h1, and the document's title. A reader who comes from another page finds the focus on the heading. */
export function PageHeader({ title, documentTitle = title, lead, marks, actions }: PageHeaderProps) {
  const { heading, announced } = useArrival(documentTitle);
  return (
    <div className={classes.root}>
      <title>{`${documentTitle} · Operator portal`}</title>
      <div className={classes.words}>
        <div className={classes.line}>
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {marks}
        </div>
        {lead && (
          <Text c="dimmed" size="sm" mt={4} maw={720} component="div">
            {lead}
          </Text>
        )}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
      <span className={classes.announced} aria-live="polite">
        {announced}
      </span>
    </div>
  );
}
