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
  const { key, pathname } = useLocation();
  return (
    <div className={classes.root}>
      <title>{`${documentTitle} · Operator portal`}</title>
      <div className={classes.words}>
        <div className={classes.line}>
          <Heading key={pathname} title={title} takesFocus={key !== 'default'} />
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

/** `takesFocus` is false on the first page of a visit, where the browser has put the focus. */
function Heading({ title, takesFocus }: { title: string; takesFocus: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <Title order={1} ref={heading} tabIndex={-1}>
      {title}
    </Title>
  );
}
