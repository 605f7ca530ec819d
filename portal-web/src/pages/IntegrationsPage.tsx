import { Button, SimpleGrid, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { usePolledQuery } from '../graphql/usePolledQuery.ts';
import { IntegrationCard } from '../features/integration/IntegrationCard.tsx';
import { integrationsQuery } from '../features/integration/integrationsQuery.ts';
import { NoIntegrations } from '../features/integration/NoIntegrations.tsx';
import type { ResultOf } from '../graphql/graphql.ts';
import { paths } from '../paths.ts';
import { Loaded } from '../ui/Loaded.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';

const pageSize = 20;
type Connection = ResultOf<typeof integrationsQuery>['integrations'];

/** The operator's integrations. */
export function Component() {
  const [result, read] = usePolledQuery({
    query: integrationsQuery,
    variables: { first: pageSize, after: null },
    whileTrue: ({ integrations }) => integrations.edges.some(({ node }) => isBuilding(node.clients)),
    every: 3000,
  });
  return (
    <Loaded result={result} onRetry={() => read()}>
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
          {integrations.totalCount === 0 ? <NoIntegrations /> : <IntegrationList first={integrations} />}
        </>
      )}
    </Loaded>
  );
}

function IntegrationList({ first }: { first: Connection }) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {first.edges.map(({ node }) => (
          <IntegrationCard key={node.id} integration={node} />
        ))}
        {cursors.map((after) => (
          <MoreIntegrations
            key={after}
            after={after}
            onMore={(cursor) => setCursors([...cursors, cursor])}
            isLast={after === cursors.at(-1)}
          />
        ))}
      </SimpleGrid>
      {cursors.length === 0 && <LoadMore page={first} onMore={(cursor) => setCursors([cursor])} />}
    </>
  );
}

type MoreProps = { after: string; isLast: boolean; onMore: (cursor: string) => void };

function MoreIntegrations({ after, isLast, onMore }: MoreProps) {
  const [{ data, fetching }] = useQuery({ query: integrationsQuery, variables: { first: pageSize, after } });
  if (!data)
    return fetching ? (
      <Text c="dimmed">Loading more …</Text>
    ) : (
      <Text c="dimmed">The next page could not be read. Reload this one and try again.</Text>
    );
  return (
    <>
      {data.integrations.edges.map(({ node }) => (
        <IntegrationCard key={node.id} integration={node} />
      ))}
      {isLast && <LoadMore page={data.integrations} onMore={onMore} />}
    </>
  );
}

function LoadMore({ page, onMore }: { page: Connection; onMore: (cursor: string) => void }) {
  const { hasNextPage, endCursor } = page.pageInfo;
  if (!hasNextPage || !endCursor) return null;
  return (
    <Button variant="default" mt="md" onClick={() => onMore(endCursor)}>
      Load more
    </Button>
  );
}

function isBuilding(clients: Connection['edges'][number]['node']['clients']): boolean {
  return clients.some(({ corpus }) => corpus?.state === 'queued' || corpus?.state === 'building');
}
