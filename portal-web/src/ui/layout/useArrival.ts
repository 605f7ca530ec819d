import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { pageOf } from './pageOf.ts';

/** The page that has had the reader's attention last. The one that the browser opened gets the focus from the browser. */
const last: { page: string | null } = { page: null };

/**
 * What happens when the reader arrives at a page: its heading takes the focus, once. A filter, a panel or another tab of the same page takes
 * it from nobody, unless what had it is gone; the tab's title is then announced instead. Returns the heading's ref and what is announced.
 */
export function useArrival(title: string) {
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
