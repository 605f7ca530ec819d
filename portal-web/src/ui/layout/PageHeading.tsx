import { Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import classes from './PageHeading.module.css';

type PageHeadingProps = {
  title: string;
  /** The document's title, if it differs from the heading. */
  documentTitle?: string;
  /** One or two sentences under the heading. */
  lead?: ReactNode;
  /** Badges beside the heading. */
  marks?: ReactNode;
  /** Buttons at the end of the line. */
  actions?: ReactNode;
};

/** A page's h1. It sets the document's title and takes the focus when the reader navigates to the page. */
export function PageHeading({ title, documentTitle = title, lead, marks, actions }: PageHeadingProps) {
  const { pathname } = useLocation();
  return (
    <div className={classes.root}>
      <title>{`${documentTitle} · Operator portal`}</title>
      <div className={classes.words}>
        <div className={classes.line}>
          <Heading key={pathname} title={title} pathname={pathname} />
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

/** The page that the browser opened and put the focus on, and whether the reader has left it since. */
const opened = { pathname: '', left: false };

function isReachedByLink(pathname: string): boolean {
  opened.pathname ||= pathname;
  opened.left ||= pathname !== opened.pathname;
  return opened.left;
}

/** Takes the focus once, when it appears. A filter that changes the address later must not take the focus from its field. */
function Heading({ title, pathname }: { title: string; pathname: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isReachedByLink(pathname)) heading.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <Title order={1} ref={heading} tabIndex={-1}>
      {title}
    </Title>
  );
}
