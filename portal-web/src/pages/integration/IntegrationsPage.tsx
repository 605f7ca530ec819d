import { Button, SimpleGrid } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { IntegrationCard } from '../../features/integration/IntegrationCard.tsx';
import { integrationsQuery } from '../../features/integration/integrationsQuery.ts';
import { NoIntegrations } from '../../features/integration/NoIntegrations.tsx';
import type { ResultOf } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';

const pageSize = 20;
type Connection = ResultOf<typeof integrationsQuery>['integrations'];

/** The operator's integrations. */
export function Component() {
  const place = usePlace();
  const [result, read] = usePolledQuery({
    query: integrationsQuery,
    variables: { first: pageSize, after: place.after },
    whileTrue: ({ integrations }) => integrations.edges.some(({ node }) => isBuilding(node.clients)),
    every: 3000,
  });
  return (
    <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ integrations }) => (
        <>
          <PageHeading
            title="Integrations"
            actions={
              integrations.totalCount > 0 && (
                <Button component={Link} to={paths.newIntegration} leftSection={<IconPlus size={16} aria-hidden />}>
                  New integration
                </Button>
              )
            }
          />
          <PagedList label="Integrations" place={place} page={integrations} none={<NoIntegrations />}>
            {(items) => (
              <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
                {items.map((integration) => (
                  <IntegrationCard key={integration.id} integration={integration} />
                ))}
              </SimpleGrid>
            )}
          </PagedList>
        </>
      )}
    </LoadedList>
  );
}

function isBuilding(clients: Connection['edges'][number]['node']['clients']): boolean {
  return clients.some(({ corpus }) => corpus?.state === 'queued' || corpus?.state === 'building');
}
