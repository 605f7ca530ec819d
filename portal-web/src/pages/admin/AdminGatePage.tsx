import { Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { GateHistory } from '../../features/gate/GateHistory.tsx';
import {
  productionIntegrationsPart,
  productionIntegrationsQuery,
  serviceGateHistoryPart,
  serviceGateHistoryQuery,
  serviceGatePart,
  serviceGateQuery,
} from '../../features/gate/gateQueries.ts';
import { IntegrationGates } from '../../features/gate/IntegrationGates.tsx';
import { ServiceGatePanel } from '../../features/gate/ServiceGatePanel.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import classes from './AdminGatePage.module.css';
import { graphql } from '../../graphql/graphql.ts';
import { pageLoader } from '../../graphql/pageLoader.ts';
import { share } from '../../graphql/questions.ts';

const pageQuery = graphql(
  `
    query GatePage($status: GatedStatus, $open: Boolean, $search: String, $after: String) {
      ...ServiceGatePart
      ...ServiceGateHistoryPart
      ...ProductionIntegrationsPart
    }
  `,
  [serviceGatePart, serviceGateHistoryPart, productionIntegrationsPart],
);

export const loader = pageLoader(({ ask, plain }) => {
  const all = { status: null, open: null, search: null, after: null };
  if (!plain) return ask(serviceGateQuery, {});
  ask(
    pageQuery,
    all,
    share(serviceGateQuery, {}, ({ serviceGate }) => ({ serviceGate })),
    share(serviceGateHistoryQuery, { after: null }, ({ serviceGateHistory }) => ({ serviceGateHistory })),
    share(productionIntegrationsQuery, all, ({ productionIntegrations }) => ({ productionIntegrations })),
  );
});

/** The production gate of the whole service with its history, and the gates of all approved integrations. */
export function Component() {
  const [result, read] = useQuery({ query: serviceGateQuery, requestPolicy: 'cache-and-network' });
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
