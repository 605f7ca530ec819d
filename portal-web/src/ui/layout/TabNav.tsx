import { NativeSelect } from '@mantine/core';
import { memo, useEffect, useRef, useState, type MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { pathnameOf } from './isAtPath.ts';
import { usePreloadedPages } from './preloadPages.ts';
import classes from './TabNav.module.css';

type Tab = {
  word: string;
  path: string;
  /** Whether it is the current one, where its path alone does not tell. */
  current?: boolean;
};

/** More tabs than this do not fit on a phone, which then has a select. */
const mostOnPhones = 3;

type TabNavProps = {
  label: string;
  tabs: readonly Tab[];
  /** Called with a tab's path when the pointer rests on its link or presses it. */
  onNear?: ((path: string) => void) | undefined;
  className?: string | undefined;
};

/** A pointer that only passes by is gone after so many milliseconds. */
const restsAfter = 65;

/** Links to the pages of one subject, on one line. On a narrow screen, many of them become a select. */
export function TabNav({ label, tabs, onNear, className = '' }: TabNavProps) {
  const nav = useRef<HTMLElement>(null);
  const { pathname, key } = useLocation();
  const current = tabs.find((tab) => tab.current) ?? currentTab(tabs, pathname);
  // The tab that is about to open is marked at once: on a slow machine, its page comes later.
  const [clicked, setClicked] = useState({ path: '', from: key });
  if (clicked.from !== key) setClicked({ path: '', from: key });
  const click = (path: string) => (event: MouseEvent) => {
    if (!(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) setClicked({ path, from: key });
  };
  const resting = useRef(0);
  const near = (path: string) => ({
    onPointerEnter: () => {
      clearTimeout(resting.current);
      resting.current = window.setTimeout(() => onNear?.(path), restsAfter);
    },
    onPointerLeave: () => clearTimeout(resting.current),
    onPointerDown: () => onNear?.(path),
  });
  usePreloadedPages(tabs.map(({ path }) => path));
  const shown = current?.word;
  useEffect(() => {
    const line = nav.current?.querySelector('div');
    const link = [...(line?.querySelectorAll('a') ?? [])].find(({ textContent }) => textContent === shown);
    if (!line || !link) return;
    // Called once the line has its width, and whenever it changes: where all tabs had room, nothing was scrolled.
    const observer = new ResizeObserver(() => {
      line.scrollLeft = link.offsetLeft - (line.clientWidth - link.offsetWidth) / 2;
    });
    observer.observe(line);
    return () => observer.disconnect();
  }, [shown]);
  return (
    <nav aria-label={label} className={`${classes.nav} ${className}`} data-many={tabs.length > mostOnPhones || undefined} ref={nav}>
      <div className={classes.tabs}>
        {tabs.map((tab) => (
          <Link
            key={tab.path}
            to={tab.path}
            aria-current={tab === current ? 'page' : undefined}
            data-opening={tab.path === clicked.path || undefined}
            onClick={click(tab.path)}
            {...near(tab.path)}
          >
            {tab.word}
          </Link>
        ))}
      </div>
      {tabs.length > mostOnPhones && <TabSelect {...{ label, tabs }} current={current?.path ?? ''} />}
    </nav>
  );
}

type TabSelectProps = { label: string; tabs: readonly Tab[]; current: string };

/** It is rendered again where it changes only: each step of a navigation renders the line, and on wide screens nobody sees this. */
const TabSelect = memo(
  function TabSelect({ label, tabs, current }: TabSelectProps) {
    const navigate = useNavigate();
    return (
      <NativeSelect
        className={classes.select}
        aria-label={label}
        value={current}
        onChange={(event) => void navigate(event.currentTarget.value)}
        data={tabs.map(({ word, path }) => ({ value: path, label: word }))}
      />
    );
  },
  (last, next) => JSON.stringify(last) === JSON.stringify(next),
);

/** The tab that an address belongs to. The address of one tab can be the beginning of the others’. */
export function currentTab<Some extends Pick<Tab, 'path'>>(tabs: readonly Some[], pathname: string): Some | undefined {
  const here = `${pathname.replace(/\/$/, '')}/`;
  const fitting = tabs.filter(({ path }) => here.startsWith(`${pathnameOf(path)}/`));
  return fitting.toSorted((one, other) => pathnameOf(other.path).length - pathnameOf(one.path).length)[0];
}
