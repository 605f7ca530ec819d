import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import { NoRequests } from './NoRequests.tsx';
import { RequestFilterBar } from './RequestFilterBar.tsx';
import { RequestTable } from './RequestTable.tsx';
import { requestsQuery } from './usageQueries.ts';
import { isRequestId, useRequestFilters } from './useRequestFilters.ts';

type RequestLogPanelProps = {
  client: Pick<Client, 'id' | 'environment'>;
  live: boolean;
  onLive: (live: boolean) => void;
  /** Where a request’s certificate is shown, or null if it is shown on this page. */
  certificatesPath: string | null;
  /** Shown if there are no requests at all. */
  none: ReactNode;
};

const pageSize = 50;

/** The client's recent requests. */
export function RequestLogPanel({ client, live, onLive, certificatesPath, none }: RequestLogPanelProps) {
  const [filters, change] = useRequestFilters();
  const { requestId, answer, operation } = filters;
  const place = usePlace();
  const [result, read] = usePolledQuery({
    query: requestsQuery,
    variables: {
      clientId: client.id,
      filter: {
        requestId: isRequestId(requestId) ? requestId : null,
        statusClass: answer === 'problems' || answer === '' ? null : answer,
        onlyProblems: answer === 'problems',
        operation: operation || null,
      },
      first: pageSize,
      after: place.after,
    },
    // Older requests do not change.
    whileTrue: () => live && place.after === null,
    every: 3000,
  });
  return (
    <Panel
      title="Recent requests"
      lead="Kept for 7 days. Paths, queries, bodies and addresses are never stored."
      marks={<EnvironmentTag environment={client.environment} />}
    >
      <Stack gap="lg">
        <RequestFilterBar filters={filters} onChange={change} live={live} onLive={onLive} />
        <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
          {({ requests }) => (
            <PagedList
              label="Requests"
              place={place}
              page={requests}
              none={<NoRequests filters={filters} onClear={() => change({ requestId: '', answer: '', operation: '' })} none={none} />}
            >
              {(items) => (
                <>
                  {place.after !== null && (
                    <Text size="sm" c="dimmed" mb="xs">
                      Older requests. This page does not change while new requests come in.
                    </Text>
                  )}
                  {/* A request that was searched for is open at once. */}
                  <RequestTable requests={items} certificatesPath={certificatesPath} opened={requestId} />
                </>
              )}
            </PagedList>
          )}
        </LoadedList>
      </Stack>
    </Panel>
  );
}
