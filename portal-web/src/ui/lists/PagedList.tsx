import { Button, Group, Text } from '@mantine/core';
import { use, useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../states/EmptyState.tsx';
import { ErrorMessage } from '../states/ErrorMessage.tsx';
import { ListReadingContext } from './listReading.ts';
import classes from './PagedList.module.css';
import type { Pagination, PageLink } from './usePagination.ts';

/** A connection of the schema. */
type Page<Item> = {
  readonly edges: readonly { readonly node: Item }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

type PagedListProps<Item> = {
  /** What the list contains, as in "Service tokens". */
  label: string;
  pagination: Pagination;
  /** The connection that the query returned for `pagination.after`. */
  page: Page<Item>;
  /** What the reader's last action has done to the list, if its row may have gone. The list then takes the focus that the row had. */
  note?: string | null;
  /** Shown if the list is empty. */
  none: ReactNode;
  children: (items: Item[]) => ReactNode;
};

/** A page of a list, with links to the next page, the previous one and the first. Belongs into a `LoadedList`. */
export function PagedList<Item>({ label, pagination, page, note = null, none, children }: PagedListProps<Item>) {
  const { failure, behind, onRetry } = use(ListReadingContext);
  const { frame, waiting, shown, onTurn, onRetried } = useTurns(pagination, page, behind, note);
  const { hasNextPage, endCursor } = page.pageInfo;
  const items = page.edges.map(({ node }) => node);
  const news = note ?? (pagination.broughtBack ? 'The list has changed. This is its first page.' : null);
  const retry = () => {
    onRetried();
    onRetry();
  };
  const messages = (failure !== null || news !== null) && (
    <div className={classes.messages}>
      {failure !== null && <ErrorMessage message={failure} onRetry={retry} />}
      {news !== null && (
        <Text size="sm" role="status">
          {news}
        </Text>
      )}
    </div>
  );
  const empty = items.length === 0 && pagination.after === null;
  if (empty && !messages) return none;
  return (
    <div
      ref={frame}
      role="group"
      aria-label={behind ? label : pageWords(label, shown)}
      aria-busy={waiting || undefined}
      tabIndex={-1}
      className={classes.frame}
    >
      {messages}
      {items.length > 0 ? (
        children(items)
      ) : empty ? (
        none
      ) : (
        <EmptyState kind="nothingYet" title="This page of the list is now empty.">
          Go back to the first page.
        </EmptyState>
      )}
      {(shown.after !== null || hasNextPage) && (
        <Group component="nav" aria-label={`Pages: ${label}`} gap="sm" mt="md">
          {shown.after !== null && <Turn way={shown.first} word="First page" onTurn={onTurn} />}
          {shown.previous && <Turn way={shown.previous} word="Previous page" onTurn={onTurn} />}
          {hasNextPage && endCursor && !behind && <Turn way={shown.next(endCursor)} word="Next page" onTurn={onTurn} />}
          {shown.number !== null && !behind && (
            <Text size="sm" c="dimmed">
              Page {shown.number}
            </Text>
          )}
        </Group>
      )}
    </div>
  );
}

function Turn({ way, word, onTurn }: { way: PageLink; word: string; onTurn: (way: PageLink) => void }) {
  function follow(event: MouseEvent) {
    // With one of these keys, the browser opens the page elsewhere, and this one stays as it is.
    if (!(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) onTurn(way);
  }
  return (
    <Button component={Link} to={way.to} state={way.state} preventScrollReset variant="default" onClick={follow}>
      {word}
    </Button>
  );
}

/**
 * Follows the reader from page to page. Until the next page is there, the previous one stays with its links (`shown`). Then the focus
 * moves to the beginning of the new page, or to the error if it could not be read.
 */
function useTurns(pagination: Pagination, page: object, failed: boolean, note: string | null) {
  const frame = useRef<HTMLDivElement>(null);
  const retriedOn = useRef<object | null>(null);
  const [turn, setTurn] = useState<{ from: Pagination; page: object; to: string | null } | null>(null);
  const [arrivals, setArrivals] = useState(0);
  const turning = turn !== null && turn.to === pagination.after;
  if (turning && (failed || turn.page !== page)) {
    setTurn(null);
    setArrivals(arrivals + 1);
  }
  useEffect(() => {
    if (arrivals === 0) return;
    frame.current?.focus({ preventScroll: true });
    frame.current?.scrollIntoView({ block: 'start' });
  }, [arrivals]);
  useEffect(() => {
    const lost = document.activeElement === null || document.activeElement === document.body;
    const retried = retriedOn.current !== null && retriedOn.current !== page;
    if (lost && (note !== null || retried)) frame.current?.focus({ preventScroll: true });
    retriedOn.current = null;
  }, [note, page]);
  const shown = turning ? turn.from : pagination;
  return {
    frame,
    waiting: turning,
    shown,
    onTurn: (way: PageLink) => setTurn({ from: shown, page, to: way.after }),
    onRetried: () => {
      retriedOn.current = page;
    },
  };
}

function pageWords(label: string, { after, number }: Pagination): string {
  if (number !== null) return after === null ? label : `${label}, page ${number}`;
  return `${label}, a later page`;
}
