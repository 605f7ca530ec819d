import { Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { GateHistory } from '../../features/gate/GateHistory.tsx';
import { productionIntegrationsQuery, serviceGateHistoryQuery, serviceGateQuery } from '../../features/gate/gateQueries.ts';
import { IntegrationGates } from '../../features/gate/IntegrationGates.tsx';
import { ServiceGatePanel } from '../../features/gate/ServiceGatePanel.tsx';
import { useAskedAhead } from '../../graphql/useAskedAhead.ts';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import classes from './AdminGatePage.module.css';

/** The production gate of the whole service with its history, and the gates of all approved integrations. */
export function Component() {
  const [result, read] = useQuery({ query: serviceGateQuery, requestPolicy: 'cache-and-network' });
  useAskedAhead(result.data !== undefined, productionIntegrationsQuery, { status: null, open: null, search: null, after: null });
  useAskedAhead(result.data !== undefined, serviceGateHistoryQuery, { after: usePlace().after });
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Stack gap="lg">
      <PageHeader title="Production gate" lead="Opening the gate is a separate decision: approval and activation do not open it." />
      <Loaded result={result} onRetry={reread}>
        {({ serviceGate }) => (
          <Stack gap="lg" className={classes.panels}>
            <ServiceGatePanel gate={serviceGate} onChanged={reread} />
            <IntegrationGates />
            <GateHistory key={serviceGate.changedAt} />
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}
