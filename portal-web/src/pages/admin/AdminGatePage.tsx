import { Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { GateHistory } from '../../features/gate/GateHistory.tsx';
import { serviceGateQuery } from '../../features/gate/gateQueries.ts';
import { IntegrationGates } from '../../features/gate/IntegrationGates.tsx';
import { ServiceGatePanel } from '../../features/gate/ServiceGatePanel.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';

/** The production gate: of the whole service with its history, and of every approved integration. */
export function Component() {
  const [filters, change] = useUrlFilters(['status', 'gate', 'integrationsAfter']);
  const { after } = filters;
  const [result, read] = useQuery({
    query: serviceGateQuery,
    variables: { after: after || null },
    requestPolicy: 'cache-and-network',
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Stack gap="lg">
      <PageHeading title="Production gate" lead="Opening the gate is a separate decision: approval and activation do not open it." />
      <Loaded result={result} onRetry={reread}>
        {({ serviceGate, serviceGateHistory }) => (
          <>
            <ServiceGatePanel gate={serviceGate} onChanged={reread} />
            <IntegrationGates filters={filters} onChange={(changes) => change({ after, integrationsAfter: '', ...changes })} />
            <GateHistory history={serviceGateHistory} after={after} onAfter={(cursor) => change({ after: cursor })} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}
