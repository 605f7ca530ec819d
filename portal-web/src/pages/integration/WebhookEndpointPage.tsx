import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { BackLink } from '../../ui/layout/BackLink.tsx';
import { ChallengePanel } from '../../features/webhooks/ChallengePanel.tsx';
import { deliveriesQuery } from '../../features/webhook-deliveries/deliveryQueries.ts';
import { deliveryPage, useDeliveryFilters } from '../../features/webhook-deliveries/useDeliveryFilters.ts';
import { useAttemptPeriod } from '../../features/webhook-history/useAttemptPeriod.ts';
import { historyQuery } from '../../features/webhooks/webhookQueries.ts';
import { useAskedAhead } from '../../graphql/useAskedAhead.ts';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { useNow } from '../../ui/time/useNow.ts';
import { DeliveriesPanel } from '../../features/webhook-deliveries/DeliveriesPanel.tsx';
import { EndpointHead } from '../../features/webhooks/EndpointHead.tsx';
import { EndpointTabs } from '../../features/webhooks/EndpointTabs.tsx';
import { HistoryPanel } from '../../features/webhook-history/HistoryPanel.tsx';
import { useEndpoint } from '../../features/webhooks/useEndpoint.ts';
import { useIntegrationPaths } from '../../features/integration/ownerView.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';

/** One endpoint: whether deliveries arrive, each of them, and how they went over a day or a week. */
export function Component() {
  const to = useIntegrationPaths();
  const { endpointId = '' } = useParams();
  const { integration } = useIntegration();
  const [result, reread] = useEndpoint(endpointId);
  const answered = result.data !== undefined;
  useAskedAhead(answered, deliveriesQuery, deliveryPage(endpointId, useDeliveryFilters()[0], useNow(), usePlace().after));
  useAskedAhead(answered, historyQuery, { id: endpointId, period: useAttemptPeriod()[0] });
  return (
    <Loaded result={result} onRetry={reread}>
      {({ webhookEndpoint: endpoint }) => (
        <Stack gap="lg">
          <BackLink to={to.webhooks()}>All endpoints</BackLink>
          <EndpointHead {...{ endpoint, integration }} onChange={reread} />
          <EndpointTabs endpointId={endpoint.id} />
          <ChallengePanel endpoint={endpoint} onChange={reread} />
          <DeliveriesPanel endpoint={endpoint} onChange={reread} />
          {endpoint.provenAt !== null && <HistoryPanel endpointId={endpoint.id} />}
        </Stack>
      )}
    </Loaded>
  );
}
