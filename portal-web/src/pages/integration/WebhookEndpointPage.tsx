import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { BackLink } from '../../ui/layout/BackLink.tsx';
import { ChallengePanel } from '../../features/webhooks/ChallengePanel.tsx';
import { DeliveriesPanel } from '../../features/webhook-deliveries/DeliveriesPanel.tsx';
import { EndpointHead } from '../../features/webhooks/EndpointHead.tsx';
import { EndpointTabs } from '../../features/webhooks/EndpointTabs.tsx';
import { HistoryPanel } from '../../features/webhook-history/HistoryPanel.tsx';
import { useEndpoint } from '../../features/webhooks/useEndpoint.ts';
import { paths } from '../../paths.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';

/** One endpoint: whether deliveries arrive, how they went, and each of them. */
export function Component() {
  const { endpointId = '' } = useParams();
  const { integration } = useIntegration();
  const [result, reread] = useEndpoint(endpointId);
  return (
    <Loaded result={result} onRetry={reread}>
      {({ webhookEndpoint: endpoint }) => (
        <Stack gap="lg">
          <BackLink to={paths.webhooks(integration.slug)}>All endpoints</BackLink>
          <EndpointHead {...{ endpoint, integration }} slug={integration.slug} onChange={reread} />
          <EndpointTabs slug={integration.slug} endpointId={endpoint.id} />
          <ChallengePanel endpoint={endpoint} onChange={reread} />
          {endpoint.provenAt !== null && <HistoryPanel endpointId={endpoint.id} />}
          <DeliveriesPanel endpoint={endpoint} slug={integration.slug} />
        </Stack>
      )}
    </Loaded>
  );
}
