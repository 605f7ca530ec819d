import { useEffect } from 'react';
import { useQuery, type AnyVariables, type OperationContext, type TypedDocumentNode, type UseQueryResponse } from 'urql';
import { background } from './client.ts';

type PolledQuery<Data, Variables extends AnyVariables> = {
  query: TypedDocumentNode<Data, Variables>;
  variables: Variables;
  /** Whether what was read last still changes by itself. */
  whileTrue: (data: Data) => boolean;
  /** Milliseconds between an answer and the next question. */
  every?: number;
  /** As urql takes it, the same object each time. */
  context?: Partial<OperationContext>;
};

/** Reads, and while the answer says that something is under way reads again in the background, not counting as use of the session. */
export function usePolledQuery<Data, Variables extends AnyVariables>(
  options: PolledQuery<Data, Variables>,
): UseQueryResponse<Data, Variables> {
  const { query, variables, whileTrue, every = 1500, context } = options;
  const response = useQuery<Data, Variables>({ query, variables, ...(context && { context }) });
  const [result, reexecute] = response;
  // An answer that is nothing but errors has null for its data.
  const polling = result.data ? whileTrue(result.data) : false;

  useEffect(() => {
    if (!polling) return;
    const timer = setInterval(() => {
      // A tab in the background asks again when it is looked at.
      if (document.visibilityState === 'visible') reexecute({ ...context, ...background });
    }, every);
    return () => clearInterval(timer);
  }, [polling, every, context, reexecute]);

  return response;
}
