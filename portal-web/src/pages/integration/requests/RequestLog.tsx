import { Button, Text, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { background } from '../../../graphql/client.ts';
import type { VariablesOf } from '../../../graphql/graphql.ts';
import { BesidePanel } from '../../../ui/layout/SidePanel.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { counted } from '../../../ui/text/counted.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { askedAfter, filterOf, joined, noFilters, type RequestFilters, secondsSince } from './loggedRequests.ts';
import classes from './RequestLog.module.css';
import { serverTime } from '../../../ui/time/serverTime.ts';
import { type LoggedRequest, type ReadRequests, requestsQuery } from './usageQueries.ts';

type RequestLogProps = {
  /** Of the integration, whose facts are read with the newest page. */
  slug: string;
  clientId: string;
  filters: RequestFilters;
  live: boolean;
  /** Whether a request is open beside the list, which then stays as it is. */
  reading: boolean;
  /** Told what was read with the client’s facts, always the same object for the same answer. */
  onFacts: (read: ReadRequests) => void;
  /** What stands in place of an empty list. */
  none: ReactNode;
  /** What is open beside the list. */
  renderPanel: (requests: readonly LoggedRequest[]) => ReactNode;
  children: (requests: readonly LoggedRequest[]) => ReactNode;
};

const first = 50;

/** What the log asks for at first, of the reader's own integration. */
export const newestRequests = (slug: string, clientId: string) => ({
  ...ofLog(slug, clientId, noFilters),
  ...wholePage,
  after: null,
  facts: true,
});

const wholePage = { known: null, within: null };
const ofLog = (slug: string, clientId: string, filters: RequestFilters) => ({ slug, clientId, filter: filterOf(filters), first });

/** A client’s requests, the newest first. The first page adds what comes by itself, unless the reader is at it. */
export function RequestLog({ slug, clientId, filters, live, reading, onFacts, none, renderPanel, children }: RequestLogProps) {
  const pagination = usePagination();
  const list = useRef<HTMLDivElement>(null);
  const variables = ofLog(slug, clientId, filters);
  const [result, read] = useQuery({
    query: requestsQuery,
    variables: { ...variables, ...wholePage, after: pagination.after, facts: true },
    requestPolicy: 'cache-and-network',
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  const { data } = result;
  // With the rows, not a frame later: what the page says above them would push them down.
  useLayoutEffect(() => {
    if (data?.usage) onFacts(data);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [data]);
  const newest = pagination.after === null && data ? data.requests : null;
  const firstPage = useMemo(() => newest?.edges.map(({ node }) => node) ?? null, [newest]);
  const tail = useLiveTail({
    variables,
    page: firstPage,
    fresh: !result.stale && !result.error,
    on: live && filters.to === '',
    isReading: () => reading || isAtList(list.current),
    onFacts,
    onReread: reread,
  });
  const rows = newest ? tail.rows : (data?.requests.edges.map(({ node }) => node) ?? []);
  return (
    <BesidePanel panel={renderPanel(rows)}>
      <div ref={list} className={classes.log}>
        <VisuallyHidden role="status">{tail.announcement}</VisuallyHidden>
        {live && filters.to === '' && pagination.after === null && <TailState tail={tail} list={list} />}
        <LoadedList pagination={pagination} result={result} onRetry={reread}>
          {({ requests }) => (
            <PagedList
              label="Requests"
              pagination={pagination}
              page={newest ? { ...requests, edges: rows.map((node) => ({ node })) } : requests}
              none={none}
            >
              {(items) => (
                <>
                  {pagination.after !== null && (
                    <Text size="sm" c="dimmed" mb="xs">
                      Older requests. This page does not change while new requests come in.
                    </Text>
                  )}
                  {children(items)}
                </>
              )}
            </PagedList>
          )}
        </LoadedList>
      </div>
    </BesidePanel>
  );
}

/** What waits above the list, and why nothing comes any more. */
function TailState({ tail, list }: { tail: LiveTail; list: { readonly current: HTMLElement | null } }) {
  const { waiting, more, endedAt, failing, show, resume } = tail;
  if (endedAt !== null) {
    return (
      <div className={classes.ended} role="status">
        Live updates stopped <Time value={endedAt} />, after half an hour without activity.{' '}
        <Button variant="default" size="xs" onClick={resume}>
          Go on
        </Button>
      </div>
    );
  }
  if (waiting > 0) {
    return (
      <div className={classes.waiting}>
        <Button
          size="xs"
          radius="xl"
          onClick={() => {
            show();
            list.current?.scrollIntoView({ block: 'nearest' });
          }}
        >
          {waiting}
          {more ? ' or more' : ''} new
        </Button>
      </div>
    );
  }
  return failing ? (
    <Text size="sm" role="status" className={classes.ended}>
      New requests cannot be read at the moment. The page tries again every three seconds.
    </Text>
  ) : null;
}

/** Whether the reader is at a list: points at it, selects in it, is in it by keyboard, or has scrolled into it. */
function isAtList(list: HTMLElement | null): boolean {
  if (!list) return false;
  const selection = window.getSelection();
  return (
    // After a tap, a telephone keeps an element hovered until the next one.
    (window.matchMedia('(hover: hover)').matches && list.querySelector('table:hover') !== null) ||
    list.querySelector('table :focus-visible') !== null ||
    (selection?.type === 'Range' && list.contains(selection.anchorNode)) ||
    list.getBoundingClientRect().top < 0
  );
}

/** A call shows three seconds after its answer, and a page costs at most a request in that time. */
const every = 3_000;
const factsEvery = 30_000;
const announcedEvery = 10_000;
/** Without a key or a click for so long, nobody looks. */
const endsAfter = 30 * 60_000;
/** With more lines than these above the page that was read, the page is read again. */
const mostAdded = 100;

type Variables = VariablesOf<typeof requestsQuery>;
type LiveTailOptions = {
  variables: Pick<Variables, 'slug' | 'clientId' | 'filter' | 'first'>;
  /** The newest page of the list as it was read, or null while another page is shown or none has been read. */
  page: readonly LoggedRequest[] | null;
  /** Whether that page came from the service just now, and not from what was read earlier. */
  fresh: boolean;
  on: boolean;
  /** Whether the reader is at the list, so that nothing may move under them. */
  isReading: () => boolean;
  onFacts: (read: ReadRequests) => void;
  /** Reads the newest page again. */
  onReread: () => void;
};

type LiveTail = {
  /** The lines of the page with those that have come since, the newest first. */
  readonly rows: readonly LoggedRequest[];
  /** How many have come that are not shown yet. */
  readonly waiting: number;
  /** Whether even more have come. */
  readonly more: boolean;
  /** When it ended, because nobody looked. */
  readonly endedAt: string | null;
  readonly failing: boolean;
  /** What a screen reader is told, at most every ten seconds. */
  readonly announcement: string;
  /** Shows what waits. */
  readonly show: () => void;
  /** Goes on after it has ended. */
  readonly resume: () => void;
};

const nothing = { added: [] as readonly LoggedRequest[], held: [] as readonly LoggedRequest[], more: false };

/**
 * Adds to a list of requests what comes while its reader looks. A line bears the time at which its request began and may be written half a
 * minute after it ended, so neither a cursor nor a sequence number finds all new lines. The page asks for everything of a little more than
 * the last minute, and names the lines of that time that it has.
 */
function useLiveTail({ variables, page, fresh, on, isReading, onFacts, onReread }: LiveTailOptions): LiveTail {
  const client = useClient();
  const [come, setCome] = useState({ ...nothing, page });
  const [endedAt, setEndedAt] = useState<string | null>(null);
  const [failing, setFailing] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  // Another page, or the same one read again, has what had come until then.
  if (come.page !== page) setCome({ ...nothing, page });
  const { added, held, more } = come.page === page ? come : nothing;
  const rows = page ? joined(added, page) : [];
  const times = useRef({ asked: 0, answered: 0, facts: 0, announced: 0, unannounced: 0 });
  const lastUse = useLastUse();
  const going = on && page !== null && endedAt === null;

  const announce = useEffectEvent((count: number, at: number) => {
    const { announced, unannounced } = times.current;
    times.current.unannounced = unannounced + count;
    if (times.current.unannounced === 0 || at - announced < announcedEvery) return;
    setAnnouncement(`${counted(times.current.unannounced, 'new request')} since ${announced ? 'the last announcement' : 'you came'}.`);
    times.current = { ...times.current, announced: at, unannounced: 0 };
  });

  const take = useEffectEvent((data: ReadRequests, at: number) => {
    if (data.usage) onFacts(data);
    const shown = new Set([...held, ...rows].map(({ id }) => id));
    const arrived = data.requests.edges.map(({ node }) => node).filter(({ id }) => !shown.has(id));
    announce(arrived.length, at);
    if (arrived.length === 0 && (held.length === 0 || isReading())) return;
    // Refused and failed calls changes the facts.
    if (arrived.some(({ status }) => status >= 400)) times.current.facts = Math.min(times.current.facts, at - factsEvery + 2 * every);
    const next = joined(arrived, held);
    const beyond = more || (data.requests.pageInfo.hasNextPage && page !== null && page.length > 0);
    if (isReading()) setCome({ added, held: next, more: beyond, page });
    else if (beyond || added.length + next.length > mostAdded) onReread();
    else setCome({ added: joined(next, added), held: [], more: false, page });
  });

  const ask = useEffectEvent(async (at: number) => {
    const within = secondsSince(times.current.answered, at);
    if (within === null) return onReread();
    const full = page !== null && page.length >= variables.first;
    const { from, known } = askedAfter(joined(held, rows), { earliest: variables.filter.from ?? null, within, full });
    const facts = at - times.current.facts >= factsEvery;
    if (facts) times.current.facts = at;
    const filter = { ...variables.filter, from };
    const asked = { ...variables, filter, known, within, after: null, facts };
    const { data, error } = await client.query(requestsQuery, asked, background).toPromise();
    setFailing(error !== undefined);
    if (!data) return;
    times.current.answered = Math.max(times.current.answered, at);
    take(data, at);
  });

  const tick = useEffectEvent(() => {
    const at = Date.now();
    if (document.visibilityState !== 'visible' || at - times.current.asked < every - 50) return;
    if (at - lastUse.at() > endsAfter) return setEndedAt(new Date(serverTime()).toISOString());
    times.current.asked = at;
    void ask(at);
  });

  useEffect(() => {
    if (fresh && page !== null) times.current.answered = Date.now();
  }, [fresh, page]);

  useEffect(() => {
    if (!going) return;
    // The page has just been read with its facts.
    times.current = { ...times.current, asked: Date.now(), facts: Date.now() };
    const timer = setInterval(tick, every);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [going]);

  const show = () => (more ? onReread() : setCome({ added: joined(held, added), held: [], more: false, page }));
  const resume = () => {
    lastUse.note();
    setEndedAt(null);
    onReread();
  };
  return { rows, waiting: held.length, more, endedAt, failing, announcement, show, resume };
}

/** When the reader last pressed a key or a button. */
function useLastUse() {
  const used = useRef(0);
  const [access] = useState(() => ({
    at: () => used.current,
    note: () => {
      used.current = Date.now();
    },
  }));
  useEffect(() => {
    const { note } = access;
    note();
    const names = ['keydown', 'pointerdown', 'wheel'] as const;
    for (const name of names) window.addEventListener(name, note, { passive: true });
    return () => {
      for (const name of names) window.removeEventListener(name, note);
    };
  }, [access]);
  return access;
}
