import { useState } from 'react';
import { challengeFacts } from '../../../../server/domain/webhook/challengeFacts.ts';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { useFrameFollows } from '../integration/useFrameFollows.ts';
import { healthNews } from './endpointHealth.ts';
import { endpointQuery } from './webhookQueries.ts';

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** An endpoint, read again every few seconds, and every second while a challenge is under way. */
export function useEndpoint(endpointId: string) {
  const [proving, setProving] = useState(false);
  const [result, read] = usePolledQuery({
    query: endpointQuery,
    variables: { endpointId },
    whileTrue: ({ webhookEndpoint }) => webhookEndpointFacts[webhookEndpoint.status].receives !== 'never',
    every: proving ? 1000 : 5000,
    context: fresh,
  });
  const endpoint = result.data?.webhookEndpoint;
  useFrameFollows(endpoint && healthNews(endpoint));
  const challenge = endpoint?.challenge;
  const pending = !!challenge && challengeFacts[challenge.status].isRunning;
  if (pending !== proving) setProving(pending);
  return [result, () => read({ requestPolicy: 'network-only' })] as const;
}
