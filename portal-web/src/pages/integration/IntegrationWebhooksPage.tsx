import { Stack, Text } from '@mantine/core';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { isOver } from '../../features/integration/integrationQuery.ts';
import { tabLoader } from '../../features/integration/tabLoader.ts';
import { useReadOnly } from '../../features/integration/ownerView.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { EndpointCard } from '../../features/webhooks/EndpointCard.tsx';
import { NoEndpoints } from '../../features/webhooks/NoEndpoints.tsx';
import { AnotherEndpoint, RegisterEndpoint } from '../../features/webhooks/RegisterEndpoint.tsx';
import { endpointsQuery } from '../../features/webhooks/webhookQueries.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Columns } from '../../ui/layout/Columns.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';

const fresh = { requestPolicy: 'cache-and-network' } as const;

export const loader = tabLoader(({ ask, slug }) => ask(endpointsQuery, { slug }));

/** An integration's webhook endpoints, with their health at a glance, and the way to another one. */
export function Component() {
  const { integration, service } = useIntegration();
  const most = service.limits.webhookEndpoints;
  const [result, read] = usePolledQuery({
    query: endpointsQuery,
    variables: { slug: integration.slug },
    whileTrue: (data) => data.integration.webhookEndpoints.some(({ status }) => webhookEndpointFacts[status].receives !== 'never'),
    every: 5000,
    context: fresh,
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  const retired = isOver(integration);
  const mayRegister = !useReadOnly() && !retired;
  return (
    <Loaded result={result} onRetry={reread}>
      {({ integration: { webhookEndpoints } }) => {
        const present = webhookEndpoints.filter(({ status }) => webhookEndpointFacts[status].receives !== 'never');
        const removed = webhookEndpoints.filter(({ status }) => webhookEndpointFacts[status].receives === 'never');
        return (
          <Stack gap="lg">
            {present.length > 0 && (
              <Panel
                title="Endpoints"
                lead={`${present.length} of the ${most} endpoints that an integration can have in the sandbox and production together.`}
              >
                <Stack gap="sm">
                  {present.map((endpoint) => (
                    <EndpointCard key={endpoint.id} {...{ endpoint, integration }} />
                  ))}
                </Stack>
              </Panel>
            )}
            {retired && <Text>The integration is retired. Its endpoints were removed, and no more can be registered.</Text>}
            {!retired && present.length === 0 && (
              <Columns still side={<NoEndpoints pollingMinutes={service.limits.pollingMinutes} />}>
                <Stack gap="md">
                  <EmptyState kind="nothingYet" title={`There is no endpoint ${removed.length > 0 ? 'now' : 'yet'}.`} />
                  {mayRegister && <RegisterEndpoint integration={integration} onRegistered={reread} />}
                </Stack>
              </Columns>
            )}
            {mayRegister && present.length > 0 && present.length < most && (
              <AnotherEndpoint integration={integration} onRegistered={reread} />
            )}
            {mayRegister && present.length >= most && (
              <Text>An integration has at most {most} endpoints. Remove one to register another.</Text>
            )}
            {removed.length > 0 && (
              <Panel title="Removed endpoints" lead="Their deliveries stay readable for 30 days after their events.">
                <Stack gap="md">
                  {removed.map((endpoint) => (
                    <EndpointCard key={endpoint.id} {...{ endpoint, integration }} />
                  ))}
                </Stack>
              </Panel>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}
