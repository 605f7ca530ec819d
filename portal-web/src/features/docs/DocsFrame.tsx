import { Loader, NativeSelect, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, NavLink, useLocation, useNavigate } from 'react-router';
import { paths } from '../../paths.ts';
import { counted } from '../../ui/text/counted.ts';
import docsSearchClasses from '../docs-search/DocsSearch.module.css';
import type { SearchHit } from '../docs-search/searchDocumentation.ts';
import { referenceIndex } from '../reference/reference.ts';
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
    ],
  },
  { name: 'Webhook events', entries: referenceIndex.events.map(({ type }) => ({ to: paths.event(type), words: type })) },
];

/** A path without what all paths have, and without saying twice what an identifier belongs to. */
function shortened(path: string): string {
  return path.replace(/^\/(v1|\.well-known)/, '').replace(/\{\w+_id\}/, '{id}');
}

/** The search, and links to every page of the documentation: beside the open page, or above it as one list to choose from. */
function DocsNav() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const list = useRef<HTMLElement>(null);
  // This is rendered again only on another page. The list may be longer than the window.
  useEffect(() => {
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div className={docsNavClasses.root}>
      <DocsSearch />
      <nav ref={list} aria-label="Documentation" className={docsNavClasses.list}>
        {groups.map(({ name, entries }) => (
          <section key={name} aria-label={name}>
            <Text className={docsNavClasses.group}>{name}</Text>
            <ul>
              {entries.map(({ to, words, method }) => (
                <li key={to}>
                  <NavLink to={to} end>
                    {method && <span className={docsNavClasses.method}>{method}</span>}
                    <span>{words}</span>
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
        {pathname === paths.docs && <option value={paths.docs}>Choose a page</option>}
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

/** Pages of problems come from the server, not from the router. */
const isOwn = ({ path }: SearchHit) => path.startsWith('/docs');

/** Finds guides, operations, events and problem codes. What it needs is loaded at the first keystroke. */
function DocsSearch() {
  const [text, setText] = useState('');
  const [hits, setHits] = useState<readonly SearchHit[] | null>(null);
  const [failed, setFailed] = useState(false);
  const asked = useRef('');
  const root = useClickOutside<HTMLDivElement>(() => close());
  const navigate = useNavigate();
  const isOpen = text.trim() !== '';

  function close() {
    setText('');
    setHits(null);
    asked.current = '';
  }

  async function ask(next: string) {
    setText(next);
    asked.current = next;
    try {
      const search = await openSearch();
      // While the index was loading, the reader may have typed on.
      if (asked.current === next) setHits(next.trim() === '' ? null : search(next));
    } catch {
      setFailed(true);
    }
  }

  function open(hit: SearchHit) {
    close();
    if (isOwn(hit)) void navigate(hit.path);
    else location.assign(hit.path);
  }

  function move(event: KeyboardEvent) {
    if (event.key === 'Escape') return close();
    const [first] = hits ?? [];
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement && first) return open(first);
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const places = [...(root.current?.querySelectorAll<HTMLElement>('input, a') ?? [])];
    const step = event.key === 'ArrowDown' ? 1 : -1;
    places[(places.indexOf(document.activeElement as HTMLElement) + step + places.length) % places.length]?.focus();
  }

  return (
    <div ref={root} role="search" className={docsSearchClasses.root}>
      <TextInput
        type="search"
        aria-label="Search the documentation"
        placeholder="Search the documentation"
        value={text}
        autoComplete="off"
        spellCheck={false}
        rightSection={isOpen && !hits && !failed ? <Loader size="xs" /> : null}
        onChange={(event) => void ask(event.currentTarget.value)}
        onKeyDown={move}
      />
      <VisuallyHidden role="status">{hits ? counted(hits.length, 'result') : ''}</VisuallyHidden>
      {isOpen && (hits ?? failed) && (
        <div className={docsSearchClasses.hits}>
          {failed && <p>The search could not be loaded. Reload the page.</p>}
          {hits?.length === 0 && <p>Nothing in the documentation has these words.</p>}
          <ul aria-label="Results">
            {hits?.map((hit) => (
              <li key={hit.path}>
                <HitLink hit={hit} onFollow={close} onKeyDown={move} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

type HitLinkProps = { hit: SearchHit; onFollow: () => void; onKeyDown: (event: KeyboardEvent) => void };

function HitLink({ hit, onFollow, onKeyDown }: HitLinkProps) {
  const words = (
    <>
      <strong>{hit.title}</strong>
      {hit.page !== hit.title && <span>{hit.page}</span>}
    </>
  );
  return isOwn(hit) ? (
    <Link to={hit.path} onClick={onFollow} onKeyDown={onKeyDown}>
      {words}
    </Link>
  ) : (
    <a href={hit.path} onKeyDown={onKeyDown}>
      {words}
    </a>
  );
}

/** The build answers this query with the index (portal-web/documentation/vitePlugin.ts), as a file of its own. */
const indexes = import.meta.glob<object>('../../../../rest-api/contract/openapi.yaml', { query: '?search', import: 'default' });

let opened: Promise<(text: string) => SearchHit[]> | undefined;

/** Loads the search and its index, once. */
function openSearch(): Promise<(text: string) => SearchHit[]> {
  opened ??= load().catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

async function load() {
  const [index, { readSearchIndex, searchDocumentation }] = await Promise.all([
    Object.values(indexes)[0]?.() ?? {},
    import('../docs-search/searchDocumentation.ts'),
  ]);
  const search = readSearchIndex(index);
  return (text: string) => searchDocumentation(search, text);
}
