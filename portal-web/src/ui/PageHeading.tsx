import { Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import classes from './PageHeading.module.css';

type PageHeadingProps = {
  title: string;
  /** The document's title when it is not the heading itself. */
  documentTitle?: string;
  /** One or two sentences under the heading. */
  lead?: ReactNode;
  /** Badges beside the heading. */
  marks?: ReactNode;
  /** Buttons at the end of the line. */
  actions?: ReactNode;
};

/** A page's h1. It names the document and takes the focus when the reader navigates to it. */
export function PageHeading({ title, documentTitle = title, lead, marks, actions }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  const isFirstPage = key === 'default';

  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true });
  }, [pathname, isFirstPage]);

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
          <Text c="dimmed" mt="xs" maw={640} component="div">
            {lead}
          </Text>
        )}
      </div>
      {actions}
    </div>
  );
}
