import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { endpointQuery } from './webhookQueries.ts';

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** An endpoint, read again every few seconds. */
export function useEndpoint(id: string) {
  const [result, read] = usePolledQuery({
    query: endpointQuery,
    variables: { id },
    whileTrue: ({ webhookEndpoint }) => webhookEndpoint.status !== 'removed',
    every: 5000,
    context: fresh,
  });
  return [result, () => read({ requestPolicy: 'network-only' })] as const;
}
