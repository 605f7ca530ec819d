import { useEffect } from 'react';
import { useQuery, type AnyVariables, type OperationContext, type TypedDocumentNode, type UseQueryResponse } from 'urql';
import { background } from './client.ts';

type PolledQuery<Data, Variables extends AnyVariables> = {
  query: TypedDocumentNode<Data, Variables>;
  variables: Variables;
  /** Whether what was read last is still about to change. */
  whileTrue: (data: Data) => boolean;
  /** Milliseconds between two requests. */
  every?: number;
  /** urql's context, the same object each time. */
  context?: Partial<OperationContext>;
};

/** Runs a query, and runs it again in the background while its answer is about to change. This does not count as use of the session. */
export function usePolledQuery<Data, Variables extends AnyVariables>(
  options: PolledQuery<Data, Variables>,
): UseQueryResponse<Data, Variables> {
  const { query, variables, whileTrue, every = 1500, context } = options;
  const response = useQuery<Data, Variables>({ query, variables, ...(context && { context }) });
  const [result, reexecute] = response;
  // The data is null if a response has nothing but errors.
  const polling = result.data ? whileTrue(result.data) : false;

  useEffect(() => {
    if (!polling) return;
    const timer = setInterval(() => {
      // A tab in the background pauses until it is visible again.
      if (document.visibilityState === 'visible') reexecute({ ...context, ...background });
    }, every);
    return () => clearInterval(timer);
  }, [polling, every, context, reexecute]);

  return response;
}
