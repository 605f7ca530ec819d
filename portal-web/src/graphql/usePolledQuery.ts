import { useEffect, useRef, useState } from 'react';
import {
  useQuery,
  type AnyVariables,
  type OperationContext,
  type TypedDocumentNode,
  type UseQueryResponse,
  type UseQueryState,
} from 'urql';
import { background } from './client.ts';
import { codeOf } from './describeError.ts';

type PolledQuery<Data, Variables extends AnyVariables> = {
  query: TypedDocumentNode<Data, Variables>;
  variables: Variables;
  /** Whether what was read last is still about to change. */
  whileTrue: (data: Data) => boolean;
  /** Milliseconds between two requests, if need be by what was read last. */
  every?: number | ((data: Data) => number);
  /** Nothing is asked meanwhile. */
  pause?: boolean;
  /** urql's context, the same object each time. */
  context?: Partial<OperationContext>;
};

/** After this many milliseconds, a request that has no answer is taken for lost. */
const patience = 30_000;

/**
 * Runs a query, and runs it again in the background while its answer is about to change. This does not count as use of the session. If a
 * later attempt fails, the result has the error beside the data that was read last, and the next attempt follows as ever.
 */
export function usePolledQuery<Data, Variables extends AnyVariables>(
  options: PolledQuery<Data, Variables>,
): UseQueryResponse<Data, Variables> {
  const { query, variables, whileTrue, every = 1500, pause: paused = false, context } = options;
  const [read, reexecute] = useQuery<Data, Variables>({ query, variables, pause: paused, ...(context && { context }) });
  const result = useLastData(read);
  // The data is null if a response has nothing but errors.
  const polling = result.data && !paused ? whileTrue(result.data) : false;

  const pause = typeof every === 'number' ? every : polling && result.data ? every(result.data) : 0;

  const underWay = useRef(false);
  useEffect(() => void (underWay.current = read.fetching), [read.fetching]);

  useEffect(() => {
    if (!polling) return;
    let askedAt = Date.now();
    const timer = setInterval(() => {
      // Asking ends the request that is under way. Where each takes longer than the pause, no answer would ever arrive.
      if (underWay.current && Date.now() - askedAt < patience) return;
      // A tab in the background pauses until it is visible again.
      if (document.visibilityState !== 'visible') return;
      askedAt = Date.now();
      reexecute({ ...context, ...background });
    }, pause);
    return () => clearInterval(timer);
  }, [polling, pause, context, reexecute]);

  return [result, reexecute];
}

/**
 * urql drops the data with the first failure, and the error with the attempt that follows; a page would drop its forms with them. What no
 * longer exists is dropped all the same.
 */
export function useLastData<Data, Variables extends AnyVariables>(result: UseQueryState<Data, Variables>): UseQueryState<Data, Variables> {
  const { data, error, operation } = result;
  const [last, setLast] = useState<{ data: Data; key: number | undefined } | null>(null);
  const lost = error !== undefined && codeOf(error) === 'NOT_FOUND';
  if (data && (data !== last?.data || operation?.key !== last.key)) setLast({ data, key: operation?.key });
  else if (lost && last) setLast(null);
  return !data && !lost && last && last.key === operation?.key ? { ...result, data: last.data } : result;
}
