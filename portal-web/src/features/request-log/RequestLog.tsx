import { Button, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { BesidePanel } from '../../ui/layout/SidePanel.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Time } from '../../ui/time/Time.tsx';
import { isAtList } from './isAtList.ts';
import classes from './RequestLog.module.css';
import { factsIn, requestsQuery, type ClientFacts, type LoggedRequest } from '../usage/usageQueries.ts';
import { filterOf, noFilters, type RequestFilters } from './requestFilters.ts';
import { useLiveTail, type LiveTail } from './useLiveTail.ts';

type RequestLogProps = {
  /** Of the integration, whose facts are read with the newest page. */
  slug: string;
  clientId: string;
  filters: RequestFilters;
  live: boolean;
  /** Whether a request is open beside the list, which then stays as it is. */
  reading: boolean;
  onFacts: (facts: ClientFacts) => void;
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
  const place = usePlace();
  const list = useRef<HTMLDivElement>(null);
  const variables = ofLog(slug, clientId, filters);
  const [result, read] = useQuery({
    query: requestsQuery,
    variables: { ...variables, ...wholePage, after: place.after, facts: true },
    requestPolicy: 'cache-and-network',
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  const { data } = result;
  useEffect(() => {
    const facts = data && factsIn(data, clientId);
    if (facts) onFacts(facts);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [data, clientId]);
  const newest = place.after === null && data ? data.requests : null;
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
        {live && filters.to === '' && place.after === null && <TailState tail={tail} list={list} />}
        <LoadedList place={place} result={result} onRetry={reread}>
          {({ requests }) => (
            <PagedList
              label="Requests"
              place={place}
              page={newest ? { ...requests, edges: rows.map((node) => ({ node })) } : requests}
              none={none}
            >
              {(items) => (
                <>
                  {place.after !== null && (
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
        Live updates ended <Time value={endedAt} />, after half an hour without a key or a click.{' '}
        <Button variant="default" size="compact-sm" onClick={resume}>
          Go on
        </Button>
      </div>
    );
  }
  if (waiting > 0) {
    return (
      <div className={classes.waiting}>
        <Button
          size="compact-sm"
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
