import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Empty } from '../states/Empty.tsx';
import classes from './PagedList.module.css';
import type { Place, WayToPage } from './usePlace.ts';

/** A connection of the schema. */
type Page<Item> = {
  readonly edges: readonly { readonly node: Item }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

type PagedListProps<Item> = {
  /** What the list contains, as in "Service tokens". */
  label: string;
  place: Place;
  /** The connection that the query returned for `place.after`. */
  page: Page<Item>;
  /** Shown if the list is empty. */
  none: ReactNode;
  children: (items: Item[]) => ReactNode;
};

/** A page of a list, with links to the next page, the previous one and the first. */
export function PagedList<Item>({ label, place, page, none, children }: PagedListProps<Item>) {
  const { frame, leaving, leave } = useArrival(page);
  const { hasNextPage, endCursor } = page.pageInfo;
  const items = page.edges.map(({ node }) => node);
  if (items.length === 0 && place.after === null) return none;
  return (
    <div
      ref={frame}
      role="group"
      aria-label={pageWords(label, place)}
      aria-busy={leaving || undefined}
      tabIndex={-1}
      className={classes.frame}
    >
      {items.length > 0 ? children(items) : <Empty>This page of the list is now empty. Go back to the first page.</Empty>}
      {(place.after !== null || hasNextPage) && (
        <Group component="nav" aria-label={`Pages: ${label}`} gap="sm" mt="md">
          {place.after !== null && place.number !== 2 && <Turn way={place.first} word="First page" onTurn={leave} />}
          {place.previous && <Turn way={place.previous} word="Previous page" onTurn={leave} />}
          {hasNextPage && endCursor && <Turn way={place.next(endCursor)} word="Next page" onTurn={leave} />}
          {place.number !== null && (
            <Text size="sm" c="dimmed">
              Page {place.number}
            </Text>
          )}
        </Group>
      )}
    </div>
  );
}

function Turn({ way: { to, state }, word, onTurn }: { way: WayToPage; word: string; onTurn: () => void }) {
  return (
    <Button component={Link} to={to} state={state} preventScrollReset variant="default" onClick={onTurn}>
      {word}
    </Button>
  );
}

/** Moves the focus to the beginning of the next page once it is there. Until then, the previous page stays visible. */
function useArrival(page: object) {
  const frame = useRef<HTMLDivElement>(null);
  const [left, setLeft] = useState<object | null>(null);
  const [arrivals, setArrivals] = useState(0);
  if (left !== null && left !== page) {
    setLeft(null);
    setArrivals(arrivals + 1);
  }
  useEffect(() => {
    if (arrivals === 0) return;
    frame.current?.focus({ preventScroll: true });
    frame.current?.scrollIntoView({ block: 'start' });
  }, [arrivals]);
  return { frame, leaving: left !== null, leave: () => setLeft(page) };
}

function pageWords(label: string, { after, number }: Place): string {
  if (number !== null) return after === null ? label : `${label}, page ${number}`;
  return `${label}, a later page`;
}
