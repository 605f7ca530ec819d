import { Stack } from '@mantine/core';
import { adminHomeQuery } from '../../features/administration/home/homeQuery.ts';
import { NewestIntegrations } from '../../features/administration/home/NewestIntegrations.tsx';
import { ServiceNeeds } from '../../features/administration/home/ServiceNeeds.tsx';
import { ServiceTraffic } from '../../features/administration/home/ServiceTraffic.tsx';
import { StaffActs } from '../../features/administration/home/StaffActs.tsx';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** Is the service well, and if not, what comes first? It is read again every minute while somebody looks. */
export function Component() {
  const [result, read] = usePolledQuery({ query: adminHomeQuery, variables: {}, whileTrue: () => true, every: 60_000, context: fresh });
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHeader title="Service" documentTitle="Service (administration)" />
      <Loaded result={result} onRetry={reread}>
        {({ administratorsHome: { attention, traffic, refusals, staffActs }, allIntegrations }) => (
          <Stack gap="lg">
            <ServiceNeeds attention={attention} reading={result.fetching} onCheck={reread} />
            <ServiceTraffic traffic={traffic} refusals={refusals} />
            <NewestIntegrations integrations={allIntegrations.edges.map(({ node }) => node.integration)} />
            <StaffActs acts={staffActs} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}
