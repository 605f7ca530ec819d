import { NativeSelect, Text } from '@mantine/core';
import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { NavLink, useLocation, useNavigate } from 'react-router';
import { paths } from '../../paths.ts';
import { SearchBox } from '../search/SearchBox.tsx';
import { referenceIndex } from '../reference/reference.ts';
import { useSession } from '../session/SessionContext.ts';
import classes from './docs.module.css';
import docsNavClasses from './DocsNav.module.css';
import { guides } from './guides.ts';

/** A page of the documentation beside the search and the links to all others. */
export function DocsFrame({ children }: { children: ReactNode }) {
  return (
    <div className={classes.page}>
      <DocsNav />
      <div className={classes.content}>{children}</div>
    </div>
  );
}

type Entry = { readonly to: string; readonly words: string; readonly method?: string };

const groups: readonly { readonly name: string; readonly entries: readonly Entry[] }[] = [
  { name: 'Guides', entries: guides.map(({ name, title }) => ({ to: paths.guide(name), words: title })) },
  {
    name: 'API reference',
    entries: [
      { to: paths.reference, words: 'All operations and events' },
      ...referenceIndex.operations.map(({ name, method, path }) => ({
        to: paths.operation(name),
        words: shortened(path),
        method,
      })),
      { to: paths.problems, words: 'All problem codes' },
    ],
  },
  { name: 'Webhook events', entries: referenceIndex.events.map(({ type }) => ({ to: paths.event(type), words: type })) },
];

/** How far up the end of the list fades, in pixels, as DocsNav.module.css has it. */
const fade = 32;

const listed = new Set(groups.flatMap(({ entries }) => entries.map(({ to }) => to)));

/** A path without the version that most have, and without saying twice what an identifier belongs to. */
function shortened(path: string): string {
  return path.replace(/^\/v1/, '').replace(/\{\w+_id\}/, '{id}');
}

/** A path that breaks before a slash, or a type of event before a dot, and not within a word. */
function breakable(words: string): ReactNode {
  return [...words.matchAll(/[/.]*[^/.]+/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** Moves the list as little as it takes to show its link to the open page. */
function showWithin(list: HTMLElement | null): void {
  const link = list?.querySelector('[aria-current="page"]')?.getBoundingClientRect();
  if (!list || !link) return;
  const { top, bottom } = list.getBoundingClientRect();
  list.scrollTop += Math.min(0, link.top - top) + Math.max(0, link.bottom + fade - bottom);
}

/** The search, and links to every page of the documentation: beside the open page, or above it as one list to choose from. */
function DocsNav() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  // Readers who are signed in have the same search in the header, which listens already.
  const { viewer } = useSession();
  const list = useRef<HTMLElement>(null);
  // This is rendered again only on another page. The list may be longer than the window, and moves by itself: the page stays where it is.
  useEffect(() => showWithin(list.current));
  return (
    <div className={docsNavClasses.root}>
      <div role="search">
        <SearchBox label="Search the docs" listens={viewer?.kind !== 'full'} className={docsNavClasses.search} />
      </div>
      <nav ref={list} aria-label="Documentation" className={docsNavClasses.list}>
        {groups.map(({ name, entries }) => (
          <section key={name} aria-label={name}>
            <Text className={docsNavClasses.group}>{name}</Text>
            <ul>
              {entries.map(({ to, words, method }) => (
                <li key={to}>
                  <NavLink to={to} end>
                    {method && <span className={docsNavClasses.method}>{method}</span>}
                    <span>{breakable(words)}</span>
                  </NavLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <NativeSelect
        className={docsNavClasses.select}
        aria-label="Page of the documentation"
        value={pathname}
        onChange={(event) => void navigate(event.currentTarget.value)}
      >
        {!listed.has(pathname) && <option value={pathname}>Choose a page</option>}
        {groups.map(({ name, entries }) => (
          <optgroup key={name} label={name}>
            {entries.map(({ to, words, method }) => (
              <option key={to} value={to}>
                {method ? `${method} ${words}` : words}
              </option>
            ))}
          </optgroup>
        ))}
      </NativeSelect>
    </div>
  );
}
