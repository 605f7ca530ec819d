import { Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import classes from './PageHeader.module.css';
import { pageOf } from '../../paths.ts';

type PageHeaderProps = {
  /** One or two sentences under the heading. */
  lead?: ReactNode;
  /** Badges beside the heading. */
  marks?: ReactNode;
  /** Buttons and switches at the end of the line. */
  actions?: ReactNode;
} & (
  | {
      title: string;
      /** The document's title, if it differs from the heading. */
      documentTitle?: string;
    }
  | { title: ReactNode; documentTitle: string }
);

/** The beginning of each page: its h1, and the document's title. A reader who comes from another page finds the focus on the heading. */
export function PageHeader({ title, lead, marks, actions, ...rest }: PageHeaderProps) {
  const documentTitle = rest.documentTitle ?? (typeof title === 'string' ? title : '');
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

/** The page that has had the reader's attention last. The one that the browser opened gets the focus from the browser. */
const last: { page: string | null } = { page: null };

/**
 * What happens when the reader arrives at a page: its heading takes the focus, once. A filter, a panel or another tab of the same page takes
 * it from nobody, unless what had it is gone; the tab's title is then announced instead. Returns the heading's ref and what is announced.
 */
function useArrival(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  const page = pageOf(pathname);
  const [announced, setAnnounced] = useState('');
  const shown = useRef(pathname);
  useEffect(() => {
    const arrives = last.page !== null && last.page !== page;
    const turns = shown.current !== pathname;
    last.page = page;
    shown.current = pathname;
    if (arrives || (turns && isFocusLost())) heading.current?.focus({ preventScroll: true });
    else if (turns) setAnnounced(title);
  }, [page, pathname, title]);
  return { heading, announced };
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
