import { Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { GateHistory } from '../../features/gate/GateHistory.tsx';
import { serviceGateQuery } from '../../features/gate/gateQueries.ts';
import { IntegrationGates } from '../../features/gate/IntegrationGates.tsx';
import { ServiceGatePanel } from '../../features/gate/ServiceGatePanel.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';

/** The production gate of the whole service with its history, and the gates of all approved integrations. */
export function Component() {
  const place = usePlace();
  const [result, read] = useQuery({
    query: serviceGateQuery,
    variables: { after: place.after },
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
            <IntegrationGates />
            <GateHistory history={serviceGateHistory} place={place} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}
