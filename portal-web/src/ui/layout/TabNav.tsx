import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import classes from './TabNav.module.css';

type TabNavProps = {
  label: string;
  tabs: readonly {
    word: string;
    path: string;
    /** Whether addresses below this one belong to another tab. */
    end?: boolean;
  }[];
};

/** Links to the pages of one subject, on one line. If they do not fit, the current one is scrolled into view. */
export function TabNav({ label, tabs }: TabNavProps) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    // The address of the first page can be the beginning of the others.
    const current = [...(nav.current?.querySelectorAll('a') ?? [])].findLast((link) => pathname.startsWith(link.pathname));
    if (!nav.current || !current) return;
    nav.current.scrollLeft = current.offsetLeft - (nav.current.clientWidth - current.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav aria-label={label} className={classes.tabs} ref={nav}>
      {tabs.map(({ word, path, end = false }) => (
        <NavLink key={path} to={path} end={end}>
          {word}
        </NavLink>
      ))}
    </nav>
  );
}
