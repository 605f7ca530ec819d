import { Loader, TextInput, VisuallyHidden } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { useRef, useState, type KeyboardEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { counted } from '../../ui/text/counted.ts';
import classes from './DocsSearch.module.css';
import type { SearchHit } from './searchDocumentation.ts';
import { openSearch } from './openSearch.ts';

/** Pages of problems come from the server, not from the router. */
const isOwn = ({ path }: SearchHit) => path.startsWith('/docs');

/** Finds guides, operations, events and problem codes. What it needs is loaded at the first keystroke. */
export function DocsSearch() {
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
    <div ref={root} role="search" className={classes.root}>
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
        <div className={classes.hits}>
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
