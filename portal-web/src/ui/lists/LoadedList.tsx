import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { UseQueryState } from 'urql';
import { codeOf, describeError, refusesCursor } from '../../graphql/describeError.ts';
import { Loaded } from '../states/Loaded.tsx';
import { ListReadingContext } from './listReading.ts';
import { useIsLeaving } from './pendingNavigation.ts';
import type { Pagination } from './usePagination.ts';

type LoadedListProps<Data> = {
  result: Pick<UseQueryState<Data>, 'data' | 'error' | 'fetching' | 'operation'>;
  /** The one whose `after` is a variable of the query. */
  pagination: Pagination;
  /** Reads the list again from the service, not from the cache. */
  onRetry: () => void;
  children: (data: Data) => ReactNode;
};

/**
 * Like `Loaded`, for a query that reads a page of a list. If a page cannot be read, the previous one stays, and the `PagedList` inside
 * shows the error above it. If the service refuses the page's cursor, the reader is brought back to the first page.
 */
export function LoadedList<Data>({ result, pagination, onRetry, children }: LoadedListProps<Data>) {
  const last = useLastRead(result);
  const error = result.error && refusesCursor(result.error) ? undefined : result.error;
  const data = result.data ?? last?.data;
  const failure = error && data && codeOf(error) !== 'UNAUTHENTICATED' ? describeError(error).message : null;
  const behind = failure !== null && !result.fetching && last !== null && last.after !== pagination.after;
  useWayBack(result.error !== error && !result.fetching, pagination, onRetry);
  return (
    <ListReadingContext value={{ failure, behind, onRetry }}>
      <Loaded result={{ data, error }} onRetry={onRetry} shape="table">
        {children}
      </Loaded>
    </ListReadingContext>
  );
}

/** What was read last of the same list, whatever its page: null if other filters applied, or if the list no longer exists. */
function useLastRead<Data>({ data, error, operation }: LoadedListProps<Data>['result']) {
  const [last, setLast] = useState<{ data: Data; list: string; after: unknown } | null>(null);
  const { after = null, ...filters } = (operation?.variables ?? {}) as Record<string, unknown>;
  const list = JSON.stringify(filters);
  if (data && (data !== last?.data || after !== last.after)) setLast({ data, list, after });
  const lost = error !== undefined && codeOf(error) === 'NOT_FOUND';
  return last?.list === list && !lost ? last : null;
}

/** Brings the reader to the first page once a cursor has been refused, and reads that page again: the list has changed. */
function useWayBack(refused: boolean, { after, back, key }: Pagination, reread: () => void): void {
  const navigate = useNavigate();
  const isLeaving = useIsLeaving();
  const rereads = useRef(false);
  useEffect(() => {
    if (isLeaving()) return;
    if (refused && after !== null) {
      rereads.current = true;
      void navigate(back.to, { replace: true, preventScrollReset: true, state: back.state });
    } else if (rereads.current && after === null) {
      rereads.current = false;
      reread();
    }
    // Another list of the page may be on its way back at the same time, and its navigation undo this one. So each new position counts.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [refused, after, key, isLeaving]);
}
