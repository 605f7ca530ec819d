import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import { NoRequests } from './NoRequests.tsx';
import { RequestFilterBar } from './RequestFilterBar.tsx';
import { RequestList } from './RequestList.tsx';
import { requestsQuery } from './usageQueries.ts';
import { isRequestId, type RequestFilters } from './useRequestFilters.ts';

type RequestLogPanelProps = {
  client: Pick<Client, 'id' | 'environment'>;
  filters: RequestFilters;
  onChange: (changes: Partial<RequestFilters>) => void;
  live: boolean;
  onLive: (live: boolean) => void;
  /** Where a request’s certificate is to be seen; null: on this page. */
  certificatesPath: string | null;
  /** What is said where there are no requests at all. */
  none: ReactNode;
};

const pageSize = 50;

/** The client's recent requests. */
export function RequestLogPanel({ client, filters, onChange, live, onLive, certificatesPath, none }: RequestLogPanelProps) {
  const { requestId, answer, operation, after } = filters;
  const [result, read] = usePolledQuery({
    query: requestsQuery,
    variables: {
      clientId: client.id,
      filter: {
        requestId: isRequestId(requestId) ? requestId : null,
        statusClass: answer === 'problems' || answer === '' ? null : answer,
        onlyProblems: answer === 'problems',
        route: operation || null,
      },
      first: pageSize,
      after: after || null,
    },
    // Older requests do not change.
    whileTrue: () => live && after === '',
    every: 3000,
  });
  return (
    <Panel
      title="Recent requests"
      lead="Kept for 7 days. Paths, queries, bodies and addresses are never stored."
      marks={<EnvironmentTag environment={client.environment} />}
    >
      <Stack gap="lg">
        <RequestFilterBar filters={filters} onChange={onChange} live={live} onLive={onLive} />
        <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
          {({ requests }) =>
            requests.edges.length === 0 ? (
              <NoRequests filters={filters} onClear={() => onChange({ requestId: '', answer: '', operation: '' })} none={none} />
            ) : (
              <div>
                <RequestList page={requests} certificatesPath={certificatesPath} filters={filters} onChange={onChange} />
              </div>
            )
          }
        </Loaded>
      </Stack>
    </Panel>
  );
}
